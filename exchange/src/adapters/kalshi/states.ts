import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { MarketOfVenue, PriceRange } from './catalogue/listing.ts';
import { SHARDS } from './members.ts';

export const MARKET_STATUSES = [
  'initialized',
  'inactive',
  'active',
  'closed',
  'determined',
  'disputed',
  'amended',
  'finalized',
] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** The changing state of a listed market. */
export interface MarketState {
  status: MarketStatus;
  /** What a YES share pays; null until that is determined. */
  yesPays: Price | null;
  settledAt: Instant | null;
  closesAt: Instant;
  ranges: readonly PriceRange[];
  rules: string | null;
  feeWaivedUntil: Instant | null;
  updatedAt: Instant;
}

export interface ShardState {
  exchangeActive: boolean;
  tradingActive: boolean;
  transfersActive: boolean;
}

export type MarketResult = '' | 'yes' | 'no' | 'scalar';

export function resultOf({ yesPays }: MarketState): MarketResult {
  if (yesPays === null) return '';
  if (yesPays === PRICE_ONE) return 'yes';
  return yesPays === PRICE_ZERO ? 'no' : 'scalar';
}

/** How things stand at the venue: each market, and each part of the exchange. */
export class States {
  readonly #markets = new Map<string, MarketState>();
  readonly #shards: ShardState[] = SHARDS.map(() => ({
    exchangeActive: true,
    tradingActive: true,
    transfersActive: true,
  }));

  constructor(markets: Iterable<MarketOfVenue>, now: Instant) {
    this.add(markets, now);
  }

  add(markets: Iterable<MarketOfVenue>, now: Instant): void {
    for (const { ticker, closesAt, ranges } of markets)
      this.#markets.set(ticker, {
        status: 'active',
        yesPays: null,
        settledAt: null,
        closesAt,
        ranges,
        rules: null,
        feeWaivedUntil: null,
        updatedAt: now,
      });
  }

  forget({ ticker }: MarketOfVenue): void {
    this.#markets.delete(ticker);
  }

  of(market: MarketOfVenue): MarketState {
    const state = this.#markets.get(market.ticker);
    if (state === undefined) throw new Error(`${market.ticker} is not listed`);
    return state;
  }

  shard(index: number): ShardState {
    const state = this.#shards[index];
    if (state === undefined) throw new Error(`there is no shard ${index}`);
    return state;
  }
}
