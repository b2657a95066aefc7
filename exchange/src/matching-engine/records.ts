import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { OutcomeIndex, Side } from '../matching/order.ts';
import type { TimeInForce } from '../matching/signed-amounts.ts';
import type { Transfer } from '../matching/transfer.ts';

/** A user who trades through an API key; `address` is the wallet and names the account in the balances. */
export interface Account {
  readonly address: string;
  readonly nonce: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** `UNMATCHED` stands in the book like `LIVE`: its market held it back, and then it found no match. */
export type OrderStatus = 'LIVE' | 'UNMATCHED' | 'DELAYED' | 'MATCHED' | 'CANCELED' | 'CANCELED_MARKET_RESOLVED';

/** A user's order that was accepted; its id is the hash that the user signed. */
export interface OrderRecord {
  readonly id: string;
  readonly account: string;
  readonly makerAddress: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly outcome: OutcomeIndex;
  readonly side: Side;
  readonly limit: Price;
  /** Less once some of them were taken off it while it stood. */
  originalShares: Shares;
  readonly timeInForce: TimeInForce;
  /** When a GTD order expires by its own words; absent for the other types. */
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
  matchedShares: Shares;
  status: OrderStatus;
  readonly tradeIds: string[];
  /** The exchange has ended it, and answers as if it had never had it. Only faults do that. */
  isForgotten?: boolean;
}

/** The kind of an order update. `FORGOTTEN` is kept from its owner. */
export type OrderChange = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION' | 'FORGOTTEN';

/** Whether the order stands in its book. */
export function isStanding({ status }: OrderRecord): boolean {
  return status === 'LIVE' || status === 'UNMATCHED';
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

/** One side of a trade. `orderId` may belong to the market maker account. */
export interface TradeSide {
  readonly orderId: string;
  readonly account: string;
  readonly tokenId: string;
  readonly outcome: OutcomeIndex;
  readonly side: Side;
  readonly price: Price;
}

/** What one standing order gave to a trade: one match, at its price. */
export interface TradeMaker extends TradeSide {
  readonly shares: Shares;
  /** Dollars that the maker's account paid, or received. */
  readonly usd: Usd;
  /** The price in the taker's token. */
  readonly takerPrice: Price;
  /** Dollars that the taker paid, or received, before the fee; and the taker's fee. */
  readonly takerUsd: Usd;
  readonly fee: Usd;
}

/** A taker order and all the standing orders that it met in one go. The price of `taker` is their average. */
export interface TradeRecord {
  readonly id: string;
  readonly conditionId: string;
  readonly taker: TradeSide;
  /** In the order in which they were met. */
  readonly makers: readonly TradeMaker[];
  /** The sums over the makers. */
  readonly shares: Shares;
  readonly takerUsd: Usd;
  readonly fee: Usd;
  readonly matchedAt: Instant;
  readonly transfer: Transfer;
  updatedAt: Instant;
  status: TradeStatus;
  /** Empty until the trade has been sent to the chain. */
  transactionHash: string;
}

/** All accounts that take part in a trade. */
export function accountsIn({ taker, makers }: TradeRecord): Set<string> {
  return new Set([taker, ...makers].map(({ account }) => account));
}

/** The tokens that change hands in it: one, or both of a market. */
export function tokensIn({ taker, makers }: TradeRecord): string[] {
  return [...new Set([taker, ...makers].map(({ tokenId }) => tokenId))];
}
