/** An order that every gate lets pass, and ways to spoil it. */
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { bookOf, feeOf, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { type PositionQuote, valueOpportunity } from '../opportunity/value.ts';
import { planPlacement } from '../order/plan.ts';
import type { AccountState, GateContext, GateQuote, GateSettings } from './context.ts';
import { NO_LIMITS } from './limits/touched.ts';

export const NOW = instantFromIso('2026-06-01T12:00:00Z');

export const settings: GateSettings = {
  validateTiming: true,
  validatePrices: true,
  priceLow: priceFromNumber(0.1),
  priceHigh: priceFromNumber(0.9),
  maxDeviation: fractionFromNumber(0.05),
  minOrderValue: usdFromNumber(2),
  minOrderShares: sharesFromNumber(5),
  maxBookAgeMs: 10_000,
  minAnnualised: PERCENT_ZERO,
};

export const noLimits = NO_LIMITS;

/** An account of which every gate lets the good order be paid. */
export const account: AccountState = {
  balance: usdFromNumber(1000),
  allowances: null,
  armed: true,
  clockSkewMs: 400,
  limits: noLimits,
  limitsRequired: false,
  placedToday: USD_ZERO,
  openExposure: USD_ZERO,
};

const trusted = (quote: PositionQuote): GateQuote => ({ ...quote, feed: 'live', bookAgeMs: 400 });

/** Ten sets at 0.45 + 0.50 without fees, which every gate lets pass; `changes` spoil it; `of` those of its account. */
export function contextOf({ quotes = goodQuotes(), size = 10, of = {}, ...changes }: Changes = {}): GateContext {
  const target = setPriceFromNumber(1);
  const pricing = { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) };
  return {
    automatic: false,
    practice: false,
    now: NOW,
    active: true,
    isHeldBack: false,
    quotes,
    value: valueOpportunity(quotes, target, pricing),
    plan: planPlacement(quotes, sharesFromNumber(size), target),
    completes: false,
    profitFloorPct: null,
    untilCashMs: 30 * 86_400_000,
    quotedPrice: setPriceFromNumber(0.95),
    activeBatchId: null,
    reconciled: true,
    corruptSettings: [],
    settings,
    accounts: new Map([['polymarket', { ...account, ...of }]]),
    deskLimits: noLimits,
    ownOrders: [],
    spentBefore: [],
    ...changes,
  };
}

export type Changes = Partial<GateContext> & { quotes?: GateQuote[]; size?: number; of?: Partial<AccountState> };

export const goodQuotes = (): GateQuote[] => [
  trusted(quoteOf(1, [[0.45, 100]], { rate: 0 })),
  trusted(quoteOf(2, [[0.5, 100]], { rate: 0 })),
];

/** The good quotes with the second one changed. */
export const withSecond = (changes: Partial<GateQuote>): GateQuote[] =>
  goodQuotes().map((quote) => (quote.leg === 2 ? { ...quote, ...changes } : quote));

export const withMarket = (changes: Parameters<typeof marketOf>[1]) =>
  withSecond({ market: marketOf('m2', { feeSchedule: feeOf(0), ...changes }) });

export const asks = (levels: Parameters<typeof bookOf>[0]) => withSecond({ book: bookOf(levels) });

/** That position on a market of another venue. */
export function onKalshi(quote: GateQuote): GateQuote {
  const marketId = `kalshi:${quote.marketId}`;
  return { ...quote, marketId, market: quote.market && { ...quote.market, id: marketId } };
}
