import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, oppositeSide, unifiedPrice } from '../../matching/order.ts';
import { afterLevel, behind, fillsOf, type QueuePlace } from '../../matching/queue.ts';
import type { Market, Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { isStanding, type OrderRecord } from '../../matching-engine/records.ts';
import type { LevelMove, MirroredBooks } from '../books/mirrored-books.ts';
import type { MarketFollows } from '../follows.ts';
import type { UpstreamFrame } from '../upstream/frames.ts';

interface Standing {
  readonly market: Market;
  readonly order: OrderRecord;
  readonly side: BookSide;
  readonly price: Price;
  /** Undefined until the book of its market is known, after a restart. */
  place: QueuePlace | undefined;
  /** Earlier trades are already in the depth that was displayed when the order took its place. */
  since: Instant;
}

/** Standing orders of the paper account: their markets are followed, and trades of the real venue fill them in their turn. */
export class StandingOrders {
  readonly #engine: MatchingEngine;
  readonly #books: MirroredBooks;
  readonly #feed: MarketFollows;
  readonly #lateMs: number;
  readonly #byMarket = new Map<Market, Map<string, Standing>>();

  /** @param lateMs by how much the time of a trade may be after that of the book which shows it */
  constructor(engine: MatchingEngine, books: MirroredBooks, feed: MarketFollows, lateMs: number) {
    this.#engine = engine;
    this.#books = books;
    this.#feed = feed;
    this.#lateMs = lateMs;
  }

  /** Takes up the orders that a restart has brought back, and each that comes or goes from now on. */
  start(): void {
    for (const order of this.#engine.register.orders.values()) this.#note(order);
    this.#engine.announcer.listen({ orderChanged: (order) => this.#note(order) });
  }

  /** Markets in which an order of the account stands. */
  markets(): Market[] {
    return [...this.#byMarket.keys()];
  }

  /** Whether an order of the account stands in the market. */
  has(market: Market): boolean {
    return this.#byMarket.has(market);
  }

  /** How much the venue shows before an order at its price; undefined where it does not stand, or its place is not known yet. */
  ahead(orderId: string): Shares | undefined {
    return [...this.#byMarket.values()].flatMap((here) => here.get(orderId)?.place?.ahead ?? [])[0];
  }

  /** Whether an order stood in the market by then. */
  hadBy(market: Market, at: Instant): boolean {
    return [...(this.#byMarket.get(market)?.values() ?? [])].some(({ since }) => since <= at);
  }

  /** The venue shows another size at a price. */
  levelMoved({ market, side, price, size, at }: LevelMove): void {
    for (const standing of this.#byMarket.get(market)?.values() ?? []) {
      if (standing.side !== side || standing.price !== price || standing.place === undefined) continue;
      standing.place = afterLevel(standing.place, size, at);
    }
  }

  /** A whole book has come: orders without a place are behind what it displays. */
  bookReplaced(market: Market): void {
    for (const standing of this.#byMarket.get(market)?.values() ?? []) {
      if (standing.place !== undefined) continue;
      standing.place = behind(this.#books.shownAt(market, standing.side, standing.price));
      standing.since = this.#since(market);
    }
  }

  /** A trade of the venue: the orders that it would have reached are filled. */
  traded({ market, outcome }: Token, trade: Extract<UpstreamFrame, { kind: 'trade' }>): void {
    const here = this.#byMarket.get(market);
    if (here === undefined || !market.hasBooks) return;
    const side = oppositeSide(bookSideOf(trade.side, outcome));
    const price = unifiedPrice(trade.price, outcome);
    const waiting = [...here].flatMap(([id, { side: ofOrder, price: limit, place, since, order }]) =>
      place === undefined || trade.at < since
        ? []
        : [
            {
              id,
              side: ofOrder,
              price: limit,
              place,
              remaining: (order.originalShares - order.matchedShares) as Shares,
            },
          ],
    );
    const outcomes = fillsOf({ side, price, size: trade.size, at: trade.at }, waiting);
    for (const { id, place } of outcomes) {
      const standing = here.get(id);
      if (standing !== undefined) standing.place = place;
    }
    for (const { id, filled } of outcomes) if (filled > 0) this.#engine.tradeWithStanding(market, id, filled);
  }

  /** In the time of the venue, as its trades are. */
  #since(market: Market): Instant {
    return (this.#books.shownSince(market) + this.#lateMs) as Instant;
  }

  #note(order: OrderRecord): void {
    const market = this.#engine.directory.market(order.conditionId);
    if (market === undefined) return;
    const here = this.#byMarket.get(market) ?? new Map<string, Standing>();
    if (!isStanding(order)) {
      if (here.delete(order.id)) this.#feed.unfollow(market);
      if (here.size === 0) this.#byMarket.delete(market);
      return;
    }
    const known = here.get(order.id);
    // An order placed anew under its id queues behind the size displayed then.
    if (known?.order === order) return;
    const side = bookSideOf(order.side, order.outcome);
    const price = unifiedPrice(order.limit, order.outcome);
    const place = market.hasBooks ? behind(this.#books.shownAt(market, side, price)) : undefined;
    here.set(order.id, { market, order, side, price, place, since: this.#since(market) });
    this.#byMarket.set(market, here);
    if (known === undefined) this.#feed.follow(market);
  }
}
