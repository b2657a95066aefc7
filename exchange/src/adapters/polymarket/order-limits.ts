import type { ExchangeClock } from '../../matching-engine/clock.ts';

const TIER = 'standard';
/** The bucket of the standard tier, in thousandths of an order, so that it refills in whole steps every millisecond. */
const ORDER = 1_000;
const REFILL_PER_MS = 40;
const BURST = 60 * ORDER;

interface Bucket {
  readonly level: number;
  readonly filledAtMs: number;
}

/** Whether a call may place its orders, and what its answer says about the limit. */
export interface Admission {
  readonly isAdmitted: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** How many orders a signer may place: 60 at once and 40 a second. A batch counts as its orders, all or none of it. */
export class OrderLimits {
  readonly #clock: ExchangeClock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  admit(signer: string, orders: number): Admission {
    const nowMs = this.#clock.now();
    const before = this.#levelOf(signer, nowMs);
    const missing = Math.max(0, orders * ORDER - before);
    const isAdmitted = missing === 0;
    const level = isAdmitted ? before - orders * ORDER : before;
    this.#buckets.set(signer, { level, filledAtMs: nowMs });
    const waitMs = Math.ceil(missing / REFILL_PER_MS);
    const headers = {
      'poly-ratelimit-remaining': String(Math.floor(level / ORDER)),
      'poly-ratelimit-reset': String(Math.ceil((this.#clock.servedNow() + waitMs) / 1000)),
      'poly-ratelimit-tier': TIER,
    };
    if (isAdmitted) return { isAdmitted, headers };
    return { isAdmitted, headers: { ...headers, 'retry-after': String(Math.ceil(waitMs / 1000)) } };
  }

  #levelOf(signer: string, nowMs: number): number {
    const bucket = this.#buckets.get(signer);
    if (bucket === undefined) return BURST;
    return Math.min(BURST, bucket.level + (nowMs - bucket.filledAtMs) * REFILL_PER_MS);
  }
}
