import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Clock } from './clock.ts';

/** A row is repainted five times a second at most, however fast its changes come; one that was quiet, at once. */
const ROW_INTERVAL_MS = 200;
/**
 * How much of its interval a row may have in advance. The server spaces its changes as well; those that the network or
 * a busy page has delayed would else fall behind, and all that follow with them.
 */
const LEEWAY_MS = 100;
/** What falls due within a frame of the screen is shown together. */
const FRAME_MS = 16;
/** With more objects on screen than this, some change in every frame: they are shown together, for the page to answer between. */
const MANY = 30;
/** Rows kept although they are not shown, for the moment between a change and the row's first paint. */
const UNWATCHED_MAX = 2_000;

export type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>;

/** The newest state of one object and when it reached this tab. */
export type LiveEntry<Type extends ChangeType> = { seq: number; data: ChangeOf<Type>['data']; receivedAtMs: number };

/** `dueMs`: when the row's interval is over, counted from when it began and not from when it was shown. */
type Shown = { entry: LiveEntry<ChangeType>; dueMs: number };
type Listener = () => void;
type AllListener = (changes: readonly Change[]) => void;

const keyOf = (type: ChangeType, id: string) => `${type}:${id}`;

/** One small store per row, beside the query cache, so that a change repaints a cell and not a table. */
export class LiveStore {
  readonly #clock: Clock;
  readonly #shown = new Map<string, Shown>();
  readonly #waiting = new Map<string, { change: Change; receivedAtMs: number }>();
  readonly #watchers = new Map<string, Set<Listener>>();
  readonly #allWatchers = new Set<AllListener>();
  #wake: { atMs: number; cancel: () => void } | undefined;
  #lastFlushMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a change in; it shows when the row's interval is over. One that is older than what is known is dropped. */
  put(change: Change): void {
    const key = keyOf(change.type, change.id);
    const known = this.#waiting.get(key)?.change ?? this.#shown.get(key)?.entry;
    if (known !== undefined && (change.seq <= known.seq || isPast(change, known.data))) return;
    this.#waiting.set(key, { change, receivedAtMs: this.#clock.nowMs() });
    this.#wakeFor(key);
  }

  /** From now on changes are numbered anew, maybe by another process: the numbers so far say nothing about them. */
  renumber(): void {
    for (const { entry } of this.#shown.values()) entry.seq = Number.NEGATIVE_INFINITY;
    for (const waiting of this.#waiting.values()) waiting.change = { ...waiting.change, seq: Number.NEGATIVE_INFINITY };
  }

  /** The entry as of the last flush; the same object until it changes. */
  read<Type extends ChangeType>(type: Type, id: string): LiveEntry<Type> | undefined {
    return this.#shown.get(keyOf(type, id))?.entry as LiveEntry<Type> | undefined;
  }

  /** Calls `listener` when this one object has changed, until the answer is called. */
  watch(type: ChangeType, id: string, listener: Listener): () => void {
    const key = keyOf(type, id);
    const listeners = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#watchers.get(key) === listeners) this.#watchers.delete(key);
    };
  }

  /** Calls `listener` with everything that changed, after each flush. */
  watchAll(listener: AllListener): () => void {
    this.#allWatchers.add(listener);
    return () => this.#allWatchers.delete(listener);
  }

  clear(): void {
    this.#waiting.clear();
    this.#shown.clear();
  }

  #wakeFor(key: string): void {
    const nowMs = this.#clock.nowMs();
    const spacingMs = this.#watchers.size > MANY ? ROW_INTERVAL_MS : FRAME_MS;
    const frameMs = waitUntil(this.#lastFlushMs + spacingMs, nowMs, spacingMs);
    const waitMs = Math.max(this.#waitMs(key, nowMs), frameMs);
    if (this.#wake !== undefined && this.#wake.atMs <= nowMs + waitMs) return;
    this.#wake?.cancel();
    this.#wake = { atMs: nowMs + waitMs, cancel: this.#clock.after(waitMs, () => this.#flush()) };
  }

  /** How long the row's interval still lasts. */
  #waitMs(key: string, nowMs: number): number {
    const dueMs = this.#shown.get(key)?.dueMs ?? Number.NEGATIVE_INFINITY;
    return waitUntil(dueMs - LEEWAY_MS, nowMs, ROW_INTERVAL_MS);
  }

  #flush(): void {
    this.#wake = undefined;
    const nowMs = this.#clock.nowMs();
    this.#lastFlushMs = nowMs;
    const due = [...this.#waiting].filter(([key]) => this.#waitMs(key, nowMs) === 0);
    for (const [key, { change, receivedAtMs }] of due) {
      const dueMs = nowMs + ROW_INTERVAL_MS + waitUntil(this.#shown.get(key)?.dueMs ?? nowMs, nowMs, LEEWAY_MS);
      this.#waiting.delete(key);
      this.#shown.delete(key);
      this.#shown.set(key, { entry: { seq: change.seq, data: change.data, receivedAtMs }, dueMs });
    }
    for (const key of this.#waiting.keys()) this.#wakeFor(key);
    this.#forgetUnwatched();
    for (const [key] of due) for (const listener of this.#watchers.get(key) ?? []) listener();
    const changes = due.map(([, { change }]) => change);
    for (const listener of this.#allWatchers) listener(changes);
  }

  #forgetUnwatched(): void {
    for (const key of this.#shown.keys()) {
      if (this.#shown.size <= UNWATCHED_MAX + this.#watchers.size) return;
      if (!this.#watchers.has(key)) this.#shown.delete(key);
    }
  }
}

/**
 * Whether a change tells of a state that had passed when the known one came. Several processes tell of the same object, and
 * one that was stopped for a while tells last what it had read first; the server never lets `updated_at` of these go back.
 */
function isPast({ type, data }: Change, known: Change['data']): boolean {
  if (data === null || type === 'notification' || !('updated_at' in data)) return false;
  return known !== null && 'updated_at' in known && data.updated_at < known.updated_at;
}

/** A wait longer than there can be means that the clock was set back: then it is over. */
function waitUntil(dueMs: number, nowMs: number, longestMs: number): number {
  return dueMs - nowMs > longestMs ? 0 : Math.max(0, dueMs - nowMs);
}
