import type { Price, Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { LevelChange, Side } from '../matching/order.ts';
import type { Market, Token } from './market.ts';
import type { OrderChange, OrderRecord, TradeRecord } from './records.ts';

/** One row of a recorded frame: a token's level and the best prices the venue stated with it. */
export interface RecordedLevel {
  readonly token: Token;
  readonly side: Side;
  readonly price: Price;
  readonly size: Shares;
  readonly bestBid: Price;
  readonly bestAsk: Price;
}

/** Events of the engine for streams and journal. Every listener gets all of them, in order. */
export interface Announcements {
  levelsChanged(market: Market, changes: readonly LevelChange[]): void;
  /** A frame of a recording, to be sent on as it was. */
  frameReplayed(market: Market, levels: readonly RecordedLevel[]): void;
  /** A trade of a recording, without accounts of this exchange. */
  tradeReplayed(token: Token, trade: { price: Price; size: Shares; side: Side }): void;
  bookReplaced(market: Market): void;
  traded(token: Token, trade: TradeRecord): void;
  orderChanged(order: OrderRecord, change: OrderChange): void;
  /** An order that had to be filled whole and could not be; it is on no record. */
  orderKilled(order: OrderRecord): void;
  tradeChanged(trade: TradeRecord): void;
  tickSizeChanged(market: Market, previous: Tick): void;
  marketChanged(market: Market): void;
  marketResolved(market: Market): void;
  accountChanged(address: string): void;
}

export type Listener = Partial<Announcements>;

/** Calls the same announcement on every listener. */
export class Announcer implements Announcements {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  levelsChanged(market: Market, changes: readonly LevelChange[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener.levelsChanged?.(market, changes);
  }

  frameReplayed(market: Market, levels: readonly RecordedLevel[]): void {
    for (const listener of this.#listeners) listener.frameReplayed?.(market, levels);
  }

  tradeReplayed(token: Token, trade: { price: Price; size: Shares; side: Side }): void {
    for (const listener of this.#listeners) listener.tradeReplayed?.(token, trade);
  }

  bookReplaced(market: Market): void {
    for (const listener of this.#listeners) listener.bookReplaced?.(market);
  }

  traded(token: Token, trade: TradeRecord): void {
    for (const listener of this.#listeners) listener.traded?.(token, trade);
  }

  orderChanged(order: OrderRecord, change: OrderChange): void {
    for (const listener of this.#listeners) listener.orderChanged?.(order, change);
  }

  orderKilled(order: OrderRecord): void {
    for (const listener of this.#listeners) listener.orderKilled?.(order);
  }

  tradeChanged(trade: TradeRecord): void {
    for (const listener of this.#listeners) listener.tradeChanged?.(trade);
  }

  tickSizeChanged(market: Market, previous: Tick): void {
    for (const listener of this.#listeners) listener.tickSizeChanged?.(market, previous);
  }

  marketChanged(market: Market): void {
    for (const listener of this.#listeners) listener.marketChanged?.(market);
  }

  marketResolved(market: Market): void {
    for (const listener of this.#listeners) listener.marketResolved?.(market);
  }

  accountChanged(address: string): void {
    for (const listener of this.#listeners) listener.accountChanged?.(address);
  }
}
