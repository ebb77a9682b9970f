/** Dice in a picture, and what their number and faces mean for a throw that is to be entered. No browser is needed. */

/** Left, top, right and bottom as fractions of the width and the height of the picture. */
export type Box = readonly [number, number, number, number];

export interface FoundDie {
  face: number;
  box: Box;
  /** Probability of the face, from 0 to 1. */
  confidence: number;
  /** Whether a person has to confirm the face. */
  doubtful: boolean;
}

/** The dice of a picture, and its mean brightness from 0 to 255. */
export interface Reading {
  dice: readonly FoundDie[];
  brightness: number;
}

/** The dice that are expected: how many lie on the table, and the faces of those that were kept. */
export interface Expected {
  count: number;
  kept: readonly number[];
}

/** What the dice of a picture are for the throw. */
export type Verdict =
  /** Not all dice are in the picture. */
  | 'few'
  | 'many'
  /** All dice are in the picture, and the kept faces are not among them. */
  | 'kept-missing'
  /** A person has to confirm some faces. */
  | 'doubtful'
  | 'complete';

/**
 * Return what dice are for a throw. Complete are all dice of the table with the kept faces among
 * them, or as many dice as were thrown: the kept ones may lie outside the picture.
 */
export function judge(dice: readonly Pick<FoundDie, 'face' | 'doubtful'>[], { count, kept }: Expected): Verdict {
  if (dice.length > count) return 'many';
  if (dice.length < count && dice.length !== count - kept.length) return 'few';
  if (dice.some(({ doubtful }) => doubtful)) return 'doubtful';
  return dice.length < count || without(facesOf(dice), kept) ? 'complete' : 'kept-missing';
}

/** Return all faces of the throw in ascending order, with the kept dice. The dice have to be complete. */
export function thrownFaces(dice: readonly Pick<FoundDie, 'face'>[], { count, kept }: Expected): number[] {
  const faces = facesOf(dice);
  return (faces.length < count ? [...faces, ...kept] : faces).sort();
}

export const facesOf = (dice: readonly Pick<FoundDie, 'face'>[]): number[] => dice.map(({ face }) => face).sort();

/** Return the faces without some of them, or `null` where one of these is not among them. */
function without(faces: readonly number[], taken: readonly number[]): number[] | null {
  const left = [...faces];
  for (const face of taken) {
    const at = left.indexOf(face);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}
