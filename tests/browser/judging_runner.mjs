// Reads a JSON list of [dice, expected] from standard input and prints for each what ui/src/camera/dice.ts says: the verdict, and the
// faces of the whole throw where it is complete.
import { readFileSync } from 'node:fs';
import { judge, thrownFaces } from '../../ui/src/camera/dice.ts';

const said = JSON.parse(readFileSync(0, 'utf8')).map(([dice, expected]) => {
  const verdict = judge(dice, expected);
  return [verdict, verdict === 'complete' ? thrownFaces(dice, expected).join('') : ''];
});
process.stdout.write(JSON.stringify(said));
