/**
 * A table as the screens of a game see it: its newest view, the view that is shown, and commands.
 * Updates are shown one after the other, so that actions of others can be watched.
 */
import { framesOf, isHurried, isLong, isOwn, merged, turnsEnded, withoutActions, type Frame, type Played, type Scene } from '../playback/frames';
import { FrameQueue, systemClock } from '../playback/queue';
import type { Shown, Update, View } from './protocol';
import { settings } from './settings.svelte';

export type Event = Update['events'][number];
export type Command = { type: string; seat?: number | null } & Record<string, unknown>;
/** `returned`: whether the update is the first after a lost connection, with the missing events. */
export type Follower = (events: Event[], view: View, before: View | null, returned: boolean) => void;

/** Milliseconds without an update after which collected turns are shown. */
const COLLECTED = 400;

export abstract class GameTable {
  /** The view of the table; `null` until the first update. */
  view = $state.raw<View | null>(null);
  /**
   * The view that the page draws. It lags behind `view` while actions of others are played out, and
   * then offers no action of the turn.
   */
  shown = $state.raw<View | null>(null);
  /** The action that is being shown; `null` when it has been shown for its time. */
  scene = $state.raw<Scene | null>(null);
  /** The number of turns of others since the user's last action that were not played out. */
  missed = $state(0);
  /** The finished turn that the user looks at again; `null` where it is the last one. */
  lookedAt = $state<number | null>(null);
  /** The position at the end of the turn that the user looks at, once it is known. */
  earlier = $state.raw<Shown | null>(null);
  /** The turn of that position, which may still be the one that was looked at before. */
  earlierTurn = $state<number | null>(null);
  /** Whether the user has had a seat here. */
  sat = false;
  /** Seconds by which the clock of the server is ahead of the clock of this device. */
  ahead = 0;

  #followers = new Set<Follower>();
  #watchers = new Set<Follower>();
  #queue = new FrameQueue<Frame>(
    systemClock,
    (frames) => this.#show(frames),
    () => (this.scene = null),
  );

  constructor() {
    document.addEventListener('visibilitychange', this.#hidden);
  }

  /** Stop showing updates. */
  close(): void {
    document.removeEventListener('visibilitychange', this.#hidden);
    this.#queue.close();
  }

  /**
   * Send a command and return the number of its last event. Throws `ApiError` where the command was
   * refused.
   */
  abstract send(command: Command): Promise<number>;

  /** Whether the page shows an earlier view than the newest one. */
  get playing(): boolean {
    return this.shown !== this.view;
  }

  /** Show the newest view at once. */
  skip = (): void => this.#queue.skip();

  #hidden = (): void => {
    if (document.hidden) this.skip();
  };

  /**
   * Look at a finished turn again; `null`: at the present. Until its position is known, the one
   * before stays.
   */
  lookAt(turn: number | null): void {
    this.lookedAt = turn;
    const settle = (position: Shown | null): void => {
      if (this.lookedAt !== turn) return;
      this.earlier = position;
      this.earlierTurn = position && turn;
    };
    if (turn === null) return settle(null);
    this.positionAfter(turn).then(settle, () => settle(null));
  }

  /** Return the position at the end of a turn, before any correction of its result. */
  protected abstract positionAfter(turn: number): Promise<Shown>;

  /** Call a function after each update. Return a function that stops it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /**
   * Call a function when an update is shown. Updates that are shown together come as one. Return a
   * function that stops it.
   */
  watch(watcher: Follower): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Return the time of the server in seconds since 1970. */
  now = (): number => Date.now() / 1000 + this.ahead;

  /** Adopt an update: notify the followers, and show it now or later. */
  protected adopt(events: Event[], view: View, returned: boolean): void {
    const before = this.view;
    this.ahead = view.now - Date.now() / 1000;
    this.view = view;
    this.sat ||= view.you.length > 0;
    this.#notify(this.#followers, { events, view, before, returned });
    this.#play({ events, view, before, returned });
  }

  #notify(followers: ReadonlySet<Follower>, { events, view, before, returned }: Played): void {
    for (const follower of [...followers]) {
      try {
        follower(events, view, before, returned);
      } catch (error) {
        reportError(error); // an error in one follower must not stop the others
      }
    }
  }

  /**
   * Show an update now or later. There is no delay where the user acted, where a clock of theirs
   * runs, and while nobody looks.
   */
  #play(update: Played): void {
    const frames = framesOf(update, settings.pace);
    const own = update.before !== null && isOwn(update);
    if (own) {
      this.skip();
      this.missed = 0;
    }
    if (this.#queue.collecting || isLong([...this.#queue.waiting, ...frames])) this.#queue.collect(frames, COLLECTED);
    else this.#queue.add(frames);
    if (document.hidden || isHurried(update.view)) this.skip();
  }

  /** Show the last of these frames. */
  #show(frames: readonly Frame[]): void {
    const { view, scene, time } = frames.at(-1)!;
    if (view.position !== this.shown?.position || !view.result !== !this.shown?.result) this.lookAt(null);
    this.shown = view === this.view ? view : withoutActions(view, this.view!);
    this.scene = scene;
    const updates = frames.flatMap(({ update }) => (update ? [update] : []));
    if (updates.length === 0) return;
    const update = merged(updates);
    if (update.before && !(frames.length === 1 && time > 0)) this.missed += turnsEnded(update) - (isOwn(update) ? 1 : 0);
    this.#notify(this.#watchers, update);
  }
}
