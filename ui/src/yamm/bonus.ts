/** The printed table of bonuses for rows 1 to 6 of a column (tests/browser checks it). */
export const BONUS_STEPS = [
  { from: 0, to: 59, bonus: 0 },
  { from: 60, to: 69, bonus: 60 },
  { from: 70, to: 79, bonus: 100 },
  { from: 80, to: 89, bonus: 150 },
  { from: 90, to: 99, bonus: 300 },
  { from: 100, to: 104, bonus: 600 },
  { from: 105, to: 105, bonus: 1000 },
] as const;
