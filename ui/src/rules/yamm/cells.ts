/** The printed sheet. */
export const COLUMNS = ['d1', 'd2', 'd3', 'u1', 'u2', 'u3', 'f1', 'f2', 'f3'] as const;
export const UPPER = ['1', '2', '3', '4', '5', '6'] as const;
export const LOWER = ['H', 'T', 'FH', 'ST', 'Y'] as const;
export const ROWS = [...UPPER, ...LOWER];
