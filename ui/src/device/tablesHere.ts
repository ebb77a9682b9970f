/** The tables on this device, for lists; Python need not run for it. */
import { ApiError } from '../lib/api';
import { t } from '../lib/messages.svelte';
import type { Summary } from '../lib/protocol';
import type { MyTable } from '../start/tables';
import { BrowserStore } from './browserStore';

/** Return the tables on this device. Throws `ApiError` where nothing can be read. */
export async function tablesHere(): Promise<MyTable[]> {
  const lines = JSON.parse(await new BrowserStore().lines()) as string[] | { refused: string };
  if (!Array.isArray(lines)) throw new ApiError(t('ui_device_unreadable'), lines.refused, 0);
  return lines.map((line) => {
    const { summary, ...table } = JSON.parse(line) as Summary;
    const glance = summary as unknown as MyTable['glance'];
    const yourTurn = table.state === 'running' && glance.waits_for.some((seat) => table.you.includes(seat));
    return { ...table, glance, yourTurn, onDevice: true };
  });
}
