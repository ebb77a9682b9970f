/**
 * Return the address of a request that changes an account. It changes none if the browser is signed
 * in to another one by now, as another tab may have done.
 */
export const ofAccount = ({ handle }: { handle: string }, part = ''): string =>
  `/api/account${part}?handle=${encodeURIComponent(handle)}`;
