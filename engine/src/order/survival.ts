/**
 * How much of the depth that a book shows is really met, by what our own orders met of it and by what books still held one latency
 * later: empirical quantiles, never a fit.
 */
import { FRACTION_ONE, type Fraction } from '@dutchbook/units/fraction.ts';
import { type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { minShares, type Shares } from '@dutchbook/units/shares.ts';
import { notional, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { sizeWithin } from '../book/walk.ts';
import { feeCategoryOf } from '../market/fee-category.ts';
import { maxProfitableSize } from '../opportunity/curve.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { type PlacementPlan, planPlacement } from './plan.ts';

/** Fewer say nothing. */
export const SURVIVAL_SAMPLES_MIN = 30;

/** An order that was sent, and what it met. `category`: as `feeCategoryOf` says; `shown`: shares at its limit or better as it was signed. */
export type SentOrder = {
  venue: VenueName;
  category: string;
  size: Shares;
  limit: Price;
  shown: Shares;
  bookAgeMs: number;
  met: Shares;
};

/** `share`: the lower quartile of what orders of a kind met of the depth that they asked for; null below 30 of them. */
export type Survival = { share: Fraction | null; samples: number };

/** Survival by kind of order: venue, category, dollars of shown depth, and age of the book. */
export type MeasuredSurvival = ReadonlyMap<string, Survival>;

export const NOTHING_MEASURED: MeasuredSurvival = new Map();

/** An order that asks for less than is shown proves no more than it asked for: its share is of that. */
export function measureSurvival(orders: Iterable<SentOrder>): MeasuredSurvival {
  const shares = new Map<string, number[]>();
  for (const order of orders) {
    const asked = minShares(order.size, order.shown);
    if (asked <= 0) continue;
    const kind = kindOf(order, notional(asked, order.limit, 'up'));
    const share = mulDiv(minShares(order.met, asked), FRACTION_ONE, asked, 'down');
    const known = shares.get(kind);
    if (known === undefined) shares.set(kind, [share]);
    else known.push(share);
  }
  return new Map([...shares].map(([kind, of]) => [kind, { share: lowerQuartile(of), samples: of.length }]));
}

/** The depth that an order would have asked for, and the book that showed it. */
export type ShownDepth = { tokenId: TokenId; order: Omit<SentOrder, 'met'> };

/** Depth that the books show at the most profitable size. */
export function shownDepth(
  quotes: readonly (PositionQuote & { bookAgeMs: number | null })[],
  targetPrice: Price,
): ShownDepth[] {
  const { orders } = planPlacement(quotes, maxProfitableSize(quotes, targetPrice), targetPrice);
  return orders.flatMap(({ tokenId, size, limitPrice: limit }) => {
    const quote = quotes.find((each) => each.tokenId === tokenId);
    if (quote?.market === undefined || quote.book === undefined) return [];
    const kind = { venue: venueOf(quote.marketId), category: feeCategoryOf(quote.market) };
    const shown = sizeWithin(quote.book.asks, limit, 'buy');
    return [{ tokenId, order: { ...kind, size, limit, shown, bookAgeMs: quote.bookAgeMs ?? 0 } }];
  });
}

/** The smallest share that at least a quarter of the orders did not exceed. */
function lowerQuartile(shares: number[]): Fraction | null {
  if (shares.length < SURVIVAL_SAMPLES_MIN) return null;
  const sorted = shares.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 4) - 1] as Fraction;
}

/** The survival of a plan: that of its weakest leg. `share` is null when no leg has enough samples. */
export function survivalOfPlan(
  measured: MeasuredSurvival,
  quotes: readonly (PositionQuote & { bookAgeMs: number | null })[],
  plan: Pick<PlacementPlan, 'orders'>,
): Survival {
  const legs = plan.orders.map(({ tokenId, size, limitPrice }): Survival => {
    const quote = quotes.find((each) => each.tokenId === tokenId);
    if (quote?.market === undefined || quote.book === undefined) return { share: null, samples: 0 };
    const asked = minShares(size, sizeWithin(quote.book.asks, limitPrice, 'buy'));
    const of = {
      venue: venueOf(quote.marketId),
      category: feeCategoryOf(quote.market),
      bookAgeMs: quote.bookAgeMs ?? 0,
    };
    return measured.get(kindOf(of, notional(asked, limitPrice, 'up'))) ?? { share: null, samples: 0 };
  });
  const known = legs.filter(({ share }) => share !== null);
  const [worst] = (known.length > 0 ? known : legs).toSorted(
    (one, other) => (one.share ?? 0) - (other.share ?? 0) || one.samples - other.samples,
  );
  return worst ?? { share: null, samples: 0 };
}

const DEPTH_STEPS = [50, 500, 5000].map(usdFromNumber);
const AGE_STEPS_MS = [1000, 10_000];

function kindOf(
  { venue, category, bookAgeMs }: Pick<SentOrder, 'venue' | 'category' | 'bookAgeMs'>,
  asked: Usd,
): string {
  const depth = DEPTH_STEPS.filter((step) => asked >= step).length;
  const age = AGE_STEPS_MS.filter((step) => bookAgeMs >= step).length;
  return JSON.stringify([venue, category, depth, age]);
}
