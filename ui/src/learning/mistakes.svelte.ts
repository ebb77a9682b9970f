/**
 * Cards of the user's own mistakes, and the answers to them. The portions of today and of the next
 * days are stored on this device, and answers wait here until the server has them, so that both work
 * without a connection. The server decides which cards are asked and what is right.
 */
import { ApiError, api } from '../lib/api';
import type { AnsweredMistakes, MistakeCard, MistakeTheme, Mistakes, Question, Verdict } from '../lib/protocol';
import type { Analysis } from './analysisTypes';

interface Answer {
  card: string;
  day: number;
  played: string;
  seconds: number;
}

const PLACE = 'dicecup-mistakes';
const CACHE = 'dicecup-mistakes';
const DAY = 86_400_000;
const MINUTE = 60_000;
/** Days of which the portion is stored in advance. */
const AHEAD = 3;
/** Answers of one request. */
const MOST_SENT = 100;

/** Return the day in the time zone of this device, counted from 1970. */
export function today(): number {
  const now = new Date();
  return Math.floor((now.getTime() - now.getTimezoneOffset() * MINUTE) / DAY);
}

function waiting(): Answer[] {
  try {
    const held = JSON.parse(localStorage.getItem(PLACE) ?? '[]') as unknown;
    return Array.isArray(held) ? (held as Answer[]) : [];
  } catch {
    return []; // storage is blocked or damaged
  }
}

function keep(answers: readonly Answer[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(answers));
  } catch {
    // private window: only answers that are sent at once count
  }
}

const isOffline = (error: unknown): boolean => error instanceof ApiError && error.code === 'no-connection';

/** Send the answers that wait. Throws `ApiError`; then they wait on. */
async function send(): Promise<void> {
  for (let held = waiting(); held.length; held = waiting()) {
    const answers = held.slice(0, MOST_SENT);
    await api<AnsweredMistakes>('/api/mistakes/answers', { body: { answers } });
    keep(waiting().slice(answers.length));
  }
}

const address = (day: number): string => `/api/mistakes?day=${day}`;

const stored = async (): Promise<Cache | null> => (typeof caches === 'undefined' ? null : caches.open(CACHE).catch(() => null));

async function store(day: number, found: Mistakes): Promise<void> {
  await (await stored())?.put(address(day), Response.json(found)).catch(() => undefined); // no room
}

/** Return the stored portion of a day without the cards that were answered since. */
async function storedOf(day: number): Promise<Mistakes | null> {
  const held = await (await stored())?.match(address(day));
  if (!held) return null;
  const found = (await held.json()) as Mistakes;
  const done = new Set(waiting().filter((answer) => answer.day === day).map(({ card }) => card));
  return { ...found, cards: found.cards.filter(({ id }) => !done.has(id)), answered: found.answered + done.size, waiting: 0 };
}

export interface Loaded {
  mistakes: Mistakes;
  /** Whether it comes from this device, because the server does not answer. */
  offline: boolean;
}

/** Return what is to be practised today. Throws `ApiError` where neither server nor device has it. */
export async function loadMistakes(): Promise<Loaded> {
  const day = today();
  try {
    await send();
    const mistakes = await api<Mistakes>(address(day));
    if (!mistakes.waiting) await store(day, mistakes);
    return { mistakes, offline: false };
  } catch (error) {
    const held = isOffline(error) ? await storedOf(day) : null;
    if (!held) throw error;
    return { mistakes: held, offline: true };
  }
}

/**
 * Store the portions of the next days and what a question loads when it is touched, and forget the
 * portions of days that are over.
 */
export async function loadAhead(): Promise<void> {
  const cache = await stored();
  if (!cache) return;
  void import('../yamm/Lens.svelte').catch(() => undefined);
  const wanted = Array.from({ length: AHEAD }, (_, at) => today() + 1 + at);
  for (const day of wanted) await store(day, await api<Mistakes>(address(day)));
  const known = new Set([today(), ...wanted].map((day) => new URL(address(day), location.origin).href));
  for (const { url } of await cache.keys()) if (!known.has(url)) await cache.delete(url);
}

/** Return the cards of a theme of a game, due or not. Throws `ApiError`. */
export const loadDrill = (game: string, theme: string): Promise<Mistakes> =>
  api<Mistakes>(`/api/mistakes?day=${today()}&game=${game}&theme=${theme}`);

/** Remove a card: its decision is not asked again. Throws `ApiError`. */
export const removeCard = (card: string): Promise<void> => api(`/api/mistakes/cards/${encodeURIComponent(card)}`, { method: 'DELETE' });

const NUMBERS = 2 ** 31;
const seed = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('');
let number = Math.floor(Math.random() * (NUMBERS / 2));

/** Return a question about a theme, made by the computer. Throws `ApiError`. */
export const makeQuestion = ({ game, theme }: MistakeTheme): Promise<Question> =>
  api<Question>('/api/questions', { body: { game, theme, seed, number: ++number % NUMBERS } });

/** Keep an answer and send it, as soon as there is a connection. */
export async function giveAnswer(card: string, played: string, seconds: number): Promise<void> {
  keep([...waiting(), { card, day: today(), played, seconds: Math.min(seconds, 3600) }]);
  await send().catch(() => undefined); // it waits
}

/** Return the verdict on an answer from what the card says, without reasons. */
export function verdictOf(card: MistakeCard, played: string): Verdict {
  const [best = ''] = Object.keys(card.losses);
  const analysis: Partial<Analysis> = { unit: card.unit, choices: [] };
  return {
    right: card.right.includes(played),
    loss: card.losses[played] ?? 0,
    best,
    next_difficulty: 1,
    analysis: analysis as Verdict['analysis'],
  };
}
