import { MICRO, microToText, mulDiv } from '@dutchbook/units/micro.ts';
import { isOnTick, PRICE_ONE, priceToNumber, priceToText, type Tick, tickToText } from '@dutchbook/units/price.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { type ClobClient, OrderType, Side as WireSide } from '@polymarket/clob-client-v2';
import { hashTypedData } from 'viem';
import { z } from 'zod';
import type { OrderRequest, SignedOrder } from '../venue.ts';
import { type ChainId, exchangeContract } from './contracts.ts';
import type { OrderVersion } from './listed-market.ts';
import { SALE_AMOUNT_STEP, SIZE_STEP } from './steps.ts';

const TICK_TEXTS = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;
type TickText = (typeof TICK_TEXTS)[number];

const wireOrder = z.object({
  salt: z.string().regex(/^\d{1,16}$/),
  maker: z.string().startsWith('0x'),
  signer: z.string().startsWith('0x'),
  tokenId: z.string().regex(/^\d+$/),
  makerAmount: z.string().regex(/^\d+$/),
  takerAmount: z.string().regex(/^\d+$/),
  side: z.enum(WireSide),
  signatureType: z.number(),
  timestamp: z.string().regex(/^\d+$/),
  metadata: z.string().startsWith('0x'),
  builder: z.string().startsWith('0x'),
  expiration: z.string(),
  signature: z.string().startsWith('0x'),
});
type WireOrder = z.infer<typeof wireOrder>;

/**
 * What `SignedOrder.payload` holds as JSON: everything that is sent, so that posting it again sends the same signed
 * bytes. `cancelRest`: the part that finds no match is to be taken out of the book by us.
 */
const storedOrder = z.object({
  order: wireOrder,
  orderType: z.enum([OrderType.GTC, OrderType.FAK]),
  cancelRest: z.boolean(),
});
export type StoredOrder = z.infer<typeof storedOrder>;

/** What an order is signed under besides its own fields. */
export type SigningTerms = { tick: Tick; negRisk: boolean; version: OrderVersion; chainId: ChainId };

/**
 * Signs without a request to the venue.
 *
 * A buy that must not rest is still signed as one that may: the venue's fill-and-kill buys spend dollars, so a better
 * price brings more shares than asked, and the legs of a set would no longer be equal. Its rest is canceled after it
 * was posted. Fill-and-kill sells count shares and are used as they are.
 *
 * @throws Error when the price is off the grid or out of bounds, or the size has more than two decimals.
 */
export async function signOrder(client: ClobClient, request: OrderRequest, terms: SigningTerms): Promise<SignedOrder> {
  const tick = checkedTick(request, terms.tick);
  // The client validates against its cache, which it would fill by asking the venue and then keep for ever.
  client.tickSizes[request.tokenId] = tick;
  const signed = await client.createOrder(
    {
      tokenID: request.tokenId,
      price: priceToNumber(request.price),
      size: sharesToNumber(request.size),
      side: request.side === 'buy' ? WireSide.BUY : WireSide.SELL,
    },
    { tickSize: tick, negRisk: terms.negRisk, version: terms.version },
  );
  const order = wireOrder.parse(signed);
  checkAmounts(order, request);
  const isKill = request.remainder === 'kill';
  if (isKill && request.side === 'sell') checkMarketAmounts(order);
  const stored: StoredOrder = {
    order,
    orderType: isKill && request.side === 'sell' ? OrderType.FAK : OrderType.GTC,
    cancelRest: isKill && request.side === 'buy',
  };
  return { orderHash: orderHash(order, terms), salt: order.salt, payload: JSON.stringify(stored) };
}

/** Reads a payload back. @throws Error when it is not one that `signOrder` wrote. */
export function readPayload(payload: string): StoredOrder {
  return storedOrder.parse(JSON.parse(payload));
}

/** The EIP-712 hash of an order, which the venue uses as its id: known before the order is sent. */
export function orderHash(
  order: Omit<WireOrder, 'signature' | 'expiration'>,
  terms: Omit<SigningTerms, 'tick'>,
): string {
  return hashTypedData({
    domain: {
      name: 'Polymarket CTF Exchange',
      version: String(terms.version),
      chainId: terms.chainId,
      verifyingContract: hex(exchangeContract(terms)),
    },
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: {
      salt: BigInt(order.salt),
      maker: hex(order.maker),
      signer: hex(order.signer),
      tokenId: BigInt(order.tokenId),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
      side: order.side === WireSide.BUY ? 0 : 1,
      signatureType: order.signatureType,
      timestamp: BigInt(order.timestamp),
      metadata: hex(order.metadata),
      builder: hex(order.builder),
    },
  });
}

const ORDER_FIELDS = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const;

function hex(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}

function checkedTick({ price, size }: OrderRequest, tick: Tick): TickText {
  const text = TICK_TEXTS.find((one) => one === tickToText(tick));
  if (text === undefined) throw new Error(`the venue has no tick size of ${tickToText(tick)}`);
  if (!isOnTick(price, tick)) throw new Error(`price ${priceToText(price)} is not a multiple of the tick ${text}`);
  if (price < tick || price > PRICE_ONE - tick) {
    throw new Error(`price ${priceToText(price)} is not between ${text} and 1 - ${text}`);
  }
  if (size <= 0 || size % SIZE_STEP !== 0) {
    throw new Error(`size ${sharesToText(size)} is not a positive number of shares with at most two decimals`);
  }
  return text;
}

function checkMarketAmounts({ takerAmount }: WireOrder): void {
  if (Number(takerAmount) % SALE_AMOUNT_STEP === 0) return;
  throw new Error(`a sale for $${microToText(Number(takerAmount))} has more than the four decimals the venue takes`);
}

/** The client computes amounts in floating point; an order that does not say exactly what was asked is never sent. */
function checkAmounts(order: WireOrder, { side, price, size }: OrderRequest): void {
  const dollars = mulDiv(size, price, MICRO, 'down');
  const [shares, usd] =
    side === 'buy' ? [order.takerAmount, order.makerAmount] : [order.makerAmount, order.takerAmount];
  if (shares === String(size) && usd === String(dollars)) return;
  const signed = `${microToText(Number(shares))} shares for ${microToText(Number(usd))}`;
  throw new Error(`signing made ${signed} of ${sharesToText(size)} shares at ${priceToText(price)}`);
}
