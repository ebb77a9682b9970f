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
  muted = [...muted.filter((each) => each !== key), ...(wanted ? [key] : [])].slice(-MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(muted));
  } catch {
    // private window: people stay muted until the page is closed
  }
}
