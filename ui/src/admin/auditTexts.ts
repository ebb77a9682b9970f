/** The names of what administrators do, and how it ended. */
import { has, t } from '../lib/messages.svelte';

/** Return the text of a command; one of another version is shown as it is. */
export function actionText(command: string): string {
  const key = `ui_admin_action_${command.replace('-', '_')}`;
  return has(key) ? t(key) : command;
}

export const outcomeText = (outcome: string): string =>
  outcome === 'done' || outcome === 'unchanged' ? t(`ui_admin_outcome_${outcome}`) : t('ui_admin_outcome_refused', { code: outcome });
