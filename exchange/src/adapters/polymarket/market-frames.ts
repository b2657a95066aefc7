import { microToText } from '@dutchbook/units/micro.ts';
import { complement, type Price, priceToText } from '@dutchbook/units/price.ts';
import { type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import type { LevelChange, OutcomeIndex, Side } from '../../matching/order.ts';
import type { RecordedLevel } from '../../matching-engine/announcements.ts';
import type { Market, Token } from '../../matching-engine/market.ts';
import { bestOnStream, bookHash, wireBook } from './book-shape.ts';

interface OfToken {
  readonly asset_id: string;
}

/** A frame of the stream: books of tokens, changes of them, or what happened to one token or to a whole market. */
export type StreamFrame =
  | readonly OfToken[]
  | { readonly event_type: string; readonly price_changes: readonly OfToken[] }
  | { readonly event_type: string; readonly asset_id: string }
  | { readonly event_type: string; readonly assets_ids: readonly string[] };

const OUTCOMES: readonly OutcomeIndex[] = [0, 1];

/** A whole book as a frame of the stream. */
export function wireSnapshot(market: Market, outcome: OutcomeIndex) {
  return { event_type: 'book', ...wireBook(market, outcome) };
}

/** Changed levels, each published once for either token: a bid for one is an ask for the other. */
export function levelsFrame(market: Market, changes: readonly LevelChange[]) {
  const tails = OUTCOMES.map((outcome) => ({
    hash: bookHash(market, outcome),
    best_bid: bestOnStream(market, outcome, 'bid'),
    best_ask: bestOnStream(market, outcome, 'ask'),
  }));
  return priceChange(
    market,
    changes.flatMap(({ side, price, size }) =>
      OUTCOMES.map((outcome) => ({
        asset_id: market.tokens[outcome],
        price: priceToText(outcome === 0 ? price : complement(price)),
        size: sharesToText(size),
        side: (side === 'bid') === (outcome === 0) ? 'BUY' : 'SELL',
        ...tails[outcome],
      })),
    ),
  );
}

/** A recorded frame, with the best prices that were recorded. */
export function recordedFrame(market: Market, levels: readonly RecordedLevel[]) {
  return priceChange(
    market,
    levels.map(({ token, side, price, size, bestBid, bestAsk }) => ({
      asset_id: token.tokenId,
      price: priceToText(price),
      size: sharesToText(size),
      side,
      hash: bookHash(market, token.outcome),
      best_bid: priceToText(bestBid),
      best_ask: priceToText(bestAsk),
    })),
  );
}

/** A trade of one token. */
export function tradeFrame(
  { market, tokenId }: Token,
  trade: { readonly price: Price; readonly size: Shares; readonly side: Side },
  transactionHash: string,
) {
  return {
    event_type: 'last_trade_price',
    market: market.listing.conditionId,
    asset_id: tokenId,
    price: priceToText(trade.price),
    size: sharesToText(trade.size),
    side: trade.side,
    fee_rate_bps: '0',
    timestamp: String(market.bookAt),
    ...(transactionHash === '' ? {} : { transaction_hash: transactionHash }),
  };
}

/** The best prices of both tokens, for clients that asked for the extra events. */
export function bestChanges(market: Market) {
  return OUTCOMES.map((outcome) => {
    const bid = market.book.best('bid');
    const ask = market.book.best('ask');
    return {
      event_type: 'best_bid_ask',
      market: market.listing.conditionId,
      asset_id: market.tokens[outcome],
      best_bid: bestOnStream(market, outcome, 'bid'),
      best_ask: bestOnStream(market, outcome, 'ask'),
      spread: bid === undefined || ask === undefined ? '' : microToText(ask - bid),
      timestamp: String(market.bookAt),
    };
  });
}

export function resolvedFrame(market: Market) {
  const { listing, winner } = market;
  return {
    event_type: 'market_resolved',
    id: listing.id,
    market: listing.conditionId,
    assets_ids: listing.tokens,
    winning_asset_id: winner === undefined ? '' : listing.tokens[winner],
    winning_outcome: winner === undefined ? '' : listing.outcomes[winner],
    timestamp: String(market.bookAt),
  };
}

function priceChange(market: Market, changes: readonly OfToken[]) {
  return {
    event_type: 'price_change',
    market: market.listing.conditionId,
    timestamp: String(market.bookAt),
    price_changes: changes,
  };
}

/** The part of a frame about these tokens; undefined where there is none. A frame that names no token is about all. */
export function partOf(frame: StreamFrame, tokenIds: readonly string[]): StreamFrame | undefined {
  const isOf = ({ asset_id }: { readonly asset_id: string }) => tokenIds.includes(asset_id);
  if (isList(frame)) return nonEmpty(frame.filter(isOf));
  if ('price_changes' in frame) {
    const changes = nonEmpty(frame.price_changes.filter(isOf));
    return changes && { ...frame, price_changes: changes };
  }
  return 'asset_id' in frame && !isOf(frame) ? undefined : frame;
}

function isList(frame: StreamFrame): frame is readonly OfToken[] {
  return Array.isArray(frame);
}

function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}
