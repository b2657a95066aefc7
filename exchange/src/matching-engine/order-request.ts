import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { RefusalReason } from '../matching/matcher.ts';
import type { Quantity, Side } from '../matching/order.ts';
import type { TimeInForce } from '../matching/signed-amounts.ts';
import type { Token } from './market.ts';
import type { OrderRecord, OrderStatus, TradeRecord } from './records.ts';

/** A user's order after its signature, price and size have been checked. */
export interface OrderRequest {
  readonly id: string;
  readonly account: string;
  readonly makerAddress: string;
  readonly token: Token;
  readonly side: Side;
  readonly limit: Price;
  readonly shares: Shares;
  readonly quantity: Quantity;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly expiresAt: Instant | null;
}

export type OrderOutcome =
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | {
      readonly kind: 'accepted';
      readonly order: OrderRecord;
      /** The immediate trade; undefined where there was none. */
      readonly trade: TradeRecord | undefined;
    };

/** The record of an order that was just accepted. */
export function orderOf(request: OrderRequest, status: OrderStatus, now: Instant): OrderRecord {
  return {
    id: request.id,
    account: request.account,
    makerAddress: request.makerAddress,
    conditionId: request.token.market.listing.conditionId,
    tokenId: request.token.tokenId,
    outcome: request.token.outcome,
    side: request.side,
    limit: request.limit,
    originalShares: request.shares,
    timeInForce: request.timeInForce,
    expiresAt: request.expiresAt,
    createdAt: now,
    matchedShares: SHARES_ZERO,
    status,
    tradeIds: [],
  };
}
