import type { Instant } from '@dutchbook/units/instant.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { hashId, uuidOf } from '../../../catalogue/ids.ts';
import { FEE_COLLECTOR } from '../../../matching/order.ts';
import type { TradeMaker, TradeRecord } from '../../../matching-engine/records.ts';
import { feeTermsOf, type MarketOfVenue } from '../catalogue/listing.ts';
import { feeOfFill, MEMBER_GRIDS, makerRate, takerRate, tradeFee } from '../fees.ts';
import { moveCash } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';
import type { VenueOrder } from './order.ts';

/** One match as one of its two orders had it. */
export interface Fill {
  /** Shared by the fills of both orders. */
  readonly tradeId: string;
  readonly order: VenueOrder;
  readonly size: Shares;
  readonly yesPrice: Price;
  readonly isTaker: boolean;
  readonly fee: Usd;
  readonly at: Instant;
  /** The account's position after the fill: plus is YES, minus NO. */
  readonly positionAfter: number;
}

/** A match as the public tape shows it. */
export interface PublicTrade {
  readonly id: string;
  readonly ticker: string;
  readonly size: Shares;
  readonly yesPrice: Price;
  readonly takerSide: 'bid' | 'ask';
  readonly at: Instant;
  /** Agreed on between two members beside the book. */
  readonly isBlock: boolean;
}

/** Called for each match, in their order. */
export type TradeListener = { readonly traded: (trade: PublicTrade) => void; readonly filled: (fill: Fill) => void };

/** Every match, and what it cost in fees. */
export class Fills {
  readonly all: Fill[] = [];
  readonly trades: PublicTrade[] = [];
  readonly #venue: KalshiVenue;
  readonly #listeners: TradeListener[] = [];
  readonly #positions = new Map<string, number>();

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
  }

  listen(listener: TradeListener): void {
    this.#listeners.push(listener);
  }

  /** Takes back a fill from a journal. */
  restore(fill: Fill): void {
    this.all.push(fill);
    this.#positions.set(`${fill.order.pocket} ${fill.order.ticker}`, fill.positionAfter);
  }

  /** Shares have gone, or come back, without a trade. */
  alignPositions(): void {
    for (const { order } of this.all) {
      const key = `${order.pocket} ${order.ticker}`;
      this.#positions.set(key, this.#venue.position(order.pocket, order.ticker));
    }
  }

  /** Takes down a trade of the matching engine, each of its matches by itself, and charges the fees. */
  note(trade: TradeRecord): void {
    const { taker, makers, conditionId } = trade;
    const takerBuysYes = (taker.side === 'BUY') === (taker.outcome === 0);
    makers.forEach((maker, place) => {
      const id = `${trade.id.slice(0, -4)}${place.toString(16).padStart(4, '0')}`;
      const yesPrice = taker.outcome === 0 ? maker.takerPrice : complement(maker.takerPrice);
      const shown: PublicTrade = {
        id,
        ticker: conditionId,
        size: maker.shares,
        yesPrice,
        takerSide: takerBuysYes ? 'bid' : 'ask',
        at: trade.matchedAt,
        isBlock: false,
      };
      this.#show(shown);
      this.#fill(shown, maker, { orderId: taker.orderId, isTaker: true, isSale: taker.side === 'SELL' });
      this.#fill(shown, maker, { orderId: maker.orderId, isTaker: false, isSale: maker.side === 'SELL' });
    });
  }

  /** Shows a trade of two other members that met no order of the book. */
  noteBlock({ ticker }: MarketOfVenue, size: Shares, yesPrice: Price): void {
    const at = this.#venue.engine.clock.now();
    const id = uuidOf(hashId('block', at, this.trades.length));
    this.#show({ id, ticker, size, yesPrice, takerSide: 'bid', at, isBlock: true });
  }

  #show(trade: PublicTrade): void {
    this.trades.push(trade);
    for (const { traded } of this.#listeners) traded(trade);
  }

  #fill(
    trade: PublicTrade,
    maker: TradeMaker,
    { orderId, isTaker, isSale }: { orderId: string; isTaker: boolean; isSale: boolean },
  ): void {
    const order = this.#venue.orders.byId(orderId);
    if (order === undefined) return;
    const usd = isTaker ? maker.takerUsd : maker.usd;
    const fee = this.#feeOf(order, trade, { isTaker, revenue: (isSale ? usd : -usd) as Usd });
    moveCash(this.#venue.engine.balances, order.pocket, subtractUsd(USD_ZERO, fee));
    moveCash(this.#venue.engine.balances, FEE_COLLECTOR, fee);
    const ownPrice = order.side === 'bid' ? trade.yesPrice : complement(trade.yesPrice);
    const cost = Math.ceil((trade.size * ownPrice) / 1_000_000) as Usd;
    const costs = isTaker ? order.asTaker : order.asMaker;
    costs.cost = addUsd(costs.cost, cost);
    costs.fees = addUsd(costs.fees, fee);
    order.updatedAt = trade.at;
    const fill: Fill = {
      tradeId: trade.id,
      order,
      size: trade.size,
      yesPrice: trade.yesPrice,
      isTaker,
      fee,
      at: trade.at,
      positionAfter: this.#moved(order, trade.size),
    };
    this.all.push(fill);
    for (const { filled } of this.#listeners) filled(fill);
    if (!isTaker) this.#venue.orders.announce(order);
  }

  /** The account's position after this fill; the balances already have later fills of the same trade. */
  #moved({ pocket, ticker, side }: VenueOrder, size: Shares): number {
    const key = `${pocket} ${ticker}`;
    const position = (this.#positions.get(key) ?? 0) + (side === 'bid' ? size : -size);
    this.#positions.set(key, position);
    return position;
  }

  #feeOf(order: VenueOrder, trade: PublicTrade, { isTaker, revenue }: { isTaker: boolean; revenue: Usd }): Usd {
    const market = this.#venue.market(order.ticker);
    if (market === undefined) return USD_ZERO;
    const { feeWaivedUntil } = this.#venue.states.of(market);
    const isWaived = feeWaivedUntil !== null && trade.at < feeWaivedUntil;
    const terms = feeTermsOf(market.event);
    const rate = isTaker ? takerRate(terms) : makerRate(terms);
    const size = isWaived ? SHARES_ZERO : trade.size;
    const fee = tradeFee(size, trade.yesPrice, rate);
    return feeOfFill(fee, revenue, MEMBER_GRIDS[order.member.kind], order.accumulator);
  }
}
