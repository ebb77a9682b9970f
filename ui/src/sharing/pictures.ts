/** Pictures of the server, which the device shares, or else saves. */
import { apiBlob, save } from '../lib/api';

const sample = (type: string): File[] => [new File([], 'dicecup', { type })];

/** Return whether the device shares files of a type. */
export const sharesFiles = (type: string): boolean => typeof navigator.canShare === 'function' && navigator.canShare({ files: sample(type) });

/**
 * Return the path of an address of the server, which may be known under another name than that in
 * the address of the page.
 */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Share a picture, or save it where the device shares none. Nothing happens if the user closes the share sheet. */
export async function shareOrSave(address: string, name: string): Promise<void> {
  const blob = await apiBlob(pathOf(address));
  if (!sharesFiles(blob.type)) return save(blob, name);
  await navigator.share({ files: [new File([blob], name, { type: blob.type })] }).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) save(blob, name);
  });
}
