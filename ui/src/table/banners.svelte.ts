/** The banners over a running game. They can be folded away to one button in the header. */
import { createContext } from 'svelte';

export class Banners {
  count = $state(0);
  folded = $state(false);
  #last = 0;

  /** Return the place of a new banner: it is below the others, so that it moves none. */
  next = (): number => ++this.#last;

  /** Count a banner that appears, and unfold. Return a function for its end. */
  add(): () => void {
    this.count++;
    this.folded = false;
    return () => void this.count--;
  }
}

export const [getBanners, setBanners] = createContext<Banners>();
