import type { ExchangeClock } from '../../matching-engine/clock.ts';

export interface BucketSize {
  readonly refillPerSecond: number;
  readonly capacity: number;
}

export interface Limits {
  readonly tier: string;
  readonly read: BucketSize;
  readonly write: BucketSize;
  /** The bucket of all calls without a key together; absent for no limit. */
  readonly withoutKey?: BucketSize;
}

/** The default cost of a call. */
export const CALL_COST = 10;
export const CANCEL_COST = 2;

/** The simulated account may do as much as a large one, unless a test says otherwise. */
const LIMITS: Limits = {
  tier: 'premier',
  read: { refillPerSecond: 1_200, capacity: 1_200 },
  write: { refillPerSecond: 1_200, capacity: 2_400 },
};

/** How many calls a key may still make: reads in one bucket, writes in one for each shard. */
export class Budgets {
  limits: Limits = LIMITS;
  /** How many calls were too many. */
  refused = 0;
  readonly #clock: ExchangeClock;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  setLimits(limits: Limits): void {
    this.limits = limits;
    this.#buckets.clear();
  }

  /** Whether a call without a key was paid for. */
  takeWithoutKey(): boolean {
    return this.limits.withoutKey === undefined || this.#take('withoutKey', this.limits.withoutKey, CALL_COST);
  }

  /** Whether a call was paid for. One that costs more than the bucket ever holds never is. */
  take(keyId: string, kind: 'read' | { readonly shard: number }, cost: number): boolean {
    const size = kind === 'read' ? this.limits.read : this.limits.write;
    return this.#take(kind === 'read' ? `${keyId} read` : `${keyId} write ${kind.shard}`, size, cost);
  }

  #take(name: string, size: BucketSize, cost: number): boolean {
    const nowMs = this.#clock.wallNow();
    const bucket = this.#buckets.get(name) ?? { tokens: size.capacity, atMs: nowMs };
    const refilled = bucket.tokens + ((nowMs - bucket.atMs) / 1000) * size.refillPerSecond;
    const tokens = Math.min(size.capacity, refilled);
    const isEnough = tokens >= cost;
    this.#buckets.set(name, { tokens: isEnough ? tokens - cost : tokens, atMs: nowMs });
    if (!isEnough) this.refused += 1;
    return isEnough;
  }
}
