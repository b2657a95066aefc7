import type { OrderName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { notional, usdFromText } from '@dutchbook/units/usd.ts';
import { UnreadableTrade, type VenueFill } from '../venue.ts';
import { tokenIdOf } from './ids.ts';
import { directionOf, ownPrice } from './orders.ts';
import { readTime, type WireFill, wireFill } from './wire.ts';

/** @throws UnreadableTrade when a trade is not as documented */
export function readFill(raw: unknown): WireFill {
  const parsed = wireFill.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { trade_id } = (raw ?? {}) as { trade_id?: unknown };
  throw new UnreadableTrade(String(trade_id ?? 'without an id'), parsed.error.issues[0]?.path.join('.') ?? '?');
}

/**
 * One match of the order of this name. Each is final at once and says itself what it cost in fees; whether it bought or sold, the
 * name says, because the venue shows a sale as a purchase of the other outcome.
 */
export function fillOf(wire: WireFill, orderHash: OrderName): VenueFill {
  const { side, outcome } = directionOf(orderHash, wire.book_side);
  const price = ownPrice(priceFromText(wire.yes_price_dollars), outcome);
  const size = sharesFromText(wire.count_fp);
  const at = wire.ts_ms ? instantFromMs(wire.ts_ms) : readTime(wire.created_time);
  if (at === null) throw new UnreadableTrade(wire.trade_id, 'it has no time');
  return {
    tradeId: wire.trade_id,
    orderHash,
    tokenId: tokenIdOf(wire.market_ticker, outcome),
    side,
    price,
    size,
    cost: notional(size, price, side === 'buy' ? 'up' : 'down'),
    fee: usdFromText(wire.fee_cost),
    settlement: 'confirmed',
    matchedAt: at,
  };
}
