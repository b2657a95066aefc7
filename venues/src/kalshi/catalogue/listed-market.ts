import type { Market, MarketEvent, ResolutionStatus } from '@dutchbook/engine/market/market.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price, priceFromText } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type FeeTerms, feesOf } from '../fees.ts';
import { eventIdOf, isTicker, marketIdOf, tokenIdOf } from '../ids.ts';
import { readTickGrid } from '../tick-bands.ts';
import { readTime, type WireEvent, type WireMarket, wireMarket } from '../wire.ts';

/** A market that cannot be traded here, and why. */
export type SkippedMarket = { id: string; question: string; closed: boolean; reason: string };

/** What is known of a market besides what it says itself. */
export type MarketContext = { event: MarketEvent | null; feeTerms: FeeTerms | null; now: Instant };

/** Before these nothing has been decided; behind them trading does not go on. */
const OPEN_STATUSES = new Set(['initialized', 'inactive', 'active']);
/** What was determined can still be said otherwise until it is paid out. */
const PROVISIONAL: ReadonlyMap<string, ResolutionStatus> = new Map([
  ['determined', 'proposed'],
  ['amended', 'proposed'],
  ['disputed', 'disputed'],
]);
const MICRO_STEP = 1;

/** Reads one market. What cannot be traded safely is skipped: combos, and whatever has no yes and no. */
export function readMarket(raw: unknown, context: MarketContext): Market | SkippedMarket {
  const parsed = wireMarket.safeParse(raw);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '?';
    return skipped(raw, `field ${field} is not as documented`);
  }
  const wire = parsed.data;
  if (!isTicker(wire.ticker)) return skipped(raw, 'it is not called as markets of this venue are');
  if (wire.market_type !== 'binary') return skipped(raw, `a market of type ${wire.market_type} has no yes and no`);
  if (wire.mve_collection_ticker) return skipped(raw, 'it combines other markets');
  try {
    return marketOf(wire, context);
  } catch (error) {
    return skipped(raw, error instanceof Error ? error.message : String(error));
  }
}

/** An event as its markets know it; `isAugmented`: an outcome that is not listed may come true. */
export type KnownEvent = { event: WireEvent; tickers: readonly string[]; isAugmented: boolean };

/** An event's part of a market. */
export function marketEvent({ event, tickers, isAugmented }: KnownEvent): MarketEvent {
  return {
    id: eventIdOf(event.event_ticker),
    title: event.sub_title ? `${event.title} ${event.sub_title}` : event.title,
    negRisk: event.mutually_exclusive === true,
    augmented: isAugmented,
    marketIds: tickers.map(marketIdOf),
  };
}

/** The title is often that of all markets of the event: what sets this one apart stands beside it. */
export function questionOf({ title, yes_sub_title }: Pick<WireMarket, 'title' | 'yes_sub_title'>): string {
  return !yes_sub_title || says(title, yes_sub_title) ? title : `${title} (${yes_sub_title})`;
}

/**
 * Whether the title has its numbers and most of its words: a number that stands twice in a question would be read as two. The year or the
 * day of a title that happens to be equal says nothing of it.
 */
function says(title: string, more: string): boolean {
  const words = wordsIn(more);
  const numbers = words.filter((word) => /^\d/.test(word));
  if (numbers.length === 0) return title.includes(more);
  const known = new Set(wordsIn(title));
  const shared = words.filter((word) => known.has(word));
  return numbers.every((number) => known.has(number)) && 2 * shared.length > words.length;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\d{1,9}(?:\.\d{1,9})?|\p{L}{1,40}/gu) ?? [];
}

export function isClosed({ status }: Pick<WireMarket, 'status'>): boolean {
  return !OPEN_STATUSES.has(status);
}

/** What a YES share pays, in part where the result is a fraction; null while nothing is determined. */
export function yesPays({ result, settlement_value_dollars }: WireMarket): Price | null {
  if (result === 'yes') return PRICE_ONE;
  if (result === 'no') return PRICE_ZERO;
  if (result !== 'scalar' || !settlement_value_dollars) return null;
  return priceFromText(settlement_value_dollars);
}

export function isProvisional({ status }: Pick<WireMarket, 'status'>): boolean {
  return PROVISIONAL.has(status);
}

/** Nothing of it can be said otherwise any more. */
export function isFinal({ status }: Pick<WireMarket, 'status'>): boolean {
  return status === 'finalized';
}

function skipped(raw: unknown, reason: string): SkippedMarket {
  const { ticker, title, status } = (raw ?? {}) as { ticker?: unknown; title?: unknown; status?: unknown };
  return {
    id: typeof ticker === 'string' ? marketIdOf(ticker) : '',
    question: typeof title === 'string' ? title : '',
    closed: typeof status === 'string' && !OPEN_STATUSES.has(status),
    reason,
  };
}

export const PAUSED_BY_VENUE = 'the venue has paused it';

function marketOf(wire: WireMarket, { event, feeTerms, now }: MarketContext): Market {
  const paid = yesPays(wire);
  const [yesPaid, noPaid] =
    paid === null ? [{}, {}] : [{ resolvedValue: paid }, { resolvedValue: (PRICE_ONE - paid) as Price }];
  return {
    id: marketIdOf(wire.ticker),
    question: questionOf(wire),
    event,
    outcomes: [
      { outcome: 'Yes', tokenId: tokenIdOf(wire.ticker, 'yes'), ...yesPaid },
      { outcome: 'No', tokenId: tokenIdOf(wire.ticker, 'no'), ...noPaid },
    ],
    negRisk: event?.negRisk === true,
    settledBy: 'kalshi',
    endDate: readTime(wire.close_time),
    closed: isClosed(wire),
    acceptingOrders: wire.status === 'active',
    ...(wire.status === 'inactive' ? { pauseReason: PAUSED_BY_VENUE } : {}),
    resolution: PROVISIONAL.get(wire.status) ?? null,
    ...readTickGrid(wire.price_ranges),
    minOrderSize: LEAST_SIZE as Shares,
    minImmediateBuy: USD_ZERO,
    immediateBuyStep: MICRO_STEP as Usd,
    sizeStep: LEAST_SIZE as Shares,
    saleAmountStep: MICRO_STEP as Usd,
    pocket: String(wire.exchange_index ?? 0),
    netsOutcomes: true,
    calledOffPays: 'price_of_venue',
    ...(isProvisional(wire) ? { isProvisional: true as const } : {}),
    ...feesOf(feeTerms, readTime(wire.fee_waiver_expiration_time), now),
    ...(feeTerms === null ? {} : { feeCategory: feeTerms.type }),
  };
}
