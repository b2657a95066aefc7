import type { EventListing } from '../catalogue/listing.ts';
import type { Timers } from '../matching-engine/clock.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { EventQuotes } from './event-quotes.ts';
import type { Random } from './random.ts';

/** How often some market moves, and how often and how long a set is cheap. All in milliseconds of wall time. */
const STEP_MS = { low: 120, high: 320 };
const BARGAIN_PAUSE_MS = { low: 20_000, high: 40_000 };
const BARGAIN_LENGTH_MS = { low: 10_000, high: 25_000 };
/** The first bargain comes soon, so that a new demo has something to show. */
const FIRST_BARGAIN_MS = 8_000;

/** What may be paused and resumed: the market makers, or a replay in their place. */
export interface QuoteSource {
  pause(): void;
  resume(): void;
  stop(): void;
}

interface Bargain {
  readonly quotes: EventQuotes;
  readonly endsAtMs: number;
}

/** The market makers of the simulated exchange: they keep every book moving and sometimes leave a set too cheap. */
export class Makers implements QuoteSource {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #engine: MatchingEngine;
  readonly #events: EventQuotes[] = [];
  #handle: unknown;
  #isRunning = false;
  #bargain: Bargain | undefined;
  #nextBargainAtMs = 0;

  constructor(engine: MatchingEngine, events: readonly EventListing[], random: Random, timers: Timers) {
    this.#timers = timers;
    this.#random = random;
    this.#engine = engine;
    this.add(events);
  }

  /** Events that have just been listed are quoted from now on. */
  add(events: readonly EventListing[]): void {
    const added = quotedTogether(events).map((together) => new EventQuotes(together, this.#engine, this.#random));
    for (const event of added) event.quoteAll();
    this.#events.push(...added);
  }

  pause(): void {
    this.#isRunning = false;
    this.#timers.clearTimeout(this.#handle);
  }

  /** Shows ordinary quotes everywhere and goes on moving them. */
  resume(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#bargain = undefined;
    this.#nextBargainAtMs = this.#timers.now() + FIRST_BARGAIN_MS;
    for (const event of this.#events) event.quoteAll();
    this.#wait();
  }

  stop(): void {
    this.pause();
  }

  #wait(): void {
    this.#handle = this.#timers.setTimeout(
      () => {
        this.#step();
        this.#wait();
      },
      this.#random.between(STEP_MS.low, STEP_MS.high),
    );
  }

  #step(): void {
    const nowMs = this.#timers.now();
    this.#endBargain(nowMs);
    if (this.#bargain === undefined && nowMs >= this.#nextBargainAtMs) this.#startBargain(nowMs);
    const event = this.#random.pick(this.#events);
    if (event !== undefined && event !== this.#bargain?.quotes) event.move();
  }

  #startBargain(nowMs: number): void {
    const quotes = this.#random.pick(this.#events.filter((event) => event.canBargain()));
    if (quotes === undefined) return;
    quotes.showBargain();
    const lengthMs = this.#random.between(BARGAIN_LENGTH_MS.low, BARGAIN_LENGTH_MS.high);
    this.#bargain = { quotes, endsAtMs: nowMs + lengthMs };
  }

  #endBargain(nowMs: number): void {
    if (this.#bargain === undefined || nowMs < this.#bargain.endsAtMs) return;
    this.#bargain.quotes.quoteAll();
    this.#bargain = undefined;
    this.#nextBargainAtMs = nowMs + this.#random.between(BARGAIN_PAUSE_MS.low, BARGAIN_PAUSE_MS.high);
  }
}

/** Events on one variable are quoted as one. */
function quotedTogether(events: readonly EventListing[]): EventListing[][] {
  const groups = new Map<string, EventListing[]>();
  for (const event of events) {
    const key = event.variable ?? event.id;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}
