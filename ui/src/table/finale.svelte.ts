/**
 * The end of a game as it is played out: the screen of the game shows what decided it, then the
 * panel with the result opens.
 */
import { getContext, setContext } from 'svelte';
import { play, type SoundName } from '../lib/sounds';
import { moves, settings } from '../lib/settings.svelte';

/** What a screen shows before the panel opens. `end` shows all of it at once. */
export interface FinalScene {
  start: () => Promise<void>;
  end: () => void;
}

const PLACE = Symbol('finale');

export class Finale {
  /** Whether the panel with the result is open. */
  open = $state(false);
  /** Whether the screen still shows what decided the game. */
  playing = $state(false);
  /** Whether the user has just won, and motion is allowed. */
  celebrates = $state(false);
  /** Whether the user has opened the panel, rather than the end of the game. */
  asked = false;
  #scenes = new Set<FinalScene>();

  /** Add the scene of a screen. Return a function that removes it. */
  add(scene: FinalScene): () => void {
    this.#scenes.add(scene);
    return () => this.#scenes.delete(scene);
  }

  /**
   * Open the panel. Where the user saw the game end, the scenes are played before, and `sound` at the
   * end of them.
   */
  async begin(seen: boolean, sound: SoundName | null): Promise<void> {
    if (seen && settings.pace !== 'instant' && moves() && !document.hidden) {
      this.playing = true;
      await Promise.all([...this.#scenes].map(({ start }) => start()));
      this.playing = false;
    }
    this.open = true;
    if (!seen || !sound) return;
    play(sound);
    this.celebrates = sound === 'win' && moves();
  }

  /** Open or close the panel for a user who asks for it. */
  toggle(): void {
    this.asked = this.open = !this.open;
  }

  /** Show at once what the scenes have still to show. */
  skip = (): void => {
    for (const { end } of this.#scenes) end();
  };
}

/** Provide the end of the game to the components of a table. */
export const provideFinale = (): Finale => setContext(PLACE, new Finale());

/** Return the end of the game; `undefined` outside a table. */
export const useFinale = (): Finale | undefined => getContext<Finale | undefined>(PLACE);
