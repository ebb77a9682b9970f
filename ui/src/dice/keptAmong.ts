/**
 * Return for each die whether it is among the kept faces. Of equal dice the first ones count as
 * kept.
 */
export function keptAmong(dice: readonly number[], kept: readonly number[]): boolean[] {
  const left = [...kept];
  return dice.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
