// Reads a JSON list of {reader, game, text} from standard input. Prints for each what the reader of ui/src/lib/notation.ts makes of
// the text: {"value", "written"}, or {"error"} for a NotationError.
import { readFileSync } from 'node:fs';
import * as notation from '../../ui/src/lib/notation.ts';

const READERS = {
  action: [(game, text) => notation.readAction(game, text), notation.formatAction],
  gameId: [(_, text) => notation.parseGameId(text), notation.formatGameId],
  line: [(game, text) => notation.parseLine(game, text), notation.formatLine],
  position: [(_, text) => notation.parsePosition(text), notation.formatPosition],
  throw: [(_, text) => notation.parseThrow(text), notation.formatThrow],
  turnState: [(_, text) => notation.parseTurnState(text), notation.formatTurnState],
};

const answers = JSON.parse(readFileSync(0, 'utf8')).map(({ reader, game, text }) => {
  const [read, write] = READERS[reader];
  try {
    const value = read(game, text);
    return { value, written: write(value) };
  } catch (error) {
    if (!(error instanceof notation.NotationError)) throw error;
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(answers));
