/** Passkeys of the browser (WebAuthn): what the server asks for and what the authenticator answers. */
import { api, ApiError } from '../lib/api';
import { t } from '../lib/messages.svelte';
import type { PasskeyOptions } from '../lib/protocol';

/** The code of the error if the person gave up, or the authenticator has no passkey to give. */
export const NO_PASSKEY = 'no-passkey';

/** Return whether this page can have passkeys: they need https or localhost, and a host name. */
export const hasPasskeys = (): boolean =>
  isSecureContext && typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|:/.test(location.hostname);

/** Return whether the browser reads the options of the server. Browsers before 2025 may not. */
export const readsOptions = (): boolean => 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Make a passkey for this site. Throws `ApiError`, also if the person gave up. */
export async function createPasskey(handle: string): Promise<unknown> {
  const { options } = await api<PasskeyOptions>('/api/account/challenge', { body: { handle } });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
  return answer(navigator.credentials.create({ publicKey }), 'ui_account_passkey_not_made');
}

/** Sign in with a passkey of this site. Throws `ApiError`, also if the person gave up. */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await api<PasskeyOptions>('/api/sign-in/challenge', { method: 'POST' });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  await api('/api/sign-in/passkey', { body: { credential: await answer(navigator.credentials.get({ publicKey })) } });
}

async function answer(
  asked: Promise<Credential | null>,
  none: 'ui_account_passkey_none' | 'ui_account_passkey_not_made' = 'ui_account_passkey_none',
): Promise<unknown> {
  try {
    return ((await asked) as PublicKeyCredential).toJSON();
  } catch (error) {
    const known = error instanceof DOMException && error.name === 'InvalidStateError'; // the authenticator has one already
    throw new ApiError(t(known ? 'ui_account_passkey_known' : none), NO_PASSKEY, 0);
  }
}
