import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';

/** Wall time and timers, handed in so that a simulation can drive them. */
export interface Timers {
  readonly now: () => number;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
  readonly clearTimeout: (handle: unknown) => void;
}

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
}

/**
 * The exchange's own clock: wall time plus an offset that tests advance. What is scheduled on it (settlement, order
 * expiry) happens in order of due time, at once when the clock is advanced past it.
 */
export class ExchangeClock {
  readonly #timers: Timers;
  readonly #tasks: Task[] = [];
  #offsetMs = 0;
  #armed: unknown;
  #virtualMs: number | undefined;
  readonly #onAdvance: ((ms: number) => void)[] = [];
  /** The skew of the published time, by which callers are judged, against the time that the exchange runs on. */
  skewMs = 0;
  /** How old or new the time of a signature may be. */
  freshnessMs = 60_000;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): Instant {
    return instantFromMs(this.#virtualMs ?? Math.floor(this.#timers.now()) + this.#offsetMs);
  }

  /** The published time. */
  servedNow(): number {
    return this.now() + this.skewMs;
  }

  /** The times that a signature may carry: the exchange's time, or that time without the advances of the clock. */
  readings(): { readings: readonly number[]; withinMs: number } {
    return { readings: [this.servedNow(), this.wallNow() + this.skewMs], withinMs: this.freshnessMs };
  }

  wallNow(): Instant {
    return instantFromMs(Math.floor(this.#timers.now()));
  }

  /** Runs `task` when the clock reaches now plus `delayMs`. */
  schedule(delayMs: number, run: () => void): void {
    const dueMs = this.now() + delayMs;
    const position = this.#tasks.findIndex((task) => task.dueMs > dueMs);
    this.#tasks.splice(position === -1 ? this.#tasks.length : position, 0, { dueMs, run });
    this.#arm();
  }

  /** Calls back before the clock is moved forward. */
  onAdvance(react: (ms: number) => void): void {
    this.#onAdvance.push(react);
  }

  /** Moves the clock forward and runs everything that falls due on the way, each at its own moment. */
  advance(ms: number): void {
    for (const react of this.#onAdvance) react(ms);
    const target = this.now() + ms;
    for (let task = this.#takeDue(target); task !== undefined; task = this.#takeDue(target)) {
      this.#virtualMs = Math.max(this.now(), task.dueMs);
      task.run();
    }
    this.#virtualMs = undefined;
    this.#offsetMs += ms;
    this.#arm();
  }

  stop(): void {
    this.#tasks.length = 0;
    this.#disarm();
  }

  #takeDue(atMs: number): Task | undefined {
    const next = this.#tasks[0];
    return next !== undefined && next.dueMs <= atMs ? this.#tasks.shift() : undefined;
  }

  #arm(): void {
    this.#disarm();
    const next = this.#tasks[0];
    if (next === undefined) return;
    const waitMs = Math.min(Math.max(0, next.dueMs - this.now()), 2 ** 31 - 1);
    this.#armed = this.#timers.setTimeout(() => this.#runDue(), waitMs);
  }

  #disarm(): void {
    if (this.#armed !== undefined) this.#timers.clearTimeout(this.#armed);
    this.#armed = undefined;
  }

  #runDue(): void {
    this.#armed = undefined;
    for (let task = this.#takeDue(this.now()); task !== undefined; task = this.#takeDue(this.now())) task.run();
    this.#arm();
  }
}
