/**
 * One clock and one die under everything in this process: the product, the adapter of the venue,
 * and the exchange. While it is installed, what any of them calls the time, a timer or a random number is this one's, so
 * the same seed gives the same run. The event loop itself stays real; nothing here waits for a socket or a disk.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import promisedTimers, { setImmediate as nextTick } from 'node:timers/promises';
import { currentOwner, type Owner, runAs } from './owner.ts';

/** Ticks of the event loop in a row in which nothing happened: what is left waits for time. */
const QUIET_TICKS = 3;
/** Work that goes round in circles never lets time pass. */
const SERVED_MAX = 5_000;
/** A wait that never ends is a bug to report, not to sit out. */
const DRIVE_FOR_MS = 600_000;

class VirtualTimer {
  readonly owner: Owner | undefined;
  readonly run: () => void;
  readonly everyMs: number | null;
  readonly #time: VirtualTime;
  readonly #ms: number;
  dueAt: number;

  constructor(time: VirtualTime, run: () => void, ms: number, isRepeated: boolean) {
    this.#time = time;
    // In whole milliseconds, as in Node.
    this.#ms = Math.max(1, Math.min(Number.isFinite(ms) ? Math.trunc(ms) : 1, 2 ** 31 - 1));
    this.owner = currentOwner();
    this.run = run;
    this.everyMs = isRepeated ? this.#ms : null;
    this.dueAt = time.now() + this.#ms;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.#time.cancel(this);
    this.dueAt = this.#time.now() + this.#ms;
    this.#time.add(this);
    return this;
  }
}

type Run = (...args: unknown[]) => void;

export class VirtualTime {
  readonly #timers = new Set<VirtualTimer>();
  readonly #roll: () => number;
  readonly #serve: () => Promise<boolean>;
  #nowMs: number;
  /** Counts whatever happens, so that silence can be told from a pause. */
  activity = 0;

  /** `serve` carries out one thing that waits for nothing else to go on, and says whether there was one. */
  constructor(startMs: number, roll: () => number, serve: () => Promise<boolean>) {
    this.#nowMs = startMs;
    this.#roll = roll;
    this.#serve = serve;
  }

  now(): number {
    return this.#nowMs;
  }

  add(timer: VirtualTimer): void {
    this.#timers.add(timer);
  }

  cancel(timer: unknown): void {
    if (timer instanceof VirtualTimer) this.#timers.delete(timer);
  }

  /** Lets everything go on that does not wait for time. */
  async untilIdle(): Promise<void> {
    let served = 0;
    do {
      await this.#quiet();
      served += 1;
      if (served > SERVED_MAX) throw new Error(`something went on for ${SERVED_MAX} statements while no time passed`);
    } while (await this.#serve());
  }

  async #quiet(): Promise<void> {
    for (let quiet = 0, seen = this.activity; quiet < QUIET_TICKS; quiet += 1) {
      await nextTick();
      if (seen === this.activity) continue;
      seen = this.activity;
      quiet = -1;
    }
  }

  /** Lets `ms` pass, everything at its moment. */
  async advance(ms: number): Promise<void> {
    const until = this.#nowMs + ms;
    await this.untilIdle();
    while (this.#nowMs < until) {
      this.#nowMs = Math.min(until, Math.max(this.#nowMs, this.#nextDue()));
      this.#runDue();
      await this.untilIdle();
    }
  }

  /** As on a machine that sleeps for `ms`: what fell due meanwhile happens then, and what repeats happens once. */
  async jump(ms: number): Promise<void> {
    await this.untilIdle();
    this.#nowMs += ms;
    this.#runDue();
    await this.untilIdle();
  }

  /** Lets as much time pass as `work` takes. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    const since = this.#nowMs;
    await this.untilIdle();
    while (!isDone) {
      const next = this.#nextDue();
      if (!Number.isFinite(next) || next > since + DRIVE_FOR_MS) throw new Error('something waits that never ends');
      await this.advance(next - this.#nowMs);
    }
    return await work;
  }

  /** Puts this clock and die in the place of the machine's. @returns what puts those back */
  install(): () => void {
    const undo = [this.#replaceTimers(), this.#replaceDate(), this.#replaceRandom(), replaceHmac()];
    return () => {
      for (const restore of undo) restore();
    };
  }

  #nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt, owner } of this.#timers) if (dueAt < next && !owner?.isFrozen) next = dueAt;
    return next;
  }

  #runDue(): void {
    const due = [...this.#timers].filter((timer) => timer.dueAt <= this.#nowMs).sort((a, b) => a.dueAt - b.dueAt);
    for (const timer of due) {
      if (timer.owner?.isDead) this.#timers.delete(timer);
      if (!this.#timers.has(timer) || timer.owner?.isFrozen) continue;
      if (timer.everyMs === null) this.#timers.delete(timer);
      else timer.dueAt = Math.max(timer.dueAt, this.#nowMs - timer.everyMs + 1) + timer.everyMs;
      this.activity += 1;
      runAs(timer.owner, timer.run);
    }
  }

  #replaceTimers(): () => void {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const promised = promisedTimers.setTimeout;
    const start =
      (isRepeated: boolean) =>
      (run: Run, ms?: number, ...args: unknown[]) => {
        const timer = new VirtualTimer(this, () => run(...args), ms ?? 1, isRepeated);
        this.add(timer);
        return timer;
      };
    const clear = (real: (timer: NodeJS.Timeout) => void) => (timer: NodeJS.Timeout) =>
      timer instanceof VirtualTimer ? this.cancel(timer) : real(timer);
    Object.assign(globalThis, {
      setTimeout: start(false),
      setInterval: start(true),
      clearTimeout: clear(clearTimeout),
      clearInterval: clear(clearInterval),
    });
    const timeout = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => {
      const late = new AbortController();
      start(false)(() => late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms);
      return late.signal;
    };
    Object.assign(promisedTimers, {
      setTimeout: (ms: number, value: unknown) => new Promise((resolve) => start(false)(() => resolve(value), ms)),
    });
    syncBuiltinESMExports();
    return () => {
      Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
      AbortSignal.timeout = timeout;
      Object.assign(promisedTimers, { setTimeout: promised });
      syncBuiltinESMExports();
    };
  }

  #replaceDate(): () => void {
    const RealDate = Date;
    const now = () => this.#nowMs;
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
    Object.defineProperty(performance, 'now', { value: now, configurable: true });
    return () => {
      globalThis.Date = RealDate;
      Reflect.deleteProperty(performance, 'now');
    };
  }

  #replaceRandom(): () => void {
    const { random } = Math;
    Math.random = () => this.#roll();
    return () => {
      Math.random = random;
    };
  }
}

/** Web crypto computes on other threads, whose answers come in any order: the same signatures, computed one after another. */
function replaceHmac(): () => void {
  const inSequence = {
    importKey: async (_format: string, key: Uint8Array) => createSecretKey(key),
    sign: async (_algorithm: string, key: KeyObject, data: Uint8Array) => {
      const digest = createHmac('sha256', key).update(data).digest();
      return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength);
    },
  };
  Object.defineProperty(globalThis.crypto, 'subtle', { value: inSequence, configurable: true });
  return () => void Reflect.deleteProperty(globalThis.crypto, 'subtle');
}
