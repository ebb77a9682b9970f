/** One's tables as the server lists them, and whose turn it is at each. */
import type { Look, Summary, Tables } from '../lib/protocol';

/** What `summary` holds (hosting/digest.py). */
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
}

/** So many tables are asked whose turn it is, where the list alone cannot tell. */
const ASKED = 12;

export async function myTables(get: <Answer>(path: string) => Promise<Answer>): Promise<MyTable[]> {
  const { tables } = await get<Tables>('/api/tables');
  const listed = tables.map(({ summary, ...table }): MyTable => ({ ...table, glance: summary as unknown as Glance, yourTurn: false }));
  const doubtful: MyTable[] = [];
  for (const table of listed) {
    const waiting = table.glance.waits_for.filter((seat) => !table.glance.seats[seat]?.level);
    const people = table.glance.seats.filter((seat) => seat.name && !seat.level);
    if (table.state !== 'running' || !waiting.length) continue;
    if (people.length === 1) table.yourTurn = true; // whoever else sits there is a computer
    else doubtful.push(table);
  }
  await Promise.all(
    doubtful.slice(0, ASKED).map(async (table) => {
      const { view } = await get<Look>(`/api/tables/${table.table}`);
      table.yourTurn = view.demand.seats.some((seat) => view.you.includes(seat));
    }),
  ).catch(() => undefined); // the list is good enough without it
  return listed.sort((one, other) => Number(other.yourTurn) - Number(one.yourTurn)); // else the newest first, as they come
}
