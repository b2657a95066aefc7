import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, MARKET_MAKER, oppositeSide, unifiedPrice } from '../matching/order.ts';
import type { Quote } from '../matching/quotes.ts';
import type { RecordedLevel } from '../matching-engine/announcements.ts';
import type { Market, Token } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { RecordedFrame } from './frames.ts';
import type { RecordedRow } from './recording.ts';

/** The best prices of a frame, in the unified book. */
interface StatedBest {
  readonly bid: Price;
  readonly ask: Price;
}

/**
 * Keeps the books as a recording tells them. Levels beyond the stated best prices are dropped, since recordings miss
 * some removals. What users bought of a recorded level stays gone until the recording changes that level.
 */
export class RecordedBooks {
  readonly #engine: MatchingEngine;
  readonly #recordedSizes = new Map<string, Shares>();

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
  }

  /** Applies one frame and sends it on. */
  apply(frame: RecordedFrame): void {
    const [row] = frame;
    const token = this.#engine.directory.token(row.tokenId);
    if (token === undefined) throw new Error(`the recording has a token that was not surveyed: ${row.tokenId}`);
    this.#engine.recordedAt = row.at;
    if (row.kind === 'trade') {
      this.#engine.replayTrade(token, row);
      return;
    }
    const best = statedBest(row, token);
    const quote = quoteOf(row, token);
    const beyond = isBeyond(quote, best);
    this.#engine.replayQuotes(token.market, [
      ...this.#dropBeyond(token.market, best),
      ...this.#changed(token, quote, beyond),
    ]);
    const levels = frame.map((half) => this.#levelOf(half, beyond));
    this.#engine.announcer.frameReplayed(token.market, levels);
  }

  /** Quotes to take away: the makers' levels better than the best price that the frame states. */
  #dropBeyond(market: Market, best: StatedBest): Quote[] {
    const dropped: Quote[] = [];
    for (const side of ['bid', 'ask'] as const) {
      for (const level of market.book.levels(side)) {
        if (!isBeyond({ side, price: level.price }, best)) break;
        if (!level.orders.some((order) => order.account === MARKET_MAKER)) continue;
        dropped.push({ side, price: level.price, size: SHARES_ZERO });
        this.#recordedSizes.delete(keyOf(market, side, level.price));
      }
    }
    return dropped;
  }

  /** The quote to set, or none when the recording repeats what it said before. */
  #changed({ market }: Token, quote: Quote, beyond: boolean): Quote[] {
    const key = keyOf(market, quote.side, quote.price);
    if (beyond || this.#recordedSizes.get(key) === quote.size) return [];
    if (quote.size === 0) this.#recordedSizes.delete(key);
    else this.#recordedSizes.set(key, quote.size);
    return [quote];
  }

  #levelOf(row: RecordedRow, beyond: boolean): RecordedLevel {
    const token = this.#engine.directory.token(row.tokenId);
    if (token === undefined) throw new Error(`the recording has a token that was not surveyed: ${row.tokenId}`);
    const { side, price } = quoteOf(row, token);
    const size = beyond ? row.size : token.market.book.sizeAt(side, price);
    return {
      token,
      side: row.side,
      price: row.price,
      size,
      bestBid: this.#presentBest(token, 'bid', row.bestBid),
      bestAsk: this.#presentBest(token, 'ask', row.bestAsk),
    };
  }

  /** The recorded best price, unless a user's order is better or users have bought that level empty. */
  #presentBest({ market, outcome }: Token, tokenSide: BookSide, recorded: Price): Price {
    const side = outcome === 0 ? tokenSide : oppositeSide(tokenSide);
    const recordedUnified = unifiedPrice(recorded, outcome);
    const best = market.book.best(side);
    if (best === undefined) return recorded;
    const isImproved = side === 'bid' ? best > recordedUnified : best < recordedUnified;
    const isBoughtEmpty =
      this.#recordedSizes.has(keyOf(market, side, recordedUnified)) && market.book.sizeAt(side, recordedUnified) === 0;
    return isImproved || isBoughtEmpty ? unifiedPrice(best, outcome) : recorded;
  }
}

function quoteOf(row: RecordedRow, { outcome }: Token): Quote {
  return { side: bookSideOf(row.side, outcome), price: unifiedPrice(row.price, outcome), size: row.size };
}

function statedBest(row: RecordedRow, { outcome }: Token): StatedBest {
  if (outcome === 0) return { bid: row.bestBid, ask: row.bestAsk };
  return { bid: unifiedPrice(row.bestAsk, outcome), ask: unifiedPrice(row.bestBid, outcome) };
}

function isBeyond({ side, price }: { side: BookSide; price: Price }, best: StatedBest): boolean {
  return side === 'bid' ? price > best.bid : price < best.ask;
}

function keyOf(market: Market, side: BookSide, price: Price): string {
  return `${market.listing.id}${side}${price}`;
}
