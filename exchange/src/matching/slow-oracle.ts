import type { OutcomeIndex, Side } from './order.ts';

/** An order of the oracle, in the terms of its own token. */
export interface OracleOrder {
  readonly id: string;
  readonly account: string;
  readonly side: Side;
  readonly outcome: OutcomeIndex;
  readonly limit: number;
  shares: number;
  readonly sequence: number;
}

export interface OracleFill {
  readonly makerId: string;
  readonly shares: number;
  readonly takerPrice: number;
}

export interface OracleRequest extends Omit<OracleOrder, 'sequence'> {
  readonly dollars: number | undefined;
  readonly remainder: 'rests' | 'dies' | 'kills the whole order';
  readonly postOnly: boolean;
}

const DOLLAR = 1_000_000;

/**
 * The plainest statement of what matching must do, for tests: one list of orders, searched from the start every time.
 * It knows nothing of a unified book: it asks of every pair of orders whether they could trade, and at what price.
 */
export class SlowOracle {
  readonly #standing: OracleOrder[] = [];
  #sequence = 0;

  standing(): readonly OracleOrder[] {
    return this.#standing;
  }

  /** The fills that the order must get, or the reason for which it must be refused (funds aside). */
  place(request: OracleRequest): OracleFill[] | 'refused' {
    const makers = this.#makersFor(request);
    if (request.postOnly && makers.length > 0) return 'refused';
    const fills: OracleFill[] = [];
    let shares = request.shares;
    let dollars = request.dollars;
    for (const maker of makers) {
      const takerPrice = priceForTaker(request, maker);
      const wanted = dollars === undefined ? shares : Number((BigInt(dollars) * BigInt(DOLLAR)) / BigInt(takerPrice));
      const traded = Math.min(wanted, maker.shares);
      if (traded === 0) break;
      fills.push({ makerId: maker.id, shares: traded, takerPrice });
      shares -= traded;
      if (dollars !== undefined) dollars -= ceilingCost(traded, takerPrice);
    }
    const unfilled = dollars === undefined ? shares : dollars;
    if (request.remainder === 'kills the whole order' && unfilled > 0) return 'refused';
    if (request.remainder === 'dies' && fills.length === 0) return 'refused';
    this.#apply(fills);
    if (request.remainder === 'rests' && shares > 0) this.rest({ ...request, shares });
    return fills;
  }

  rest(order: Omit<OracleOrder, 'sequence'>): void {
    const { id, account, side, outcome, limit, shares } = order;
    this.#standing.push({ id, account, side, outcome, limit, shares, sequence: ++this.#sequence });
  }

  cancel(id: string): void {
    const position = this.#standing.findIndex((order) => order.id === id);
    if (position >= 0) this.#standing.splice(position, 1);
  }

  #apply(fills: readonly OracleFill[]): void {
    for (const fill of fills) {
      const maker = this.#standing.find((order) => order.id === fill.makerId);
      if (maker !== undefined) maker.shares -= fill.shares;
      if (maker?.shares === 0) this.cancel(maker.id);
    }
  }

  /** Everyone the order can trade with, the best price for it first, the longest waiting first at one price. */
  #makersFor(request: OracleRequest): OracleOrder[] {
    const better = request.side === 'BUY' ? 1 : -1;
    return this.#standing
      .filter((maker) => canTrade(request, maker))
      .sort((a, b) => better * (priceForTaker(request, a) - priceForTaker(request, b)) || a.sequence - b.sequence);
  }
}

/** Dollars that shares cost, a started micro-dollar counted in full. */
export function ceilingCost(shares: number, price: number): number {
  return Number((BigInt(shares) * BigInt(price) + BigInt(DOLLAR - 1)) / BigInt(DOLLAR));
}

/** Opposite sides of one token; or two buyers who pay a dollar together, or two sellers who ask no more. */
function canTrade(taker: OracleRequest, maker: OracleOrder): boolean {
  if (taker.outcome === maker.outcome) {
    if (taker.side === maker.side) return false;
    return taker.side === 'BUY' ? taker.limit >= maker.limit : taker.limit <= maker.limit;
  }
  if (taker.side !== maker.side) return false;
  return taker.side === 'BUY' ? taker.limit + maker.limit >= DOLLAR : taker.limit + maker.limit <= DOLLAR;
}

function priceForTaker(taker: OracleRequest, maker: OracleOrder): number {
  return taker.outcome === maker.outcome ? maker.limit : DOLLAR - maker.limit;
}
