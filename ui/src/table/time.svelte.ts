/** The time of the page, and its formats. */
import { createSubscriber } from 'svelte/reactivity';
import { t } from '../lib/messages.svelte';

const eachSecond = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** Return the time of this device in seconds since 1970. Its readers are updated every second. */
export function ticking(): number {
  eachSecond();
  return Date.now() / 1000;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Return a length of time in seconds as a clock shows it: 4:05, 1:04:05, 2 d 3 h. */
export function clockFace(length: number): string {
  const seconds = Math.max(0, Math.ceil(length));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return t('ui_table_days_hours', { days, hours });
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/** Return a length of time in seconds, rounded: 40 s, 3 min, 2 h 5 min. */
export function roundedTime(length: number): string {
  const seconds = Math.max(0, Math.round(length));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return t('ui_table_days_hours', { days, hours });
  if (hours) return t(minutes ? 'ui_table_hours_minutes' : 'ui_table_hours', { hours, minutes });
  return minutes ? t('ui_table_minutes', { minutes }) : t('ui_table_seconds', { seconds });
}
