import type { Market } from '@dutchbook/engine/market/market.ts';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { type Settlement, type VenueFill, VenueUnavailable } from '../venue.ts';
import type { WireMakerOrder, WireTrade } from './wire.ts';

/** How we recognise ourselves among the makers of a trade. */
export type Ourselves = { apiKey: string; maker: string };

/**
 * Our fills in a trade. As taker there is one, at the taker's price, with the taker's fee. As maker there is one for
 * each of our orders among the makers, without a fee; such an order may be for the other outcome, because two buys of
 * opposite outcomes match as well. Throws `VenueUnavailable` when the fee is due and its rate is not known.
 */
export function fillsOfTrade(trade: WireTrade, market: Pick<Market, 'id' | 'feeRate'>, us: Ourselves): VenueFill[] {
  const settlement = tradeSettlement(trade.status);
  const matchedAt = tradeTime(trade);
  const common = { tradeId: trade.id, settlement, matchedAt };
  const fills: VenueFill[] = (trade.maker_orders ?? [])
    .filter((maker) => isOurs(maker, us))
    .map((maker) => ({
      ...common,
      orderHash: maker.order_id,
      tokenId: maker.asset_id,
      side: makerSide(maker, trade),
      price: priceFromText(maker.price),
      size: sharesFromText(maker.matched_amount),
      fee: USD_ZERO,
    }));
  if ((trade.trader_side ?? 'TAKER').toUpperCase() === 'MAKER') return fills;
  if (market.feeRate === null) throw new VenueUnavailable(`the fee rate of market ${market.id} is not known`);
  const price = priceFromText(trade.price);
  const size = sharesFromText(trade.size);
  const fee = takerFee(size, price, market.feeRate);
  const side = trade.side === 'BUY' ? 'buy' : 'sell';
  fills.push({ ...common, orderHash: trade.taker_order_id, tokenId: trade.asset_id, side, price, size, fee });
  return fills;
}

/**
 * How far a trade is settled. Only `confirmed` and `failed` are final. A word we do not know is taken for the least
 * that is certain: matched.
 */
export function tradeSettlement(text: string): Settlement {
  const word = text
    .trim()
    .toUpperCase()
    .replace(/^TRADE_STATUS_/, '');
  if (word.startsWith('CONFIRMED')) return 'confirmed';
  if (word.startsWith('MINED')) return 'mined';
  if (word.startsWith('RETRYING')) return 'retrying';
  return word.startsWith('FAILED') ? 'failed' : 'matched';
}

/** A time of the venue, which comes in seconds or in milliseconds, as text or as a number. */
export function wireInstant(value: string | number): Instant {
  const number = Number(value);
  return instantFromMs(number < 1e11 ? Math.round(number * 1000) : Math.round(number));
}

/** Whether one of our orders is in the trade as `orderHash`, on either side. */
export function namesOrder(trade: WireTrade, orderHash: string): boolean {
  return trade.taker_order_id === orderHash || (trade.maker_orders ?? []).some((one) => one.order_id === orderHash);
}

function tradeTime(trade: WireTrade): Instant {
  const value = trade.match_time ?? trade.matchtime ?? trade.timestamp;
  if (value === null || value === undefined || value === '') {
    throw new VenueUnavailable(`trade ${trade.id} came without the time of its match`);
  }
  return wireInstant(value);
}

function isOurs(maker: WireMakerOrder, us: Ourselves): boolean {
  return maker.owner === us.apiKey || maker.maker_address?.toLowerCase() === us.maker.toLowerCase();
}

/** Where a maker's side is left out it follows from the taker's: opposite for the same token, the same for the other. */
function makerSide(maker: WireMakerOrder, trade: WireTrade): 'buy' | 'sell' {
  if (maker.side) return maker.side === 'BUY' ? 'buy' : 'sell';
  const isOpposite = maker.asset_id === trade.asset_id;
  return (trade.side === 'BUY') === isOpposite ? 'sell' : 'buy';
}
