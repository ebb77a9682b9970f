/** What the big button of the tray says and does: what the table waits for, as the view tells it. */
import { t } from '../lib/messages.svelte';
import type { View } from '../lib/protocol';
import { called } from '../table/words';

export type Asked =
  | { kind: 'throw'; text: string }
  | { kind: 'keep'; text: string; action: string; possible: boolean }
  | { kind: 'result'; text: string }
  | { kind: 'pass'; text: string }
  | { kind: 'wait'; text: string };

const isKeep = ({ action }: View['actions'][number]): boolean => /^!?k/.test(action);
export const PASS = '--';

/** Whether dice can be kept and the others thrown by whoever looks. */
export const mayKeep = (view: View): boolean => view.actions.some(isKeep);
export const mayPass = (view: View): boolean => view.actions.some(({ action }) => action === PASS);
export const mayDeclare = (view: View): boolean => view.actions.some(({ action }) => action.startsWith('!'));
/** Whether something can come of the dice as they lie: a token placed or taken, a cell written. */
export const mayEnd = (view: View): boolean => view.actions.some((each) => !isKeep(each) && each.action !== PASS);

/** `action`: the keep that is chosen; `thrown`: how many dice it throws. */
export function askedOf(view: View, action: string, thrown: number): Asked {
  const { turn, you, may, demand } = view;
  if (turn && may.includes('throw')) {
    const own = you.includes(turn.seat);
    return { kind: 'throw', text: own ? t('ui_tray_first_throw') : t('ui_tray_let_throw', { name: called(view, turn.seat) }) };
  }
  if (mayKeep(view)) {
    const throwing = thrown === (turn?.dice.length ?? 0) ? t('ui_tray_throw_all') : t('ui_tray_throw_others', { count: thrown });
    const possible = view.actions.some((each) => each.action === action);
    const text = action.startsWith('!') ? t('ui_tray_with_defi', { throw: throwing }) : throwing;
    return { kind: 'keep', text: thrown ? text : t('ui_tray_throw_others', { count: 1 }), action, possible };
  }
  if (mayEnd(view)) return { kind: 'result', text: view.board ? t('ui_tray_choose_square') : t('ui_tray_choose_cell') };
  if (mayPass(view)) return { kind: 'pass', text: t('ui_tray_end_turn') };
  const seat = demand.seats[0] ?? turn?.seat;
  if (demand.what === 'nothing' || seat === undefined) return { kind: 'wait', text: t('ui_tray_moment') };
  const writes = demand.what === 'action' && seat !== turn?.seat;
  return { kind: 'wait', text: t(writes ? 'ui_tray_writes' : 'ui_tray_waiting', { name: called(view, seat) }) };
}

/** A sentence under the dice: why something can't be done, what a Défi means, what is to be done. */
export function hintOf(view: View, asked: Asked, defi: boolean, chosen: boolean): string {
  const pass = view.actions.find(({ action }) => action === PASS);
  if (pass?.effect['defi_lost'] && !mayKeep(view)) return t('ui_tray_defi_lost');
  if (asked.kind === 'pass') return t('ui_tray_nothing_fits');
  if (asked.kind === 'keep' && !asked.possible) return t('ui_tray_keep_fewer');
  if (defi) return t(view.game.includes('failed_defi=ignored') ? 'ui_tray_defi_means_ignored' : 'ui_tray_defi_means');
  if (view.turn?.defi) return view.game.includes('failed_defi=ignored') ? t('ui_tray_defi_means_ignored') : t('ui_tray_defi_holds');
  if (asked.kind === 'keep' && !chosen) return t('ui_tray_tap_to_keep');
  return '';
}
