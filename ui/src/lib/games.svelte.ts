/**
 * The games of the server as `GET /api/games` describes them: options, levels, numbers of
 * players. The list is fetched once; the list of the last visit is used until the answer comes, and
 * without a connection.
 */
import { api, DEVICE } from './api';
import { has, t } from './messages.svelte';
import { assertNever, gameName, isKnownGame, type KnownGame } from './notation';
import type { GameDescription, GameOption, Games } from './protocol';

export type { GameDescription, GameOption };

const STORAGE_KEY = 'dicecup-games';
/** Milliseconds until the server is asked again which levels are ready. */
const AGAIN = 2_000;
let list = $state.raw<GameDescription[]>(stored());
let request: Promise<GameDescription[]> | undefined;

function stored(): GameDescription[] {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Games | null)?.games ?? [];
  } catch {
    return []; // storage is blocked or damaged
  }
}

/** Return the games as far as they are known now; empty on a first visit until the answer comes. */
export const listedGames = (): readonly GameDescription[] => list;

/**
 * Fetch the list once. The next call after a failure asks again. Throws `ApiError` where no list is
 * known.
 */
export function loadGames(): Promise<GameDescription[]> {
  request ??= fetchGames().catch((error: unknown) => {
    request = undefined;
    if (list.length) return list;
    throw error;
  });
  return request;
}

async function fetchGames(): Promise<GameDescription[]> {
  const { games } = await api<Games>('/api/games');
  list = games;
  if (games.some(({ preparing }) => preparing?.length)) setTimeout(() => void fetchGames().catch(() => undefined), AGAIN);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ games: games.map((game) => ({ ...game, preparing: [] })) }));
  } catch {
    // private window or full storage: the next visit asks again
  }
  return games;
}

/**
 * Return the description of a game, `undefined` where the server does not have it. Throws
 * `ApiError`.
 */
export const gameOf = async (name: string): Promise<GameDescription | undefined> =>
  (await loadGames()).find(({ id }) => id === name);

/** The games as this device describes them, with the levels that play on it. */
let onDevice = $state.raw<GameDescription[]>([]);

/** Return the description of a game on this device. Throws `ApiError` where nothing can be played on it. */
export async function deviceGameOf(name: string): Promise<GameDescription | undefined> {
  if (!onDevice.length) onDevice = (await api<Games>(`${DEVICE}/api/games`)).games;
  return onDevice.find(({ id }) => id === name);
}

/** Return the levels at which computers play a game on this device; empty until they are known. */
export const deviceLevelsOf = (id: string): readonly string[] => onDevice.find((game) => game.id === gameName(id))?.levels ?? [];

/** Return whether this device reviews a game; `false` until that is known. */
export const isReviewedHere = (id: string): boolean => onDevice.find((game) => game.id === gameName(id))?.analysed === true;

/** Return what the server says about the game of a game id, `undefined` until the list is known. */
export const descriptionOf = (id: string): GameDescription | undefined => list.find((game) => game.id === gameName(id));

/** Return the levels at which computers play a game; empty until the list is known. */
export const levelsOf = (id: string): readonly string[] => descriptionOf(id)?.levels ?? [];

/**
 * Return whether the server still prepares a level of a game. A game can begin; the computer plays
 * when it is ready.
 */
export const isPreparing = (id: string, level: string): boolean => descriptionOf(id)?.preparing?.includes(level) ?? false;

/** Return the level that is chosen at first: the one that suits most people, else the strongest. */
export const usualLevel = (levels: readonly string[]): string => (levels.includes('club') ? 'club' : (levels.at(-1) ?? 'club'));

/** Return the known game of a game id, `null` for any other game. */
export function knownGame(id: string): KnownGame | null {
  const name = gameName(id);
  return isKnownGame(name) ? name : null;
}

/** Return what people call a game; an unknown game is called by its name in game ids. */
export function gameTitle(id: string): string {
  const game = knownGame(id);
  switch (game) {
    case 'yam-master':
      return t('game_yam_master');
    case 'yamm':
      return t('game_yamm');
    case null:
      return gameName(id);
    default:
      return assertNever(game);
  }
}

/** Return a text of the catalogue, or the raw name where the catalogue has none. */
const textOr = (key: string, name: string): string => (has(key) ? t(key) : name);

export const optionName = ({ text_key: key, name }: GameOption): string => textOr(key, name);
export const optionValueName = ({ text_key: key }: GameOption, value: string): string => textOr(`${key}_${value}`, value);
