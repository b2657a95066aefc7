import type { Side } from '@dutchbook/engine/book/level.ts';
import { totalSize } from '@dutchbook/engine/book/walk.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { bookedAsMaker, bookedAsTaker, type Match } from '@dutchbook/engine/order/fill.ts';
import type { OrderName } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import { complement, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Settlement, type VenueFill, VenueUnavailable } from '../venue.ts';
import { MAKER_FEE } from './steps.ts';
import { makerNames, makerOrder, tradeNames, type WireMakerOrder, type WireTrade } from './wire.ts';

/** What the fee of a fill depends on, by the id of its market. */
export type ChargedMarket = Pick<Market, 'id' | 'feeSchedule'>;

/** How we recognise ourselves among the makers of a trade. */
export type Ourselves = { apiKey: string; maker: string };

/**
 * Our fills in a trade; of one order alone where `orderHash` is given. As taker there is one, over all the makers that it
 * met, with a fee for each of them. The rate is the market's: what trades state as theirs reads 0 where a fee was taken. As maker there is one for each of our orders among the makers, without a fee; such an order may be for
 * the other outcome, because two buys of opposite outcomes match as well. Nothing is read of what is not ours. Throws
 * `VenueUnavailable` when the fee is due and its rate is not known, and whatever the parts throw that cannot be read.
 */
export function fillsOfTrade(
  trade: WireTrade,
  market: ChargedMarket,
  us: Ourselves,
  orderHash?: OrderName,
): VenueFill[] {
  const settlement = tradeSettlement(trade.status);
  const matchedAt = tradeTime(trade);
  const common = { tradeId: trade.id, settlement, matchedAt };
  const isWanted = (hash: string) => orderHash === undefined || hash === orderHash;
  const fills: VenueFill[] = ourMakers(trade.maker_orders, us)
    .filter(({ names }) => isWanted(names.order_id))
    .map(({ raw }) => makerOrder.parse(raw))
    .map((maker) => ({
      ...common,
      orderHash: maker.order_id,
      tokenId: maker.asset_id,
      side: makerSide(maker, trade),
      ...asMaker(maker, makerSide(maker, trade)),
    }));
  if (isMaker(trade) || !isWanted(trade.taker_order_id)) return fills;
  if (market.feeSchedule === null) throw new VenueUnavailable(`the fee rate of market ${market.id} is not known`);
  const side = trade.side === 'BUY' ? 'buy' : 'sell';
  const booked = bookedAsTaker(takerMatches(trade), side, market.feeSchedule);
  fills.push({ ...common, orderHash: trade.taker_order_id, tokenId: trade.asset_id, side, ...booked });
  return fills;
}

/**
 * What a taker met, at the prices of its own token: a maker of the other outcome stands at the complement. Where the makers
 * cannot be read, or are not all of the trade, there is only the price that the venue says of the whole.
 */
function takerMatches(trade: WireTrade): Match[] {
  const size = sharesFromText(trade.size);
  const met = (trade.maker_orders ?? []).map((raw) => matchWith(raw, trade));
  const matches = met.filter((match) => match !== null);
  const isWhole = matches.length === met.length && totalSize(matches) === size;
  return isWhole && size > 0 ? matches : [{ price: priceFromText(trade.price), size }];
}

function matchWith(raw: unknown, trade: WireTrade): Match | null {
  const maker = makerOrder.safeParse(raw);
  if (!maker.success) return null;
  try {
    const price = priceFromText(maker.data.price);
    const isSameToken = maker.data.asset_id === trade.asset_id;
    return { price: isSameToken ? price : complement(price), size: sharesFromText(maker.data.matched_amount) };
  } catch (error) {
    if (error instanceof UnitError) return null;
    throw error;
  }
}

function asMaker(maker: WireMakerOrder, side: Side): Pick<VenueFill, 'price' | 'size' | 'cost' | 'fee'> {
  const match = { price: priceFromText(maker.price), size: sharesFromText(maker.matched_amount) };
  return { ...match, ...bookedAsMaker(match, side, MAKER_FEE) };
}

/** What a trade is called, and which of our orders it names, however little else of it can be read. */
export function namesInTrade(raw: unknown, us: Ourselves): { tradeId: string; orderHashes: OrderName[] } {
  const names = tradeNames.safeParse(raw);
  if (!names.success) return { tradeId: '', orderHashes: [] };
  const { id, taker_order_id, maker_orders } = names.data;
  const makers = ourMakers(maker_orders, us).map((maker) => maker.names.order_id);
  return { tradeId: id, orderHashes: isMaker(names.data) ? makers : [taker_order_id, ...makers] };
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

function tradeTime(trade: WireTrade): Instant {
  const value = trade.match_time ?? trade.matchtime ?? trade.timestamp;
  if (value === null || value === undefined || value === '') {
    throw new VenueUnavailable(`trade ${trade.id} came without the time of its match`);
  }
  return wireInstant(value);
}

function isMaker({ trader_side }: { trader_side?: string | null | undefined }): boolean {
  return (trader_side || 'TAKER').toUpperCase() === 'MAKER';
}

function ourMakers(makers: readonly unknown[] | null | undefined, us: Ourselves) {
  return (makers ?? []).flatMap((raw) => {
    const names = makerNames.safeParse(raw);
    if (!names.success) return [];
    const { owner, maker_address } = names.data;
    const isOurs = owner === us.apiKey || maker_address.toLowerCase() === us.maker.toLowerCase();
    return isOurs ? [{ raw, names: names.data }] : [];
  });
}

/** Where a maker's side is left out it follows from the taker's: opposite where both trade one token, equal where they trade one each. */
function makerSide(maker: WireMakerOrder, trade: WireTrade): Side {
  if (maker.side) return maker.side === 'BUY' ? 'buy' : 'sell';
  const isOpposite = maker.asset_id === trade.asset_id;
  return (trade.side === 'BUY') === isOpposite ? 'sell' : 'buy';
}
