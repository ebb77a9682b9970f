/** The answers given on this device. They are stored on this device. */
import { isKnownGame, KNOWN_GAMES, type KnownGame } from '../lib/notation';

export interface Given {
  /** Milliseconds since 1970. */
  time: number;
  game: KnownGame;
  difficulty: number;
  right: boolean;
  loss: number;
}
export interface Score {
  answers: number;
  right: number;
  loss: number;
}

const PLACE = 'dicecup-training';
const MOST = 1000;
/** The number of last answers that count as recent, as in `dicecup train-me`. */
export const RECENT = 20;
export const DIFFICULTIES = 5;

interface Kept {
  answers: Given[];
  /** By game the difficulty of the next question. */
  next: Partial<Record<KnownGame, number>>;
  game: KnownGame;
}

function stored(): Kept {
  try {
    const held = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Kept>;
    const answers = Array.isArray(held.answers) ? held.answers.filter(isAnswer) : [];
    return { answers, next: held.next ?? {}, game: isKnownGame(held.game ?? '') ? held.game! : KNOWN_GAMES[0] };
  } catch {
    return { answers: [], next: {}, game: KNOWN_GAMES[0] }; // storage is blocked or damaged
  }
}

const isAnswer = (stored: Partial<Given> | null): boolean =>
  typeof stored?.time === 'number' && typeof stored.difficulty === 'number' && typeof stored.loss === 'number' && typeof stored.right === 'boolean';

export const training: Kept = $state(stored());

function store(): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(training));
  } catch {
    // private window: the answers last until the page is closed
  }
}

export const answersTo = (game: KnownGame): Given[] => training.answers.filter((answer) => answer.game === game);

export const nextDifficulty = (game: KnownGame): number => Math.min(Math.max(Math.round(training.next[game] ?? 1), 1), DIFFICULTIES);

/** Store an answer, and the difficulty of the next question of its game. */
export function addAnswer(answer: Given, next: number): void {
  training.answers = [...training.answers, answer].slice(-MOST);
  training.next = { ...training.next, [answer.game]: next };
  store();
}

export function chooseGame(game: KnownGame): void {
  training.game = game;
  store();
}

export function forgetAnswers(): void {
  training.answers = [];
  training.next = {};
  store();
}

export function scoreOf(answers: readonly Given[]): Score {
  const right = answers.filter((answer) => answer.right).length;
  const loss = answers.reduce((sum, answer) => sum + answer.loss, 0) / (answers.length || 1);
  return { answers: answers.length, right, loss };
}
