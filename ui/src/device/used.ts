/** Whether this device has played without a server, so that it can do so again without loading. */

const PLACE = 'dicecup-device';

export function markUsed(): void {
  try {
    localStorage.setItem(PLACE, '1');
  } catch {
    // private window: the list of games does not show those of this device
  }
}

export function wasUsed(): boolean {
  try {
    return localStorage.getItem(PLACE) !== null;
  } catch {
    return false;
  }
}
