import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, type LevelChange, unifiedPrice } from '../../matching/order.ts';
import { type Quote, quoteDifference } from '../../matching/quotes.ts';
import type { Market, Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { UpstreamFrame, UpstreamLevel } from '../upstream/frames.ts';

/** The levels that the real venue shows in a market, by side and price of the unified book. */
type ShownLevels = Map<number, Quote>;

/** Another displayed size at a price of the unified book. */
export interface LevelMove extends Quote {
  readonly market: Market;
  readonly at: Instant;
}

/**
 * Keeps the books of this exchange as the real venue shows them. What the paper account has bought of a level stays gone until the
 * venue says another size of that level.
 */
export class MirroredBooks {
  readonly #engine: MatchingEngine;
  readonly #shown = new Map<Market, ShownLevels>();
  /** Levels that were sent to clients and not yet applied to the books. */
  readonly #behind = new Map<Market, Map<number, Quote>>();
  /** When the venue showed what is shown. */
  readonly #shownSince = new Map<Market, Instant>();
  readonly #takenFrom = new Set<Market>();
  /** Is called before a change is applied. */
  onMove: (move: LevelMove) => void = () => {};

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    engine.announcer.listen({ traded: ({ market }) => this.#takenFrom.add(market) });
  }

  /** What the venue shows at a price, whatever the paper account has taken of it. */
  shownAt(market: Market, side: BookSide, price: Price): Shares {
    return this.#shown.get(market)?.get(keyOf({ side, price }))?.size ?? SHARES_ZERO;
  }

  /** When the venue showed what is shown of a market, in its own time. */
  shownSince(market: Market): Instant {
    return this.#shownSince.get(market) ?? market.bookAt;
  }

  /** Everything that the venue shows in a market. */
  levelsOf(market: Market): Quote[] {
    return [...(this.#shown.get(market)?.values() ?? [])];
  }

  /** A whole book. Clients get theirs anew unless it is what they have. */
  replace(token: Token, { levels, at, tick }: Extract<UpstreamFrame, { kind: 'book' }>): void {
    const { market } = token;
    if (tick !== undefined && tick !== market.tick) this.#engine.setTickSize(market, tick);
    const wanted = new Map(levels.map((level) => quoteOf(level, token)).map((quote) => [keyOf(quote), quote]));
    const known = this.#shown.get(market) ?? new Map<number, Quote>();
    const emptied = [...known.values()].filter((quote) => !wanted.has(keyOf(quote)));
    const changed = [...wanted.values()].filter((quote) => known.get(keyOf(quote))?.size !== quote.size);
    this.#shown.set(market, wanted);
    this.#shownSince.set(market, at);
    const isNews = !market.hasBooks || emptied.length > 0 || changed.length > 0 || market.bookAt < at;
    market.hasBooks = true;
    if (!isNews) return;
    this.#at(market, at, () => {
      const quotes = [...emptied.map((quote) => ({ ...quote, size: SHARES_ZERO })), ...changed];
      for (const quote of quotes) this.onMove({ ...quote, market, at });
      this.#engine.replayQuotes(market, quotes);
      if (quoteDifference(market, [...wanted.values()]).length === 0) this.#takenFrom.delete(market);
      this.#engine.announcer.bookReplaced(market);
    });
  }

  /** Changes of levels of one market, announced as one frame. Nothing happens before its book is known. */
  change(market: Market, levels: readonly UpstreamLevel[], at: Instant): void {
    const shown = this.#shown.get(market);
    if (shown === undefined || !market.hasBooks) return;
    this.#shownSince.set(market, at);
    const changed = new Map<number, Quote>();
    const repeated = new Map<number, Omit<LevelChange, 'size'>>();
    for (const level of levels) {
      const token = this.#engine.directory.token(level.tokenId);
      if (token === undefined) continue;
      const quote = quoteOf(level, token);
      const key = keyOf(quote);
      const before = shown.get(key)?.size ?? SHARES_ZERO;
      if (before !== quote.size) {
        this.onMove({ ...quote, market, at });
        changed.set(key, quote);
      } else if (!changed.has(key)) repeated.set(key, quote);
      if (quote.size > 0) shown.set(key, quote);
      else shown.delete(key);
    }
    this.#at(market, at, () => this.#engine.setQuotes(market, [...changed.values()], [...repeated.values()]));
  }

  /**
   * As `change`, of what clients have been sent as it came: the book itself catches up when it is next read. Only of a market that
   * shows what the venue shows, without orders of the paper account.
   */
  noteSentOn(market: Market, levels: readonly UpstreamLevel[], at: Instant): void {
    const shown = this.#shown.get(market);
    if (shown === undefined) return;
    const behind = this.#behind.get(market) ?? new Map<number, Quote>();
    for (const level of levels) {
      const token = this.#engine.directory.token(level.tokenId);
      if (token === undefined) continue;
      const quote = quoteOf(level, token);
      const key = keyOf(quote);
      if (quote.size > 0) shown.set(key, quote);
      else shown.delete(key);
      behind.set(key, quote);
    }
    this.#shownSince.set(market, at);
    if (at > market.bookAt) market.bookAt = at;
    if (this.#behind.has(market)) return;
    this.#behind.set(market, behind);
    market.book.isBehind(() => this.#catchUp(market));
  }

  /** Whether the paper account has taken something of what the venue shows. */
  isTakenFrom(market: Market): boolean {
    return this.#takenFrom.has(market);
  }

  #catchUp(market: Market): void {
    const behind = this.#behind.get(market);
    this.#behind.delete(market);
    if (behind !== undefined)
      this.#at(market, market.bookAt, () => this.#engine.replayQuotes(market, [...behind.values()]));
  }

  trade(token: Token, trade: Extract<UpstreamFrame, { kind: 'trade' }>): void {
    if (!token.market.hasBooks) return;
    this.#at(token.market, trade.at, () => this.#engine.replayTrade(token, trade));
  }

  /** A market that is followed no more keeps only what the account has taken of its levels. */
  leave(market: Market): void {
    this.cutOff(market);
    if (this.#takenFrom.has(market)) return;
    this.#at(market, market.bookAt, () => this.#engine.replayQuotes(market, quoteDifference(market, [])));
    this.forget(market);
  }

  /** A market is not listed any more. */
  forget(market: Market): void {
    this.#shown.delete(market);
    this.#shownSince.delete(market);
    this.#behind.delete(market);
    this.#takenFrom.delete(market);
  }

  /** The venue is out of reach: clients get no frames of the market until its book is back. */
  cutOff(market: Market): void {
    market.hasBooks = false;
  }

  /** Books carry the time of the venue, which never goes back in one of them. */
  #at(market: Market, at: Instant, apply: () => void): void {
    this.#engine.recordedAt = at > market.bookAt ? at : market.bookAt;
    try {
      apply();
    } finally {
      this.#engine.recordedAt = undefined;
    }
  }
}

function quoteOf({ side, price, size }: UpstreamLevel, { outcome }: Token): Quote {
  return { side: bookSideOf(side, outcome), price: unifiedPrice(price, outcome), size };
}

/** A key by side and price: negative for bids. */
function keyOf({ side, price }: Omit<Quote, 'size'>): number {
  return side === 'bid' ? -price : price;
}
