/** The people whom the user has muted, each at one table. Only this browser knows them. */

const PLACE = 'dicecup-muted';
/** The newest people that are kept. */
const MOST = 100;

function stored(): string[] {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return []; // storage is blocked or damaged
  }
}

let muted = $state.raw(stored());

/** Names at a table differ from each other. */
const keyOf = (table: string, name: string): string => `${table} ${name}`;

export const isMuted = (table: string, name: string): boolean => muted.includes(keyOf(table, name));

export function mute(table: string, name: string, wanted: boolean): void {
  const key = keyOf(table, name);
  keep([...muted.filter((each) => each !== key), ...(wanted ? [key] : [])]);
}

/** Mute at the next table, once, whom the user has muted at a table: the same people play there, by the same names. */
export function carryOver(table: string, next: string): void {
  const names = muted.filter((each) => each.startsWith(`${table} `)).map((each) => each.slice(table.length + 1));
  const mark = keyOf(next, ''); // nobody has an empty name
  if (names.length && !muted.includes(mark)) keep([...muted, mark, ...names.filter(Boolean).map((name) => keyOf(next, name))]);
}

function keep(keys: string[]): void {
  muted = keys.slice(-MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(muted));
  } catch {
    // private window: people stay muted until the page is closed
  }
}
