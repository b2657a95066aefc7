import { venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Market } from '../market/market.ts';
import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue, touchedVenues } from './limits/touched.ts';
import { firstOf, tellApart } from './wording.ts';

/**
 * How much of the account's cash, or of one of its tokens, each contract of the venue may move, in millionths by
 * `Market.settledBy`. A contract that is not named may move none.
 */
export type Allowances = ReadonlyMap<string, number>;

/**
 * Cash that is free, and what of it the venue's contracts may move, as the venue reported it at `at`; everything that happened before
 * `shownTo`, or `at` where it is left out, is in it. `balance`: with what resting buys have reserved. `pockets`: of cash that lies in parts.
 */
export type CashReading = {
  cash: Usd;
  balance?: Usd;
  pockets?: ReadonlyMap<string, Usd>;
  allowances: Allowances | null;
  at: Instant;
  shownTo?: Instant;
};

/** Every contract that the orders settle through may move what they could take; without it legs would be refused one by one. */
export function allowanceGate(context: GateContext): Blocker | null {
  const markets = new Map(
    context.quotes.flatMap(({ market }) => (market === undefined ? [] : [[market.id, market] as const])),
  );
  const refused = touchedVenues(context).flatMap(({ account: { allowances }, orders }) => {
    if (allowances === null) return [];
    const needed = new Map<string, { legs: number[]; amount: Usd }>();
    for (const { leg, marketId, reserve } of orders) {
      const contract = markets.get(marketId)?.settledBy;
      if (contract === undefined) continue;
      const { legs, amount } = needed.get(contract) ?? { legs: [], amount: USD_ZERO };
      needed.set(contract, { legs: [...legs, leg], amount: addUsd(amount, reserve) });
    }
    return [...needed].flatMap(([contract, need]) => refusedBy(contract, (allowances.get(contract) ?? 0) as Usd, need));
  });
  return firstOf(refused);
}

function refusedBy(contract: string, allowed: Usd, { legs, amount }: { legs: number[]; amount: Usd }): Blocker[] {
  if (allowed >= amount) return [];
  const [may, needs] = tellApart(allowed, amount);
  const which = legs.length === 1 ? `leg ${legs[0]} needs` : `legs ${legs.join(', ')} need`;
  const message = `${which} $${needs}, and the exchange contract ${contract} may move $${may} of the account's cash: approve it with the wallet`;
  return [{ gate: 'allowance', message, actual: usdToNumber(allowed), required: usdToNumber(amount) }];
}

/** Checks approvals on the chain, which the venue does not report: without them matched orders fail to settle. */
export function approvalsGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, ({ venue, account: { unapproved = [] } }) => {
    if (unapproved.length === 0) return null;
    const ofVenue = context.quotes.filter(({ marketId }) => venueOf(marketId) === venue);
    if (!ofVenue.some(({ market }) => market?.negRisk === true)) return null;
    const message = `the ${unapproved.join(', ')} may not move the account's cash, and orders of negative-risk markets would be undone: approve it`;
    return { gate: 'approvals', message, actual: null, required: null };
  });
}

/** Why shares of a market may not be sold; null where they may, or the venue does not say. */
export function sharesNotApproved({ settledBy }: Market, size: number, allowances: Allowances | null): string | null {
  if (allowances === null || (allowances.get(settledBy) ?? 0) >= size) return null;
  return `the exchange contract ${settledBy} may not move these shares: approve it with the wallet`;
}
