/** Words for the starting roll and the lot. */
import { t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { called, isolate, shortNameOf } from '../table/labels';

/** Return the sentence about the first player; empty where no die decided. */
export function startingSentence(view: View): string {
  const { starting, order } = view;
  if (!starting) return '';
  const own = view.you.length === 1 ? view.you[0] : view.you.find((seat) => view.seats[seat]?.name === t('ui_start_me'));
  // With a computer alone its level is enough; the sentence has two lines on a phone.
  const nameAt = (seat?: number): string => (view.seats.length === 2 && seat !== undefined ? isolate(shortNameOf(view.seats[seat])) : called(view, seat));
  const name = nameAt(order[0]);
  const mine = own !== undefined && order[0] === own;
  if (starting.lot !== null) return t(mine ? 'ui_tray_lot_shows_you' : 'ui_tray_lot_shows', { face: starting.lot, name });
  const [first, ...repeated] = starting.rounds;
  if (!first) return '';
  const named = first.map((face, seat) => `${seat === own ? t('ui_table_you') : nameAt(seat)} ${face}`).join(', ');
  const faces = repeated.reduce((before, round) => t('ui_tray_roll_again', { before, faces: round.join(' ') }), named);
  return order.length ? t(mine ? 'ui_tray_roll_shows_you' : 'ui_tray_roll_shows', { faces, name }) : t('ui_tray_roll_so_far', { faces });
}
