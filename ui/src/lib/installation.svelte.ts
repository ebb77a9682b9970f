/**
 * Installation of the page as a program, where the browser offers it. Browsers offer it on https
 * only.
 */
interface Offer extends Event {
  prompt(): Promise<unknown>;
}

let offer = $state.raw<Offer | null>(null);

export const canInstall = (): boolean => offer !== null;

/** Show the offer of the browser once. */
export function install(): void {
  void offer?.prompt();
  offer = null;
}

/** Start to listen for the offer of the browser. Called once, when the page starts. */
export function watchOffers(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // prevents the banner of the browser
    offer = event as Offer;
  });
  addEventListener('appinstalled', () => (offer = null));
}
