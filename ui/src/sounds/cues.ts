/** The sounds of a step from one shown view to the next. table/finale plays those of the end. */
import { keptBefore } from '../dice/keptBefore.ts';
import { DICE_COUNT } from '../lib/notation.ts';
import type { SeenBoard, SeenSheet, View } from '../lib/protocol';
import type { SoundDetail, SoundName } from '../lib/sounds';
import { isCalled } from '../table/turns.ts';

export type Cue = readonly [name: SoundName, detail: SoundDetail];

/** Seconds that the dice are in the cup before they fall. */
const IN_THE_CUP = 0.3;
/** Seconds between an action and the sound of what it brings: a line, a bonus, the next turn. */
const THEN = 0.35;

/**
 * Return the sounds of a step. `rolls`: whether the page shows the dice rolling; `calls`: whether
 * a sound announces the turn of the user.
 */
export function cuesOf(before: View, now: View, { rolls, calls }: { rolls: boolean; calls: boolean }): Cue[] {
  const cues = [...cuesOfDice(before, now, rolls), ...cuesOfResult(before, now)];
  if (calls && isCalled(before, now)) cues.push(['turn', { after: cues.length ? THEN : 0 }]);
  return cues;
}

/** Return the sounds of a throw, of kept dice and of a declared Défi. Real dice sound themselves. */
function cuesOfDice(before: View, now: View, rolls: boolean): Cue[] {
  if (!now.turn) return [];
  const same = before.turn?.number === now.turn.number ? before.turn : null;
  const declared: Cue[] = now.turn.defi && !same?.defi ? [['declare', {}]] : [];
  if (now.turn.waiting) {
    if (declared.length) return declared;
    return same && !same.waiting && now.turn.dice.length ? [['keep', {}]] : [];
  }
  if (now.dice_of === 'table' || now.turn.throws <= (same?.throws ?? 0)) return declared;
  const dice = DICE_COUNT - keptBefore(now).length;
  const after = declared.length ? THEN : 0;
  if (!rolls) return [...declared, ['dice', { dice, after }]];
  return [...declared, ['cup', { dice, after }], ['dice', { dice, after: after + IN_THE_CUP }]];
}

function cuesOfResult(before: View, now: View): Cue[] {
  if (now.board && before.board) return cuesOfBoard(before.board, now.board);
  return cuesOfSheets(before.sheets ?? [], now.sheets ?? []);
}

function cuesOfBoard(before: SeenBoard, now: SeenBoard): Cue[] {
  const put = now.squares.some(({ token }, place) => token && token !== before.squares[place]?.token);
  const taken = now.squares.some(({ token }, place) => !token && before.squares[place]?.token);
  const scored = Object.entries(now.points).some(([side, points]) => points > (before.points[side] ?? 0));
  return [...cue(taken, 'remove'), ...cue(put, 'token'), ...cue(put && scored && !now.winning.length, 'line', THEN)];
}

function cuesOfSheets(before: readonly SeenSheet[], now: readonly SeenSheet[]): Cue[] {
  const written = now.flatMap((sheet, place) =>
    Object.entries(sheet.columns).flatMap(([column, cells]) =>
      Object.entries(cells).filter(([row, points]) => points !== null && points !== before[place]?.columns[column]?.[row]),
    ),
  );
  const bonus = now.some((sheet, place) =>
    Object.entries(sheet.bonus).some(([column, points]) => (points ?? 0) > (before[place]?.bonus[column] ?? 0)),
  );
  const struck = written.some(([, points]) => points === 0);
  return [...cue(struck, 'strike'), ...cue(written.length > 0 && !struck, 'pen'), ...cue(bonus, 'bonus', THEN)];
}

const cue = (sounds: boolean | string | null | undefined, name: SoundName, after = 0): Cue[] => (sounds ? [[name, { after }]] : []);
