/**
 * Playing without a server: this page's worker, requests to it, and connections to the tables on
 * this device. The worker starts at the first use.
 */
import { ApiError } from '../lib/api';
import { language, t } from '../lib/messages.svelte';
import type { Socket } from '../lib/table.svelte';
import type { Obstacle } from './files';
import type { FromWorker, ToWorker } from './protocol';
import { markUsed } from './used';

type Stage = 'asleep' | 'starting' | 'ready' | 'stopped';

let stage = $state<Stage>('asleep');
let sent = $state(0);
let all = $state(0);
let whole = $state<boolean | null>(null);
let obstacle = $state<Obstacle | null>(null);
let worker: Worker | undefined;
let ready: Promise<void> | undefined;
let counter = 0;
const pending = new Map<number, { resolve: (text: string) => void; reject: (error: ApiError) => void }>();
const connections = new Map<number, DeviceConnection>();

export const deviceStage = (): Stage => stage;
/** Return the bytes that were loaded and the bytes to load; 0 of 0 where nothing has to be loaded. */
export const deviceProgress = (): { sent: number; all: number } => ({ sent, all });
/** Return whether all tables are on the device; `null` while they are loaded. */
export const deviceIsWhole = (): boolean | null => whole;
/** Return why nothing can be played here, as a sentence; empty where it can. */
export const deviceObstacle = (): string => (obstacle ? obstacleSentence(obstacle) : '');

function obstacleSentence(why: Obstacle): string {
  switch (why) {
    case 'insecure':
      return t('ui_device_insecure');
    case 'no-wasm':
      return t('ui_device_no_wasm');
    case 'no-storage':
      return t('ui_device_no_storage');
    case 'full':
      return t('ui_device_full');
    case 'no-files':
      return t('ui_device_no_files');
    case 'damaged':
      return t('ui_device_damaged');
    case 'outdated':
      return t('ui_device_outdated');
    case 'failed':
      return t('ui_device_failed');
  }
}

/** Return whether the page has to be loaded anew before anything can be played here. */
export const isOutdated = (): boolean => obstacle === 'outdated';

/** Start the worker. A later call after a failure tries again. Throws `ApiError`. */
export function startDevice(): Promise<void> {
  ready ??= new Promise<void>((resolve, reject) => {
    stage = 'starting';
    obstacle = null;
    sent = all = 0;
    whole = null;
    const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'pythonWorker' });
    worker = started;
    const stop = (why: Obstacle): void => {
      started.terminate();
      stage = 'stopped';
      obstacle = why;
      worker = ready = undefined;
      const error = new ApiError(obstacleSentence(why), why, 0);
      for (const { reject: refuse } of pending.values()) refuse(error);
      pending.clear();
      for (const connection of [...connections.values()]) connection.lost(error);
      reject(error);
    };
    started.onerror = () => stop('failed');
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker !== started) return; // it was stopped
      switch (data.kind) {
        case 'progress':
          ({ sent, all } = data);
          break;
        case 'ready':
          stage = 'ready';
          sent = all = 0;
          markUsed();
          resolve();
          break;
        case 'tables':
          whole = data.whole;
          break;
        case 'obstacle':
          stop(data.obstacle);
          break;
        case 'answer':
          pending.get(data.id)?.resolve(data.text);
          pending.delete(data.id);
          break;
        case 'text':
          connections.get(data.connection)?.receive(data.text);
          break;
        case 'closed':
          connections.get(data.connection)?.closed(data.code);
      }
    };
  });
  return ready;
}

const post = (message: ToWorker): void => worker?.postMessage(message);

/** Answer a request as a server would. Throws `ApiError` where the device cannot. */
export async function askDevice(path: string, method: string, body: unknown): Promise<Response> {
  await startDevice();
  const id = ++counter;
  const text = await new Promise<string>((resolve, reject) => {
    pending.set(id, { resolve, reject });
    post({ kind: 'ask', id, method, path, body: body === undefined ? '' : JSON.stringify(body), language: language() });
  });
  const answer = JSON.parse(text) as { status: number; text?: string; json?: unknown };
  return new Response(answer.text ?? JSON.stringify(answer.json), { status: answer.status });
}

/** A connection to a table on this device, with the part of `WebSocket` that tables use. */
export class DeviceConnection implements Socket {
  readyState: number = WebSocket.CONNECTING;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  #number = ++counter;

  constructor(table: string) {
    connections.set(this.#number, this);
    startDevice().then(
      () => {
        if (!connections.has(this.#number)) return;
        this.readyState = WebSocket.OPEN;
        post({ kind: 'open', connection: this.#number, table, language: language() });
        this.onopen?.(new Event('open'));
      },
      () => undefined, // `lost` was called
    );
  }

  send(text: string): void {
    post({ kind: 'text', connection: this.#number, text });
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) post({ kind: 'close', connection: this.#number });
    this.#end();
  }

  receive(data: string): void {
    this.onmessage?.({ data });
  }

  closed(code: number): void {
    this.#end();
    this.onclose?.({ code });
  }

  /** End with the reason why nothing can be played here. */
  lost({ code, message }: ApiError): void {
    this.receive(JSON.stringify({ type: 'refused', id: null, error: { code, message, details: {} } }));
    this.closed(UNAVAILABLE);
  }

  #end(): void {
    this.readyState = WebSocket.CLOSED;
    connections.delete(this.#number);
  }
}

/** The close code after which a table does not try again: no such table. */
const UNAVAILABLE = 4404;
