/** Keyboard moves in the sheet. */
export interface Place {
  column: number;
  row: number;
}

const within = (value: number, count: number): number => Math.min(Math.max(value, 0), count - 1);

/** Return the place that a key leads to, `null` where the key does not move. */
export function placeAfterKey(
  { column, row }: Place,
  { key, ctrlKey }: KeyboardEvent,
  columns: number,
  rows: number,
): Place | null {
  const to = (right: number, down: number): Place => ({ column: within(right, columns), row: within(down, rows) });
  switch (key) {
    case 'ArrowLeft':
      return to(column - 1, row);
    case 'ArrowRight':
      return to(column + 1, row);
    case 'ArrowUp':
      return to(column, row - 1);
    case 'ArrowDown':
      return to(column, row + 1);
    case 'Home':
      return to(0, ctrlKey ? 0 : row);
    case 'End':
      return to(columns - 1, ctrlKey ? rows - 1 : row);
    case 'PageUp':
      return to(column, 0);
    case 'PageDown':
      return to(column, rows - 1);
    default:
      return null;
  }
}
