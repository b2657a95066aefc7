import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { complement, type Price, priceFromText, type Tick } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { ReadPriority } from '../read-budget.ts';
import { type BookSnapshot, type Quote, type VenuePrices, type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { KalshiApi } from './api.ts';
import { marketsNamed } from './catalogue/pages.ts';
import { marketIdOf, type OutcomeSide, ofToken } from './ids.ts';
import { type MarketBids, mirrored, readBids } from './market-stream/market-books.ts';
import { orderbooks, type WireMarket, wireMarket } from './wire.ts';

const BOOKS_PER_CALL = 100;

/** Whole books where there is a key, which the venue wants for them; else the best level of each side, which needs none. */
export function openPrices(
  api: KalshiApi,
  runtime: VenueRuntime,
  tickOf: (marketId: MarketId) => Tick | null,
): VenuePrices {
  return {
    fetchBooks: async (tokenIds, priority = 'trading') => {
      const tickers = tickersOf(tokenIds);
      const bids = await (api.isSigned ? wholeBooks : bestLevels)(api, tickers, priority);
      return booksOf(tokenIds, bids, { now: runtime.now(), tickOf });
    },
    fetchQuotes: async (tokenIds, priority = 'trading') => {
      const markets = await readMarkets(api, tickersOf(tokenIds), priority);
      const quotes = new Map<TokenId, Quote>();
      for (const tokenId of tokenIds) {
        const token = ofToken(tokenId);
        const market = token === null ? undefined : markets.get(token.ticker);
        const quote = token === null || market === undefined ? null : quoteOf(tokenId, market, token.side);
        if (quote !== null) quotes.set(tokenId, quote);
      }
      return quotes;
    },
  };
}

function tickersOf(tokenIds: readonly TokenId[]): string[] {
  return [...new Set(tokenIds.flatMap((tokenId) => ofToken(tokenId)?.ticker ?? []))];
}

function booksOf(
  tokenIds: readonly TokenId[],
  bids: ReadonlyMap<string, MarketBids>,
  { now, tickOf }: { now: Instant; tickOf: (marketId: MarketId) => Tick | null },
): Map<TokenId, BookSnapshot> {
  const snapshots = new Map<TokenId, BookSnapshot>();
  for (const tokenId of tokenIds) {
    const token = ofToken(tokenId);
    const market = token === null ? undefined : bids.get(token.ticker);
    if (token === null || market === undefined) continue;
    const other = market[token.side === 'yes' ? 'no' : 'yes'];
    snapshots.set(tokenId, {
      tokenId,
      bids: [...market[token.side]].sort((a, b) => b.price - a.price),
      asks: mirrored(other).sort((a, b) => a.price - b.price),
      timestamp: now,
      tick: tickOf(marketIdOf(token.ticker)),
    });
  }
  return snapshots;
}

async function wholeBooks(
  api: KalshiApi,
  tickers: readonly string[],
  priority: ReadPriority,
): Promise<Map<string, MarketBids>> {
  const calls: Promise<unknown>[] = [];
  for (let from = 0; from < tickers.length; from += BOOKS_PER_CALL)
    calls.push(api.get('/markets/orderbooks', { tickers: tickers.slice(from, from + BOOKS_PER_CALL) }, priority));
  const books = new Map<string, MarketBids>();
  for (const answer of await Promise.all(calls)) {
    const parsed = orderbooks.safeParse(answer);
    if (!parsed.success) throw new VenueUnavailable('the order books came in an unknown shape');
    for (const { ticker, orderbook_fp } of parsed.data.orderbooks)
      books.set(ticker, readBids(orderbook_fp.yes_dollars, orderbook_fp.no_dollars));
  }
  return books;
}

async function bestLevels(
  api: KalshiApi,
  tickers: readonly string[],
  priority: ReadPriority,
): Promise<Map<string, MarketBids>> {
  const markets = await readMarkets(api, tickers, priority);
  return new Map([...markets].map(([ticker, market]) => [ticker, bestBids(market)]));
}

function bestBids(market: WireMarket): MarketBids {
  const level = (price: Price | null, size: string | null | undefined) =>
    price === null || !size || Number(size) === 0 ? [] : [{ price, size: sharesFromText(size) }];
  const ask = orderPrice(market.yes_ask_dollars);
  return {
    yes: level(orderPrice(market.yes_bid_dollars), market.yes_bid_size_fp),
    no: level(ask === null ? null : complement(ask), market.yes_ask_size_fp),
  };
}

async function readMarkets(
  api: KalshiApi,
  tickers: readonly string[],
  priority: ReadPriority,
): Promise<Map<string, WireMarket>> {
  const found = (await marketsNamed(api, tickers, priority)).flatMap((raw) => wireMarket.safeParse(raw).data ?? []);
  return new Map(found.map((market) => [market.ticker, market]));
}

/** The ends of the scale stand for a side that is empty. */
function orderPrice(text: string | null | undefined): Price | null {
  if (!text) return null;
  const price = priceFromText(text);
  return price > 0 && price < 1_000_000 ? price : null;
}

function quoteOf(tokenId: TokenId, market: WireMarket, side: OutcomeSide): Quote | null {
  const [bid, ask] = [orderPrice(market.yes_bid_dollars), orderPrice(market.yes_ask_dollars)];
  const last = orderPrice(market.last_price_dollars);
  const own = (price: Price) => (side === 'yes' ? price : complement(price));
  const midpoint = bid === null || ask === null ? null : own(Math.round((bid + ask) / 2) as Price);
  if (midpoint === null && last === null) return null;
  return { tokenId, midpoint, lastTrade: last === null ? null : own(last) };
}
