/** The names of what administrators do, and how it ended. */
import { t, type Key } from '../lib/messages.svelte';

/** Commands with a text; a command of another version is shown as it is. */
const COMMANDS = new Set(
  (
    'admit announce backup ban block close delete forget-mail free grant link new-key ratings rebuild resolve restore ' +
    'restored revoke-admin rotate shut unban unblock unrate watch withdraw'
  ).split(' '),
);

export const actionText = (command: string): string =>
  COMMANDS.has(command) ? t(`ui_admin_action_${command.replace('-', '_')}` as Key) : command;

export const outcomeText = (outcome: string): string =>
  outcome === 'done' || outcome === 'unchanged' ? t(`ui_admin_outcome_${outcome}`) : t('ui_admin_outcome_refused', { code: outcome });
