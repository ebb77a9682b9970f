/** The tables of the user, and whether the user is on turn at each. */
import type { Look, Summary, Tables } from '../lib/protocol';

/** The content of `summary` (hosting/digest.py). */
interface Glance {
  seats: { name: string | null; level: string | null }[];
  waits_for: number[];
  turn: number;
  result: string | null;
  end: string | null;
  next: string | null;
}

export interface MyTable extends Omit<Summary, 'summary'> {
  glance: Glance;
  yourTurn: boolean;
  /** Whether the table is on this device and needs no server. */
  onDevice?: boolean;
  /** Whether the game was played on a device without the server, which has its record. */
  joined?: boolean;
}

/** The greatest number of tables that are requested to find out who is on turn. */
const ASKED = 12;

const listedTable = ({ summary, ...table }: Summary): MyTable => ({ ...table, glance: summary as unknown as Glance, yourTurn: false });

/** The levels that fit the user by name of the game, as the server has found them. */
let fitting: Tables['fitting'] = {};
export const fittingLevels = (): NonNullable<Tables['fitting']> => fitting ?? {};

export async function myTables(get: <Answer>(path: string) => Promise<Answer>): Promise<MyTable[]> {
  const [{ tables, fitting: found }, { tables: played }] = await Promise.all([get<Tables>('/api/tables'), get<Tables>('/api/device-games')]);
  fitting = found;
  const listed = tables.map((table) => listedTable(table));
  const doubtful: MyTable[] = [];
  for (const table of listed) {
    const waiting = table.glance.waits_for.filter((seat) => !table.glance.seats[seat]?.level);
    const people = table.glance.seats.filter((seat) => seat.name && !seat.level);
    if (table.state !== 'running' || !waiting.length) continue;
    if (people.length === 1) table.yourTurn = true; // all other seats are computers
    else doubtful.push(table);
  }
  await Promise.all(
    doubtful.slice(0, ASKED).map(async (table) => {
      const { view } = await get<Look>(`/api/tables/${table.table}`);
      table.yourTurn = view.demand.seats.some((seat) => view.you.includes(seat));
    }),
  ).catch(() => undefined); // the list then shows no turn for them
  return [...listed, ...played.map((table) => ({ ...listedTable(table), joined: true }))].sort((one, other) => Number(other.yourTurn) - Number(one.yourTurn)); // the others stay in the order of the server: newest first
}
