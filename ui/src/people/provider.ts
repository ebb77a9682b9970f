/**
 * Signing in with the provider of the server: the page goes there, comes back to `/sign-in`, and
 * has a ticket then. What it began stays in its tab, so that no other page can go on.
 */
import { api } from '../lib/api';
import type { BegunSignIn, ProvedLogin, ProviderTicket } from '../lib/protocol';

const KEY = 'dicecup-provider';

export interface Begun {
  /** The secret with which the server knows this tab again. */
  page: string;
  provider: string;
  /** The handle of the account to which the login is added; empty to sign in. */
  account: string;
  /** Where the user was before, a path of this site. */
  back: string;
}

/** Leave for the provider. Throws `ApiError`. */
export async function goToProvider(provider: string, { account = '', back = '' } = {}): Promise<void> {
  const { url, page } = await api<BegunSignIn>('/api/provider/begin', { method: 'POST' });
  sessionStorage.setItem(KEY, JSON.stringify({ page, provider, account, back } satisfies Begun));
  location.assign(url);
}

/** Return what this tab began, once. */
export function takeBegun(): Begun | null {
  try {
    const stored = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return JSON.parse(stored ?? 'null') as Begun | null;
  } catch {
    return null;
  }
}

/** Return the login that an answer of the provider proves. Throws `ApiError`. */
export const prove = (answer: URLSearchParams, { page }: Begun): Promise<ProvedLogin> =>
  api<ProvedLogin>('/api/provider/finish', {
    body: { code: answer.get('code') ?? '', state: answer.get('state') ?? '', iss: answer.get('iss'), page },
  });

/** Use a ticket up. Throws `ApiError`. */
export const use = (place: string, ticket: ProviderTicket): Promise<void> =>
  api(place, { body: ticket });

/** Return whether a text is the path of a page of this site. */
export const isPath = (text: string): boolean => /^\/(?![\/\\])/.test(text);
