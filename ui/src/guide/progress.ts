/** How far the user has come in each guided first game, stored on this device. */
interface Progress {
  /** The text of the step, `''` for the first. */
  step: string;
  /** Whether the user has been through the whole guide. */
  done: boolean;
}

const STORAGE_KEY = 'dicecup-guides';
const NONE: Progress = { step: '', done: false };

function stored(): Record<string, Progress> {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') ?? {}) as Record<string, Progress>;
  } catch {
    return {}; // storage is blocked or damaged
  }
}

export const progressIn = (game: string): Progress => ({ ...NONE, ...stored()[game] });

export function storeProgress(game: string, change: Partial<Progress>): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...stored(), [game]: { ...progressIn(game), ...change } }));
  } catch {
    // private window: the guide begins anew next time
  }
}
