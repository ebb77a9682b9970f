/** The messages between a page and its worker with the rooms in Python. */
import type { Obstacle } from './files';

export type ToWorker =
  | { kind: 'ask'; id: number; method: string; path: string; body: string; language: string }
  | { kind: 'open'; connection: number; table: string; language: string }
  | { kind: 'text'; connection: number; text: string }
  | { kind: 'close'; connection: number };

export type FromWorker =
  | { kind: 'progress'; sent: number; all: number }
  | { kind: 'ready' }
  /** Every table is on the device (`whole`), or some could not be loaded. */
  | { kind: 'tables'; whole: boolean }
  | { kind: 'obstacle'; obstacle: Obstacle }
  | { kind: 'answer'; id: number; text: string }
  | { kind: 'text'; connection: number; text: string }
  | { kind: 'closed'; connection: number; code: number };
