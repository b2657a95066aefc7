import type { Instant } from '@dutchbook/units/instant.ts';
import { type CallPurpose, Pace } from '../pace.ts';
import { TOO_MANY_REQUESTS } from '../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { Answer, KalshiApi } from './api.ts';
import { accountLimits, endpointCosts } from './wire.ts';

/** Pace of the smallest tier: a hundred tokens a second, of which an order costs ten. */
const SMALLEST = { ordersPerSecond: 10, burst: 10 };
const ORDER_PATH = '/portfolio/events/orders';
const DEFAULT_COST = 10;
/** Below what the venue takes: its clock is not ours. */
const MARGIN = 0.9;
const AGAIN_AFTER_MS = 30_000;
const ORDERS_PER_CALL_MAX = 20;

/** `ordersPerCall`: a call that costs more than the bucket ever holds is always refused. */
export type FollowedLimits = { ordersPerCall: () => number; stop: () => void };

export function kalshiPace(): Pace {
  return new Pace(SMALLEST);
}

/** The venue counts tokens for each shard and does not say how many are left: 429 comes without a header. */
export function noteAnswer(pace: Pace, purpose: CallPurpose, { status }: Answer, now: Instant): void {
  if (status !== TOO_MANY_REQUESTS) pace.answered(purpose, now);
  else pace.rateLimited(purpose === 'cancel' ? 'everything' : 'orders', null, now);
}

/**
 * Asks how many tokens the account has and what calls cost, and paces reads and orders by that; until the venue answers, by the
 * smallest tier.
 */
export function followLimits(api: KalshiApi, pace: Pace, { now, log }: VenueRuntime): FollowedLimits {
  let ordersPerCall = SMALLEST.burst;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  const read = async () => {
    try {
      const { ordersPerSecond, burst, readsPerSecond, tier } = await readLimits(api);
      pace.limitTo({ ordersPerSecond: ordersPerSecond * MARGIN, burst: burst * MARGIN }, now());
      ordersPerCall = Math.max(1, Math.min(ORDERS_PER_CALL_MAX, Math.floor(burst)));
      api.limitReads(readsPerSecond * MARGIN);
      log.info({ tier, ordersPerSecond, readsPerSecond }, 'kalshi limits of the account read');
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.warn({ reason: error.message }, 'kalshi limits of the account not read');
      if (!isStopped) again = setTimeout(() => void read(), AGAIN_AFTER_MS);
    }
  };
  void read();
  return {
    ordersPerCall: () => ordersPerCall,
    stop: () => {
      isStopped = true;
      clearTimeout(again);
    },
  };
}

async function readLimits(api: KalshiApi) {
  const [limits, costs] = await Promise.all([
    api.get('/account/limits').then((raw) => accountLimits.safeParse(raw)),
    api.get('/account/endpoint_costs').then((raw) => endpointCosts.safeParse(raw)),
  ]);
  if (!limits.success) throw new VenueUnavailable('the limits of the account came in an unknown shape');
  const { read, write, usage_tier: tier } = limits.data;
  const usual = costs.data?.default_cost ?? DEFAULT_COST;
  const ofOrder = costs.data?.endpoint_costs?.find(
    ({ method, path }) => method === 'POST' && path.endsWith(ORDER_PATH),
  );
  const orderCost = Math.max(1, ofOrder?.cost ?? usual);
  return {
    tier,
    ordersPerSecond: write.refill_rate / orderCost,
    burst: write.bucket_capacity / orderCost,
    readsPerSecond: read.refill_rate / usual,
  };
}
