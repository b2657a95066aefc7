import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { OutcomeIndex, Side } from '../matching/order.ts';
import type { TimeInForce } from '../matching/signed-amounts.ts';
import type { Transfer } from '../matching/transfer.ts';

/** A user who trades through an API key; `address` is the wallet and names the account in the ledger. */
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
  readonly originalShares: Shares;
  readonly timeInForce: TimeInForce;
  /** When a GTD order expires by its own words; absent for the other types. */
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
  matchedShares: Shares;
  status: OrderStatus;
  readonly tradeIds: string[];
}

/** Whether the order stands in its book. */
export function isStanding({ status }: OrderRecord): boolean {
  return status === 'LIVE' || status === 'UNMATCHED';
}

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

/** One side of a trade. `orderId` may belong to the makers of the house. */
export interface TradeSide {
  readonly orderId: string;
  readonly account: string;
  readonly tokenId: string;
  readonly outcome: OutcomeIndex;
  readonly side: Side;
  readonly price: Price;
}

/** One match between a taker order and one maker order: one exact price. */
export interface TradeRecord {
  readonly id: string;
  readonly conditionId: string;
  readonly taker: TradeSide;
  readonly maker: TradeSide;
  readonly shares: Shares;
  readonly fee: Usd;
  readonly matchedAt: Instant;
  readonly transfer: Transfer;
  updatedAt: Instant;
  status: TradeStatus;
  /** Empty until the trade has been sent to the chain. */
  transactionHash: string;
}
