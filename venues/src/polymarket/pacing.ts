import type { Instant } from '@dutchbook/units/instant.ts';
import { Pace } from '../pace.ts';
import type { ReadLimit } from '../read-budget.ts';
import { type CallAnswer, TOO_MANY_REQUESTS } from '../transport.ts';
import { CLOSED_FOR_ORDERS } from './placing.ts';

/** Below what the venue's lowest tier takes from one signer, 40 a second and 60 at once: its clock is not ours. */
const LIMITS = { ordersPerSecond: 36, burst: 54 };

/** What the venue takes of each kind of read from one address; it counts Gamma, the data API and refreshed balances apart. */
const READS_PER_10_S = {
  clob: {
    '/books': 500,
    '/midpoints': 500,
    '/prices': 500,
    '/last-trades-prices': 500,
    // It names none of its own: of all calls together it takes thirty times as many.
    '/clob-markets': 300,
    '/balance-allowance': 200,
    '/balance-allowance/update': 50,
  },
  // For clarifications it names none of their own: all of Gamma together may be read eight times as often.
  gamma: { '/events': 500, '/markets': 300, '/market-clarifications': 500 },
  data: { '/v2/positions': 200 },
};

const TRADING_PATHS = ['/order', '/orders'];
/** The matching engine restarts. */
const TOO_EARLY = 425;

export function polymarketPace(): Pace {
  return new Pace(LIMITS);
}

export function readLimits(of: keyof typeof READS_PER_10_S): Map<string, ReadLimit> {
  const limits = Object.entries(READS_PER_10_S[of]);
  return new Map(limits.map(([kind, calls]) => [kind, { calls, windowMs: 10_000 }]));
}

/**
 * What an answer says about how fast the venue may be called. It counts orders and cancels apart, so too many orders do
 * not keep anything from being canceled; a key that may not cancel may not place either.
 */
export function noteAnswer(pace: Pace, { method, path, status, body, restMs }: CallAnswer, now: Instant): void {
  if (!TRADING_PATHS.includes(path)) return;
  const isCancel = method === 'DELETE';
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const isClosed = status === 503 && CLOSED_FOR_ORDERS.test(text);
  if (status === TOO_MANY_REQUESTS || status === TOO_EARLY || isClosed) {
    pace.rateLimited(isCancel ? 'everything' : 'orders', restMs, now);
  } else pace.answered(isCancel ? 'cancel' : 'buy', now);
}
