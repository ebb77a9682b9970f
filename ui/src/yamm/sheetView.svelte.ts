/** How the sheets of several players are looked at, kept on this device. */
interface Choices {
  all: boolean;
  /** Null: as it suits who looks. */
  follow: boolean | null;
}

const PLACE = 'dicecup-sheets';

function kept(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Choices>;
  } catch {
    return {}; // nothing may be kept here, or it was damaged
  }
}

export const choices: Choices = $state({ all: false, follow: null, ...kept() });

export function choose(changes: Partial<Choices>): void {
  Object.assign(choices, changes);
  try {
    localStorage.setItem(PLACE, JSON.stringify(choices));
  } catch {
    // a private window: it holds until the page is closed
  }
}
