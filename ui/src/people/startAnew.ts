import { set } from '../lib/settings.svelte';

/** Leave the page as a new person: what it knows of the earlier person goes. */
export function startAnew(): void {
  set({ name: '' });
  try {
    localStorage.removeItem('dicecup-tables');
  } catch {
    // storage is blocked
  }
  location.assign('/');
}
