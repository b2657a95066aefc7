import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, type RestingOrder, unifiedPrice } from './order.ts';

/** All orders standing at one price, oldest first. */
export interface BookLevel {
  readonly price: Price;
  readonly orders: RestingOrder[];
  total: Shares;
}

/** What another venue shows in a market, in the prices of its first outcome. */
export interface DisplayedBook {
  /** Best price first. */
  levels(side: BookSide): readonly Pick<BookLevel, 'price' | 'total'>[];
  best(side: BookSide): Price | undefined;
  sizeAt(side: BookSide, price: Price): Shares;
  /** Puts each level into the book as an order of the makers. */
  enter(): void;
}

/**
 * The unified book of one binary market, priced in its first outcome. An order for the other outcome stands at the
 * complementary price on the other side, so that one walk finds plain matches, mints and merges in price-time order.
 */
export class Book {
  readonly #levels: Record<BookSide, BookLevel[]> = { bid: [], ask: [] };
  readonly #byId = new Map<string, RestingOrder>();
  #displayed: DisplayedBook | undefined;

  /**
   * Drops all orders and answers with what another venue shows, until something needs orders to trade with: an order of each level takes
   * seven times the memory, and in most markets that are mirrored nothing is ever traded here.
   */
  display(displayed: DisplayedBook): void {
    if (this.#displayed === displayed) return;
    this.clear();
    this.#displayed = displayed;
  }

  /** Whether the book answers with what another venue shows. No order of an account stands in it then. */
  get isDisplayed(): boolean {
    return this.#displayed !== undefined;
  }

  get isEmpty(): boolean {
    return this.#displayed === undefined && this.#byId.size === 0;
  }

  /** Drops all orders, and what is displayed. */
  clear(): void {
    this.#displayed = undefined;
    this.#levels.bid.length = 0;
    this.#levels.ask.length = 0;
    this.#byId.clear();
  }

  /** How much stands at each price of one side, best price first. */
  sizes(side: BookSide): readonly Pick<BookLevel, 'price' | 'total'>[] {
    return this.#displayed?.levels(side) ?? this.#levels[side];
  }

  /** Levels of one side with their orders, best price first. */
  levels(side: BookSide): readonly BookLevel[] {
    this.#enterDisplayed();
    return this.#levels[side];
  }

  best(side: BookSide): Price | undefined {
    return this.#displayed === undefined ? this.#levels[side][0]?.price : this.#displayed.best(side);
  }

  order(id: string): RestingOrder | undefined {
    return this.#byId.get(id);
  }

  sizeAt(side: BookSide, price: Price): Shares {
    if (this.#displayed !== undefined) return this.#displayed.sizeAt(side, price);
    const levels = this.#levels[side];
    const level = levels[positionOf(levels, side, price)];
    return level?.price === price ? level.total : SHARES_ZERO;
  }

  /** How much is met before a standing order: at better prices, and by those that came to its own price before it. */
  ahead(order: RestingOrder): { readonly better: Shares; readonly before: Shares } {
    this.#enterDisplayed();
    const side = bookSideOf(order.side, order.outcome);
    const levels = this.#levels[side];
    const position = positionOf(levels, side, unifiedPrice(order.limit, order.outcome));
    const better = levels.slice(0, position).reduce((sum, { total }) => addShares(sum, total), SHARES_ZERO);
    const orders = levels[position]?.orders ?? [];
    const first = orders.slice(0, Math.max(0, orders.indexOf(order)));
    return { better, before: first.reduce((sum, { remaining }) => addShares(sum, remaining), SHARES_ZERO) };
  }

  /** Puts an order behind all others at its price. */
  add(order: RestingOrder): void {
    this.#enterDisplayed();
    const side = bookSideOf(order.side, order.outcome);
    const price = unifiedPrice(order.limit, order.outcome);
    const levels = this.#levels[side];
    const position = positionOf(levels, side, price);
    const level = levels[position];
    if (level?.price === price) {
      level.orders.push(order);
      level.total = addShares(level.total, order.remaining);
    } else {
      levels.splice(position, 0, { price, orders: [order], total: order.remaining });
    }
    this.#byId.set(order.id, order);
  }

  /** Takes `shares` out of a standing order; an order with nothing left leaves the book. */
  reduce(order: RestingOrder, shares: Shares): void {
    this.#enterDisplayed();
    const side = bookSideOf(order.side, order.outcome);
    const price = unifiedPrice(order.limit, order.outcome);
    const levels = this.#levels[side];
    const position = positionOf(levels, side, price);
    const level = levels[position];
    if (level?.price !== price) throw new Error(`order ${order.id} is not in the book`);
    order.remaining = subtractShares(order.remaining, shares);
    level.total = subtractShares(level.total, shares);
    if (order.remaining > 0) return;
    level.orders.splice(level.orders.indexOf(order), 1);
    if (level.orders.length === 0) levels.splice(position, 1);
    this.#byId.delete(order.id);
  }

  remove(order: RestingOrder): void {
    this.reduce(order, order.remaining);
  }

  #enterDisplayed(): void {
    const displayed = this.#displayed;
    if (displayed === undefined) return;
    this.#displayed = undefined;
    displayed.enter();
  }
}

/** Where `price` stands, or would be inserted, in levels sorted best first. */
function positionOf(levels: readonly BookLevel[], side: BookSide, price: Price): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = levels[middle];
    if (at !== undefined && isBetter(side, at.price, price)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBetter(side: BookSide, a: Price, b: Price): boolean {
  return side === 'bid' ? a > b : a < b;
}
