/** The main button of the tray: its text and its effect follow from what the table waits for. */
import { knownGame } from '../lib/games.svelte';
import { t, type Key } from '../lib/messages.svelte';
import { assertNever, formatAction, gameName, parseGameId, readAction, readWord, type Action, type Keep, type OtherAction } from '../lib/notation';
import type { SeenAction, View } from '../lib/protocol';
import { called } from '../table/labels';

export type MainButton =
  | { kind: 'throw'; text: string }
  | { kind: 'keep'; text: string; action: string; possible: boolean }
  | { kind: 'result'; text: string }
  | { kind: 'pass'; text: string; action: string }
  | { kind: 'over'; text: string }
  | { kind: 'wait'; text: string };

const actionsOf = (view: View): (Action | OtherAction)[] => view.actions.map(({ action }) => readAction(gameName(view.game), action));

/** Return whether this page may keep dice and throw the others. */
export const mayKeep = (view: View): boolean => actionsOf(view).some(({ kind }) => kind === 'keep');
export const mayDeclare = (view: View): boolean => actionsOf(view).some((action) => action.kind === 'keep' && action.defi);
/**
 * Return whether this page may end the turn with a result: a token placed or removed, a cell
 * written.
 */
export const mayEnd = (view: View): boolean => actionsOf(view).some(({ kind }) => kind !== 'keep' && kind !== 'pass');

/** Return the action that ends the turn without a token, `undefined` where it is not legal. */
export const passOf = (view: View): SeenAction | undefined =>
  view.actions.find(({ action }) => readAction(gameName(view.game), action).kind === 'pass');

function resultKey(view: View): Key {
  const game = knownGame(view.game);
  switch (game) {
    case 'yam-master':
      return 'ui_tray_choose_square';
    case 'yamm':
      return 'ui_tray_choose_cell';
    case null:
      return 'ui_tray_choose_action';
    default:
      return assertNever(game);
  }
}

/**
 * Return the main button. `keep`: the chosen keep, if dice lie; `thrown`: the number of dice that
 * it throws.
 */
export function mainButton(view: View, keep: Keep | null, thrown: number): MainButton {
  const { turn, you, may, demand } = view;
  if (view.result) return { kind: 'over', text: t('ui_over_show') };
  if (turn && may.includes('throw')) {
    const own = you.includes(turn.seat);
    return { kind: 'throw', text: own ? t('ui_tray_first_throw') : t('ui_tray_let_throw', { name: called(view, turn.seat) }) };
  }
  if (keep && mayKeep(view)) {
    const action = formatAction(keep);
    const throwing = thrown === (turn?.dice.length ?? 0) ? t('ui_tray_throw_all') : t('ui_tray_throw_others', { count: thrown });
    const possible = view.actions.some((each) => each.action === action);
    const text = keep.defi ? t('ui_tray_with_defi', { throw: throwing }) : throwing;
    return { kind: 'keep', text: thrown ? text : t('ui_tray_throw_others', { count: 1 }), action, possible };
  }
  if (mayEnd(view)) return { kind: 'result', text: t(resultKey(view)) };
  const pass = passOf(view);
  if (pass) return { kind: 'pass', text: t('ui_tray_end_turn'), action: pass.action };
  const seat = demand.seats[0] ?? turn?.seat;
  if (demand.what === 'nothing' || demand.what === 'replacement' || seat === undefined) return { kind: 'wait', text: t('ui_tray_moment') };
  const writes = demand.what === 'action' && seat !== turn?.seat;
  return { kind: 'wait', text: t(writes ? 'ui_tray_writes' : 'ui_tray_waiting', { name: called(view, seat) }) };
}

/** Return whether a failed Défi costs the turn. */
export const costsDefi = (view: View): boolean => parseGameId(view.game).options['failed_defi'] !== 'ignored';

/**
 * Return the sentence under the dice: why an action is not possible, what a Défi means, what to do.
 */
export function hintOf(view: View, button: MainButton, defi: boolean, chosen: boolean): string {
  const ignored = !costsDefi(view);
  if (passOf(view)?.effect['defi_lost'] && !mayKeep(view)) return t('ui_tray_defi_lost');
  if (button.kind === 'pass') return t('ui_tray_nothing_fits');
  if (button.kind === 'keep' && !button.possible) return t('ui_tray_keep_fewer');
  if (defi) return t(ignored ? 'ui_tray_defi_means_ignored' : 'ui_tray_defi_means');
  if (view.turn?.defi) return ignored ? t('ui_tray_defi_means_ignored') : t('ui_tray_defi_holds');
  if (button.kind === 'keep' && !chosen) return t(matchMedia('(hover: hover)').matches ? 'ui_tray_tap_to_keep_keys' : 'ui_tray_tap_to_keep');
  return '';
}

/** Return the sentence about what the last decision of the running turn kept; empty where there was none. */
export function keptText(view: View): string {
  const kept = view.running.map((word) => readWord(gameName(view.game), word)).findLast((word) => word.kind === 'keep');
  if (!kept || !view.turn) return '';
  const name = called(view, view.turn.seat);
  return kept.dice.length ? t('ui_table_said_keeps', { name, dice: kept.dice.join(' ') }) : t('ui_table_said_keeps_none', { name });
}
