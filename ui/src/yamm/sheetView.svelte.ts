/** The settings for the view of several sheets, stored on this device. */
interface Choices {
  all: boolean;
  /** `null`: follow the turn unless the user has exactly one sheet. */
  follow: boolean | null;
}

const PLACE = 'dicecup-sheets';

function stored(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Choices>;
  } catch {
    return {}; // storage is blocked or damaged
  }
}

export const choices: Choices = $state({ all: false, follow: null, ...stored() });

export function chooseView(changes: Partial<Choices>): void {
  Object.assign(choices, changes);
  try {
    localStorage.setItem(PLACE, JSON.stringify(choices));
  } catch {
    // private window: the setting lasts until the page is closed
  }
}
