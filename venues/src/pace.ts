/**
 * How fast this process calls a venue to trade: one token bucket for everything that it sends, its part of what the venue
 * takes from the account where others send for it too, in which canceling goes
 * before selling and selling before buying, and which rests when the venue asks for that. It decides and remembers; who
 * sends asks it first, and comes again at the moment that it names.
 */
import { backOffMs } from '@dutchbook/units/back-off.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

/** What a call is for, the most urgent first. */
export const PURPOSES = ['cancel', 'sell', 'buy'] as const;
export type CallPurpose = (typeof PURPOSES)[number];

/** One call: whose it is, and how many orders it sends or cancels. Who calls again for the same does so by the same name. */
export type TradingCall = { who: string; purpose: CallPurpose; orders: number };

/** What the venue wants less of: orders alone, while it goes on canceling, or calls of any kind. */
export type Closed = 'orders' | 'everything';

export type PaceLimits = { ordersPerSecond: number; burst: number };

const ASK_AGAIN_MS = 50;
/** Who waits comes again every second; who does not is not waited for. */
const WAITS_MS = 2500;
/** A slot that is not used in time is lost. */
const SLOT_MS = 1000;
/** A call that tries whether the venue takes calls again, and does not answer, is not waited for. */
const TRIAL_MS = 3000;
const REST_FIRST_MS = 1000;
const REST_SHORTEST_MS = 250;
/** Where the venue does not say for how long. */
const REST_GROWS_TO_MS = 4000;
const REST_LONGEST_MS = 60_000;

export class Pace {
  #whole: PaceLimits;
  #limits: PaceLimits;
  #among = 1;
  readonly #doors: Record<Closed, Door> = { orders: new Door(), everything: new Door() };
  readonly #waiting = new Map<string, Waiting>();
  #tokens: number;
  #filledAt: number | null = null;

  constructor(limits: PaceLimits) {
    this.#whole = limits;
    this.#limits = limits;
    this.#tokens = limits.burst;
  }

  /**
   * From now on this process is one of `count` that send for the account, each of which takes its part of what the venue
   * takes. One that joins others begins with nothing, because they may have just sent all that there was.
   */
  divide(count: number, now: Instant): void {
    if (count === this.#among) return;
    const { ordersPerSecond, burst } = this.#whole;
    const tokens = this.#filledAt === null ? 0 : this.#level(now);
    this.#among = count;
    this.#limits = { ordersPerSecond: ordersPerSecond / count, burst: burst / count };
    this.#tokens = Math.min(tokens, this.#limits.burst);
    this.#filledAt = now;
  }

  /** The venue has said what it takes of the account. */
  limitTo(limits: PaceLimits, now: Instant): void {
    const tokens = this.#level(now);
    this.#whole = limits;
    this.#limits = { ordersPerSecond: limits.ordersPerSecond / this.#among, burst: limits.burst / this.#among };
    this.#tokens = Math.min(tokens, this.#limits.burst);
    this.#filledAt = now;
  }

  /** When a call may leave: `now`, or when to ask again. A waiting call has its place before lesser purposes. */
  slotAt(call: TradingCall, now: Instant): Instant {
    const at = Math.max(...this.#doorsOf(call.purpose).map((door) => door.opensAt(now)), this.#fairAt(call, now));
    const known = this.#waiting.get(call.who);
    if (at > now) this.#waiting.set(call.who, { purpose: call.purpose, until: now + WAITS_MS, hasSlot: false });
    else if (known?.hasSlot === false) this.#waiting.set(call.who, { ...known, until: now + SLOT_MS, hasSlot: true });
    return at as Instant;
  }

  /** The call leaves. */
  leave({ who, purpose, orders }: TradingCall, now: Instant): void {
    this.#waiting.delete(who);
    this.#tokens = this.#level(now) - orders;
    this.#filledAt = now;
    for (const door of this.#doorsOf(purpose)) door.tryAt(now);
  }

  /** The venue has answered such a call, whatever it said to it. */
  answered(purpose: CallPurpose, now: Instant): void {
    for (const door of this.#doorsOf(purpose)) door.open(now);
  }

  /** The venue rate limits such calls: for `restMs` where it says so, else for longer each time. */
  rateLimited(closed: Closed, restMs: number | null, now: Instant): void {
    this.#doors[closed].close(restMs, now);
  }

  #doorsOf(purpose: CallPurpose): Door[] {
    return purpose === 'cancel' ? [this.#doors.everything] : [this.#doors.everything, this.#doors.orders];
  }

  /** Cancels never wait for tokens; what they take is waited for by those that buy. */
  #fairAt({ who, purpose, orders }: TradingCall, now: Instant): number {
    for (const [other, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(other);
    const isAhead = (other: CallPurpose) => PURPOSES.indexOf(other) < PURPOSES.indexOf(purpose);
    const ahead = [...this.#waiting].some(([other, waiting]) => other !== who && isAhead(waiting.purpose));
    if (ahead) return now + ASK_AGAIN_MS;
    if (purpose === 'cancel') return now;
    const missing = Math.min(orders, this.#limits.burst) - this.#level(now);
    return missing <= 0 ? now : now + Math.ceil((missing * 1000) / this.#limits.ordersPerSecond);
  }

  #level(now: Instant): number {
    const refilled = ((now - (this.#filledAt ?? now)) * this.#limits.ordersPerSecond) / 1000;
    return Math.min(this.#limits.burst, this.#tokens + Math.max(0, refilled));
  }
}

/** `hasSlot`: it was answered that it may leave. */
type Waiting = { purpose: CallPurpose; until: number; hasSlot: boolean };

/** Closed until a moment; after that one call at a time tries, until one is answered. */
class Door {
  #closedUntil = 0;
  #timesClosed = 0;
  #triedUntil = 0;

  opensAt(now: Instant): number {
    if (this.#timesClosed === 0) return now;
    if (this.#closedUntil > now) return this.#closedUntil;
    return this.#triedUntil > now ? now + ASK_AGAIN_MS : now;
  }

  tryAt(now: Instant): void {
    if (this.#timesClosed > 0) this.#triedUntil = now + TRIAL_MS;
  }

  /** An answer that comes while it is closed is to a call that left before. */
  open(now: Instant): void {
    if (this.#closedUntil > now) return;
    this.#timesClosed = 0;
    this.#triedUntil = 0;
  }

  close(restMs: number | null, now: Instant): void {
    const ownMs = backOffMs(this.#timesClosed, { firstMs: REST_FIRST_MS, slowestMs: REST_GROWS_TO_MS });
    const forMs = Math.min(Math.max(restMs ?? ownMs, REST_SHORTEST_MS), REST_LONGEST_MS);
    this.#closedUntil = Math.max(this.#closedUntil, now + forMs);
    this.#timesClosed += 1;
    this.#triedUntil = 0;
  }
}
