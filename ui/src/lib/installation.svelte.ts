/** The page as a program of the device, where the browser offers that: not all of them say so, and none over plain http. */
interface Offer extends Event {
  prompt(): Promise<unknown>;
}

let offer = $state.raw<Offer | null>(null);

export const canInstall = (): boolean => offer !== null;

/** Asks once; whoever declines finds it in the browser's own menu. */
export function install(): void {
  void offer?.prompt();
  offer = null;
}

/** Once, when the page begins. */
export function watchOffers(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // no banner over the board
    offer = event as Offer;
  });
  addEventListener('appinstalled', () => (offer = null));
}
