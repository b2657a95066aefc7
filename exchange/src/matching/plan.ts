import { complement, type Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { notional, sharesForUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { Book } from './book.ts';
import { takerFee } from './fee.ts';
import {
  bookSideOf,
  type Fill,
  type IncomingOrder,
  MARKET_MAKER,
  oppositeSide,
  type RestingOrder,
  unifiedPrice,
} from './order.ts';

/** A match that has been found but not booked. */
export interface PlannedFill {
  readonly maker: RestingOrder;
  readonly fill: Fill;
}

/** What an arriving order would get: its fills in price-time order, and the shares it would still want. */
export interface FillPlan {
  readonly fills: readonly PlannedFill[];
  /** Dollars or shares that found no match, in the order's own quantity; both 0 when it is filled. */
  readonly unfilledShares: Shares;
  readonly unfilledUsd: Usd;
}

/** Whether the best opposite price satisfies the order's limit. */
export function crosses(book: Book, order: Pick<IncomingOrder, 'side' | 'outcome' | 'limit'>): boolean {
  const side = bookSideOf(order.side, order.outcome);
  const best = book.best(oppositeSide(side));
  return best !== undefined && satisfiesLimit(order, best);
}

/** Walks the opposite side of the book from its best price, without changing anything. */
export function planFills(book: Book, order: IncomingOrder): FillPlan {
  const fills: PlannedFill[] = [];
  const want = new Appetite(order);
  for (const level of book.levels(oppositeSide(bookSideOf(order.side, order.outcome)))) {
    if (!satisfiesLimit(order, level.price)) break;
    const takerPrice = unifiedPrice(level.price, order.outcome);
    for (const maker of level.orders) {
      if (order.account === MARKET_MAKER && maker.account === MARKET_MAKER) continue;
      if (order.meets !== undefined && order.meets !== maker.id) continue;
      const shares = minShares(maker.remaining, want.sharesAt(takerPrice));
      if (shares === 0) return want.plan(fills);
      const fill = matchOf(order, maker, takerPrice, shares);
      want.took(fill);
      fills.push({ maker, fill });
    }
  }
  return want.plan(fills);
}

/** The unfilled rest, in the quantity in which the order was signed. */
class Appetite {
  #shares: Shares;
  #usd: Usd;
  #allowed: Shares;
  readonly #inDollars: boolean;

  constructor(order: IncomingOrder) {
    this.#inDollars = order.quantity.kind === 'dollars';
    this.#shares = order.quantity.kind === 'shares' ? order.quantity.shares : SHARES_ZERO;
    this.#usd = order.quantity.kind === 'dollars' ? order.quantity.usd : (0 as Usd);
    this.#allowed = order.matchAtMost ?? (Number.MAX_SAFE_INTEGER as Shares);
  }

  sharesAt(price: Price): Shares {
    if (!this.#inDollars) return minShares(this.#allowed, this.#shares);
    return minShares(this.#allowed, price === 0 ? SHARES_ZERO : sharesForUsd(this.#usd, price, 'down'));
  }

  took(fill: Fill): void {
    this.#allowed = subtractShares(this.#allowed, fill.shares);
    if (this.#inDollars) this.#usd = subtractUsd(this.#usd, fill.takerUsd);
    else this.#shares = subtractShares(this.#shares, fill.shares);
  }

  plan(fills: readonly PlannedFill[]): FillPlan {
    return { fills, unfilledShares: this.#shares, unfilledUsd: this.#usd };
  }
}

/**
 * The match at the maker's price. A fraction of a micro-dollar falls to the maker, so the two sides of a mint or a
 * merge add up to exactly one dollar per share.
 */
function matchOf(order: IncomingOrder, maker: RestingOrder, takerPrice: Price, shares: Shares): Fill {
  const takerUsd = notional(shares, takerPrice, order.side === 'BUY' ? 'up' : 'down');
  const sameToken = maker.outcome === order.outcome;
  const fee = order.account === MARKET_MAKER ? (0 as Usd) : takerFee(shares, takerPrice, order.takerFeeRate);
  return {
    makerOrderId: maker.id,
    makerAccount: maker.account,
    makerSide: maker.side,
    makerOutcome: maker.outcome,
    makerPrice: sameToken ? takerPrice : complement(takerPrice),
    takerPrice,
    shares,
    takerUsd,
    makerUsd: sameToken ? takerUsd : ((shares - takerUsd) as Usd),
    fee: order.side === 'SELL' && fee > takerUsd ? takerUsd : fee,
  };
}

function satisfiesLimit(order: Pick<IncomingOrder, 'side' | 'outcome' | 'limit'>, unified: Price): boolean {
  const price = unifiedPrice(unified, order.outcome);
  return order.side === 'BUY' ? price <= order.limit : price >= order.limit;
}
