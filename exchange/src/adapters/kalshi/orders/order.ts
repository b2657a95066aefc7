import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { MarketOfVenue } from '../catalogue/listing.ts';
import type { Accumulator } from '../fees.ts';
import type { Member } from '../members.ts';

export type OrderStatus = 'resting' | 'canceled' | 'executed';

/** Why an order changed, in the venue's words. */
export type UpdateReason =
  | 'Amend'
  | 'Decrease'
  | 'SelfTradeCancel'
  | 'ExpiryCancel'
  | 'CloseCancel'
  | 'HaltCancel'
  | 'Trade'
  | 'PostOnlyCrossCancel'
  | 'ReduceOnlyCancel'
  | null;

export interface VenueOrder {
  readonly id: string;
  clientId: string | null;
  readonly member: Member;
  readonly subaccount: number;
  readonly pocket: string;
  readonly ticker: string;
  /** Always of YES: a bid is for it, an ask against it. */
  readonly side: 'bid' | 'ask';
  price: Price;
  /** The filled size plus the size that may still fill. */
  count: Shares;
  readonly expiresAt: Instant | null;
  readonly postOnly: boolean;
  readonly cancelsOnPause: boolean;
  readonly selfTrade: SelfTrade;
  readonly groupId: string | null;
  readonly createdAt: Instant;
  readonly accumulator: Accumulator;
  readonly asTaker: { cost: Usd; fees: Usd };
  readonly asMaker: { cost: Usd; fees: Usd };
  updatedAt: Instant;
  filled: Shares;
  /** Size filled before the order was placed anew. */
  filledBefore: Shares;
  status: OrderStatus;
  reason: UpdateReason;
}

export type SelfTrade = 'taker_at_cross' | 'maker';

/** An order whose form, price and market have been looked at. */
export interface NewOrder {
  readonly member: Member;
  readonly subaccount: number;
  readonly market: MarketOfVenue;
  readonly clientId: string | null;
  readonly side: 'bid' | 'ask';
  readonly price: Price;
  readonly count: Shares;
  readonly timeInForce: 'fill_or_kill' | 'immediate_or_cancel' | 'good_till_canceled';
  readonly selfTrade: SelfTrade;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly cancelsOnPause: boolean;
  readonly expiresAt: Instant | null;
  readonly groupId: string | null;
}

/** The new terms of a resting order. */
export interface Amendment {
  readonly price: Price;
  /** With what is filled of it. */
  readonly count: Shares;
  /** Another name than it has had; null to keep that. */
  readonly clientId: string | null;
}

export type Refusal =
  | 'order_group_triggered'
  | 'not_found'
  | 'invalid_order'
  | 'AMEND_ORDER_NO_OP'
  | 'order_already_exists'
  | 'fill_or_kill_insufficient_resting_volume'
  | 'trading_is_paused'
  /** The mirrored venue's book cannot be read; answered as a pause. */
  | 'book_out_of_reach'
  | 'exchange_is_paused'
  | 'insufficient_balance';

export type Placed = { readonly order: VenueOrder } | { readonly refused: Refusal };
