import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, unifiedPrice } from '../../matching/order.ts';
import { type Quote, quoteDifference } from '../../matching/quotes.ts';
import type { Market, Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { UpstreamFrame, UpstreamLevel } from '../upstream/frames.ts';
import { keyOf, ShownBook } from './shown-book.ts';

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
  readonly #shown = new Map<Market, ShownBook>();
  readonly #takenFrom = new Set<Market>();
  /** Is called before a change is applied. */
  onMove: (move: LevelMove) => void = () => {};

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    engine.announcer.listen({ traded: ({ market }) => this.#takenFrom.add(market) });
  }

  /** What the venue shows at a price, whatever the paper account has taken of it. */
  shownAt(market: Market, side: BookSide, price: Price): Shares {
    return this.#shown.get(market)?.sizeAt(side, price) ?? SHARES_ZERO;
  }

  /** When the venue showed what is shown of a market, in its own time. */
  shownSince(market: Market): Instant {
    return this.#shown.get(market)?.since ?? market.bookAt;
  }

  /** A whole book. Clients get theirs anew unless it is what they have. */
  replace(token: Token, { levels, at, tick }: Extract<UpstreamFrame, { kind: 'book' }>): void {
    const { market } = token;
    if (tick !== undefined && tick !== market.tick) this.#engine.setTickSize(market, tick);
    const shown = this.#shown.get(market) ?? this.#begin(market, at);
    const moved = shown.replace(levels.map((level) => quoteOf(level, token)));
    shown.since = at;
    const isNews = !market.hasBooks || moved.length > 0 || market.bookAt < at;
    market.hasBooks = true;
    if (!isNews) return;
    this.#at(market, at, () => {
      for (const quote of moved) this.onMove({ ...quote, market, at });
      if (market.book.isEmpty && !this.#takenFrom.has(market)) market.book.display(shown);
      this.#engine.replayQuotes(market, market.book.isDisplayed ? [] : moved);
      if (this.#takenFrom.has(market) && quoteDifference(market, shown.quotes()).length === 0)
        this.#takenFrom.delete(market);
      this.#engine.announcer.bookReplaced(market);
    });
  }

  /** Changes of levels of one market, announced as one frame. Nothing happens before its book is known. */
  change(market: Market, levels: readonly UpstreamLevel[], at: Instant): void {
    const shown = this.#shown.get(market);
    if (shown === undefined || !market.hasBooks) return;
    shown.since = at;
    const changed = new Map<number, Quote>();
    const repeated = new Map<number, Omit<Quote, 'size'>>();
    for (const level of levels) {
      const token = this.#engine.directory.token(level.tokenId);
      if (token === undefined) continue;
      const quote = quoteOf(level, token);
      const key = keyOf(quote);
      if (shown.set(quote)) {
        this.onMove({ ...quote, market, at });
        changed.set(key, quote);
      } else if (!changed.has(key)) repeated.set(key, quote);
    }
    const [moved, asTheyStand] = [[...changed.values()], [...repeated.values()]];
    this.#at(market, at, () => {
      if (market.book.isDisplayed) this.#engine.setQuotes(market, [], [...asTheyStand, ...moved]);
      else this.#engine.setQuotes(market, moved, asTheyStand);
    });
  }

  /** As `change`, of what clients have been sent as it came. Only of a market that shows what the venue shows, without orders of the account. */
  noteSentOn(market: Market, levels: readonly UpstreamLevel[], at: Instant): void {
    const shown = this.#shown.get(market);
    if (shown === undefined) return;
    for (const level of levels) {
      const token = this.#engine.directory.token(level.tokenId);
      if (token !== undefined) shown.set(quoteOf(level, token));
    }
    shown.since = at;
    market.book.display(shown);
    this.#at(market, at, () => this.#engine.replayQuotes(market, []));
  }

  /** Whether the paper account has taken something of what the venue shows. */
  isTakenFrom(market: Market): boolean {
    return this.#takenFrom.has(market);
  }

  #begin(market: Market, at: Instant): ShownBook {
    const shown: ShownBook = new ShownBook(at, () =>
      this.#at(market, market.bookAt, () => this.#engine.replayQuotes(market, shown.quotes())),
    );
    this.#shown.set(market, shown);
    return shown;
  }

  trade(token: Token, trade: Extract<UpstreamFrame, { kind: 'trade' }>): void {
    if (!token.market.hasBooks) return;
    this.#at(token.market, trade.at, () => this.#engine.replayTrade(token, trade));
  }

  /** A market that is followed no more keeps only what the account has taken of its levels. */
  leave(market: Market): void {
    this.cutOff(market);
    if (this.#takenFrom.has(market)) return;
    if (market.book.isDisplayed) market.book.clear();
    this.#at(market, market.bookAt, () => this.#engine.replayQuotes(market, quoteDifference(market, [])));
    this.forget(market);
  }

  /** A market is not listed any more. */
  forget(market: Market): void {
    this.#shown.delete(market);
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
