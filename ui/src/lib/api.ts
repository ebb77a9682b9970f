/**
 * Requests to the server. A refusal is an `ApiError` with a sentence for people and a code for
 * programs.
 */
import { wasUsed } from '../device/used';
import { language, t } from './messages.svelte';
import { go } from './router.svelte';

export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

let announced = '';

/** Show the message of the host with this number, unless it was shown before; none if it is empty. */
export function announce(number: string): void {
  if (number === announced) return;
  announced = number;
  void import('../components/announcement').then(({ show }) => show(number)).catch(() => (announced = ''));
}

interface Options {
  method?: string;
  body?: unknown;
  /** The key of a link, for people without a seat at the table. */
  key?: string | undefined;
  signal?: AbortSignal;
}

/** Lead to the account page, and back, if a server that requires accounts refused something. */
export function leadToAccount(code: string): void {
  if (code === 'account-needed') go(`/account?to=${encodeURIComponent(location.pathname + location.search + location.hash)}`);
}

/** Before an address: the request is answered on this device (device/device.svelte.ts). */
export const DEVICE = '/device';
/** Addresses whose answers depend on no table: without a connection this device answers, too. */
const STATELESS = /^\/api\/(odds|analysis|review|show|starts|questions(\/answer)?|guides\/.+)$/;

const askDevice = async (path: string, method: string, body: unknown): Promise<Response> =>
  (await import('../device/device.svelte')).askDevice(path, method, body);

async function request(path: string, { method, body, key, signal }: Options): Promise<Response> {
  const headers: Record<string, string> = { 'Accept-Language': language() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key) headers['Dicecup-Key'] = key;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  let answer: Response;
  try {
    answer = path.startsWith(DEVICE) ? await askDevice(path.slice(DEVICE.length), verb, body) : await fetch(path, {
      method: verb,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) throw error;
    if (wasUsed() && STATELESS.test(path)) return request(DEVICE + path, { method: verb, body });
    throw new ApiError(t('ui_no_connection'), 'no-connection', 0);
  }
  if (answer.ok) {
    if (path.startsWith('/api/')) announce(answer.headers.get('Dicecup-Announcement') ?? '');
    return answer;
  }
  const refusal = (await answer.json().catch(() => null)) as { error?: { code: string; message: string; details: object } } | null;
  if (!refusal?.error) throw new ApiError(t('ui_server_trouble'), 'no-answer', answer.status);
  leadToAccount(refusal.error.code);
  throw new ApiError(refusal.error.message, refusal.error.code, answer.status, { ...refusal.error.details });
}

/**
 * Return the answer as JSON. A request with a body is a POST, one without a GET, unless `method`
 * says otherwise.
 */
export async function api<Answer>(path: string, options: Options = {}): Promise<Answer> {
  const answer = await request(path, options);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

/** Return the answer as text. */
export const apiText = async (path: string, options: Options = {}): Promise<string> => (await request(path, options)).text();

/** Return the answer as a file. */
export const apiBlob = async (path: string, options: Options = {}): Promise<Blob> => (await request(path, options)).blob();

/** Return the sentence for an error. */
export const sentence = (error: unknown): string => (error instanceof ApiError ? error.message : t('ui_something_went_wrong'));

/** Let the browser download a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
