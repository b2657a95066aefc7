import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { type BookSide, bookSideOf, type RestingOrder, unifiedPrice } from './order.ts';

/** All orders standing at one price, oldest first. */
export interface BookLevel {
  readonly price: Price;
  readonly orders: RestingOrder[];
  total: Shares;
}

/**
 * The unified book of one binary market, priced in its first outcome. An order for the other outcome stands at the
 * complementary price on the other side, so that one walk finds plain matches, mints and merges in price-time order.
 */
export class Book {
  readonly #levels: Record<BookSide, BookLevel[]> = { bid: [], ask: [] };
  readonly #byId = new Map<string, RestingOrder>();
  #catchUp: (() => void) | undefined;

  /** The book is behind: `catchUp` is called once, before anything is read of it or changed in it. */
  isBehind(catchUp: () => void): void {
    this.#catchUp = catchUp;
  }

  /** Levels of one side, best price first. */
  levels(side: BookSide): readonly BookLevel[] {
    this.#beUpToDate();
    return this.#levels[side];
  }

  best(side: BookSide): Price | undefined {
    this.#beUpToDate();
    return this.#levels[side][0]?.price;
  }

  order(id: string): RestingOrder | undefined {
    this.#beUpToDate();
    return this.#byId.get(id);
  }

  sizeAt(side: BookSide, price: Price): Shares {
    this.#beUpToDate();
    const levels = this.#levels[side];
    const level = levels[positionOf(levels, side, price)];
    return level?.price === price ? level.total : SHARES_ZERO;
  }

  /** How much is met before a standing order: at better prices, and by those that came to its own price before it. */
  ahead(order: RestingOrder): { readonly better: Shares; readonly before: Shares } {
    this.#beUpToDate();
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
    this.#beUpToDate();
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
    this.#beUpToDate();
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

  #beUpToDate(): void {
    const catchUp = this.#catchUp;
    if (catchUp === undefined) return;
    this.#catchUp = undefined;
    catchUp();
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
