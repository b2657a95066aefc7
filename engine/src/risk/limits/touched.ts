import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { PlannedOrder } from '../../order/plan.ts';
import type { AccountState, Blocker, GateContext, OrderSpending, TradingLimits } from '../context.ts';
import { firstOf } from '../wording.ts';

/** What a plan does at one venue. `reserve`: what its orders there can take at most. */
export type Touched = {
  venue: VenueName;
  account: AccountState;
  orders: readonly PlannedOrder[];
  reserve: Usd;
  spentBefore: readonly OrderSpending[];
};

type Touching = Pick<GateContext, 'plan' | 'quotes' | 'accounts' | 'spentBefore'>;

export const NO_LIMITS: TradingLimits = { perOrder: null, perBatch: null, perDay: null, openExposure: null };

/** State of a venue without an account here: nothing may be sent there. */
export const NO_ACCOUNT: AccountState = {
  balance: null,
  allowances: null,
  armed: false,
  clockSkewMs: null,
  limits: NO_LIMITS,
  limitsRequired: true,
  placedToday: USD_ZERO,
  openExposure: USD_ZERO,
};

/** The venues of the positions of a plan, in their order. */
export function touchedVenues({ plan, quotes, accounts, spentBefore }: Touching): Touched[] {
  const venues = [...new Set(quotes.map(({ marketId }) => venueOf(marketId)))];
  const accountOf = (venue: VenueName) => accounts.get(venue) ?? NO_ACCOUNT;
  const [only] = venues;
  if (only !== undefined && venues.length === 1)
    return [{ venue: only, account: accountOf(only), orders: plan.orders, reserve: plan.totalReserve, spentBefore }];
  return venues.map((venue) => {
    const orders = plan.orders.filter(({ marketId }) => venueOf(marketId) === venue);
    const reserve = orders.reduce((sum, order) => sum + order.reserve, 0) as Usd;
    const before = spentBefore.filter(({ tokenId }) => venueOf(tokenId) === venue);
    return { venue, account: accountOf(venue), orders, reserve, spentBefore: before };
  });
}

/** What refuses a plan at each of the venues that it touches; the venue is named where there are several. */
export function refusalsByVenue(context: Touching, refusal: (touched: Touched) => Blocker | null): Blocker[] {
  const all = touchedVenues(context);
  return all.flatMap((touched) => {
    const blocker = refusal(touched);
    if (blocker === null) return [];
    return [all.length === 1 ? blocker : { ...blocker, message: `${touched.venue}: ${blocker.message}` }];
  });
}

/** The first of them. */
export function refusedByVenue(context: Touching, refusal: (touched: Touched) => Blocker | null): Blocker | null {
  return firstOf(refusalsByVenue(context, refusal));
}
