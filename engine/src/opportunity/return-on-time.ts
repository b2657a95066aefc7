/** When the cash that an opportunity binds is back, and what it earns until then, as if all year long. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Market, MarketEvent } from '../market/market.ts';
import type { PositionQuote } from './value.ts';

const YEAR_MS = 365 * 86_400_000;

/** A merge or a conversion is submitted, mined and proven within this; nothing brings cash sooner. */
const EXIT_MS = 600_000;

/** Beyond this a return says only that next to no time passes: a million times what is bound. */
const RETURN_MAX = 1_000_000 * 100 * MICRO;

type PlaceMarket = Pick<Market, 'outcomes' | 'endDate' | 'netsOutcomes'> & {
  event: Pick<MarketEvent, 'id' | 'negRisk'> | null;
};

/** A share of a set, and what is known of its market. */
export type Place = Pick<PositionQuote, 'marketId' | 'tokenId'> & { market: PlaceMarket | undefined };

/**
 * When a set that pays `targetPrice` is cash: at once where a merge or a conversion turns it into dollars, else when the last of its
 * markets ends. Null where one does not say when, or trades past the end that it said.
 */
export function payoutOf(places: readonly Place[], targetPrice: Price, now: Instant): 'at_once' | Instant | null {
  if (dollarsNow(places) >= targetPrice) return 'at_once';
  let last: Instant | null = null;
  for (const { market } of places) {
    const endDate = market?.endDate ?? null;
    if (endDate === null || endDate <= now) return null;
    if (last === null || endDate > last) last = endDate;
  }
  return last;
}

/** Until then: minutes at least, which a merge or a conversion takes. */
export function msUntilPayout(payout: 'at_once' | Instant | null, now: Instant): number | null {
  if (payout === null) return null;
  return payout === 'at_once' ? EXIT_MS : Math.max(payout - now, EXIT_MS);
}

export function msUntilCash(places: readonly Place[], targetPrice: Price, now: Instant): number | null {
  return msUntilPayout(payoutOf(places, targetPrice, now), now);
}

/**
 * The dollars a set converts into at once: one for both outcomes of a market, or, of second outcomes of several markets of a negative-risk
 * event, a dollar for all but one, where the venue has contracts that convert them. Zero of every other set.
 */
function dollarsNow(places: readonly Place[]): number {
  const [first, second] = places;
  const { market, tokenId } = first ?? {};
  if (first === undefined || second === undefined || market?.outcomes.length !== 2) return 0;
  if (places.length === 2 && second.marketId === first.marketId) return second.tokenId !== tokenId ? PRICE_ONE : 0;
  const event = market.event?.negRisk === true && !market.netsOutcomes ? market.event.id : null;
  const isOfEvent = (place: Place) => event !== null && place.market?.event?.id === event && isSecond(place);
  const isOnce = new Set(places.map(({ marketId }) => marketId)).size === places.length;
  return isOnce && places.every(isOfEvent) ? (places.length - 1) * PRICE_ONE : 0;
}

function isSecond({ market, tokenId }: Place): boolean {
  return market?.outcomes.length === 2 && market.outcomes[1]?.tokenId === tokenId;
}

/** `profitPct` of what is bound, times 365 over the days until it is cash; rounded down. Null while that is not known. */
export function annualisedPct(profitPct: Percent, untilCashMs: number | null): Percent | null {
  if (untilCashMs === null) return null;
  const perYear = Math.floor((profitPct * YEAR_MS) / untilCashMs);
  return Math.min(Math.max(perYear, -RETURN_MAX), RETURN_MAX) as Percent;
}

/** The profit at which what is bound for so long makes that return. */
export function profitForReturn(annualised: Percent, untilCashMs: number): Percent {
  return Math.ceil((annualised * untilCashMs) / YEAR_MS) as Percent;
}
