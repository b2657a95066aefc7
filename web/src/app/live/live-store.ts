import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Clock } from './clock.ts';

/** At most five repaints a second, however fast the changes come. */
const FLUSH_INTERVAL_MS = 200;
/** Rows kept although nobody looks at them, for the moment between a change and the row's first paint. */
const UNWATCHED_MAX = 2_000;

export type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>;

/** The newest state of one object and when it reached this tab. */
export type LiveEntry<Type extends ChangeType> = { seq: number; data: ChangeOf<Type>['data']; receivedAtMs: number };

type Listener = () => void;
type AllListener = (changes: readonly Change[]) => void;

const keyOf = (type: ChangeType, id: string) => `${type}:${id}`;

/** One small store per row, beside the query cache, so that a change repaints a cell and not a table. */
export class LiveStore {
  readonly #clock: Clock;
  readonly #shown = new Map<string, LiveEntry<ChangeType>>();
  readonly #waiting = new Map<string, { change: Change; receivedAtMs: number }>();
  readonly #watchers = new Map<string, Set<Listener>>();
  readonly #allWatchers = new Set<AllListener>();
  #flushDue = false;
  #lastFlushMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a change in; it shows at the next flush. One that is older than what is known is dropped. */
  put(change: Change): void {
    const key = keyOf(change.type, change.id);
    const knownSeq = this.#waiting.get(key)?.change.seq ?? this.#shown.get(key)?.seq;
    if (knownSeq !== undefined && change.seq <= knownSeq) return;
    this.#waiting.set(key, { change, receivedAtMs: this.#clock.nowMs() });
    this.#scheduleFlush();
  }

  /** The entry as of the last flush; the same object until it changes. */
  read<Type extends ChangeType>(type: Type, id: string): LiveEntry<Type> | undefined {
    return this.#shown.get(keyOf(type, id)) as LiveEntry<Type> | undefined;
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

  #scheduleFlush(): void {
    if (this.#flushDue) return;
    this.#flushDue = true;
    const dueInMs = Math.max(0, this.#lastFlushMs + FLUSH_INTERVAL_MS - this.#clock.nowMs());
    this.#clock.after(dueInMs, () => this.#flush());
  }

  #flush(): void {
    this.#flushDue = false;
    this.#lastFlushMs = this.#clock.nowMs();
    const arrived = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, { change, receivedAtMs }] of arrived) {
      this.#shown.delete(key);
      this.#shown.set(key, { seq: change.seq, data: change.data, receivedAtMs });
    }
    this.#forgetUnwatched();
    for (const [key] of arrived) for (const listener of this.#watchers.get(key) ?? []) listener();
    const changes = arrived.map(([, { change }]) => change);
    for (const listener of this.#allWatchers) listener(changes);
  }

  #forgetUnwatched(): void {
    for (const key of this.#shown.keys()) {
      if (this.#shown.size <= UNWATCHED_MAX + this.#watchers.size) return;
      if (!this.#watchers.has(key)) this.#shown.delete(key);
    }
  }
}
