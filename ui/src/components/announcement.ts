/** The message of the host to everybody: shown once on each device until it is dismissed. */
import { mount, unmount } from 'svelte';
import { api } from '../lib/api';
import type { Announced } from '../lib/protocol';
import Announcement from './Announcement.svelte';

const STORAGE_KEY = 'dicecup-announcement';
let shown = '';
let remove: (() => void) | undefined;

function dismissed(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return ''; // storage is blocked
  }
}

/** Show the message with this number in place of the one before, none with an empty number. */
export async function show(number: string): Promise<void> {
  if (number === shown || (number && number === dismissed())) return;
  const before = shown;
  shown = number;
  const { announcement } = number ? await asked(before) : { announcement: null };
  if (shown !== number) return; // there is a later one by now
  remove?.();
  remove = undefined;
  if (!announcement) return;
  const component = mount(Announcement, { target: document.body, props: { texts: announcement.texts, dismiss } });
  remove = () => void unmount(component);
}

/** Ask for the message. After a failure the next answer of the server leads to it again. */
async function asked(before: string): Promise<Announced> {
  try {
    return await api<Announced>('/api/announcement');
  } catch (error) {
    shown = before;
    throw error;
  }
}

function dismiss(): void {
  remove?.();
  remove = undefined;
  try {
    localStorage.setItem(STORAGE_KEY, shown);
  } catch {
    // the message comes again with the next visit
  }
}
