import type { Instant } from '@dutchbook/units/instant.ts';
import { MICRO, microToText, mulDiv } from '@dutchbook/units/micro.ts';
import { isOnTick, PRICE_ONE, type Price, priceToText, type Tick, tickToText } from '@dutchbook/units/price.ts';
import { type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { z } from 'zod';
import type { NewOrder, OrderRequest, VenueRuntime } from '../venue.ts';
import type { TradingAccount } from './auth.ts';
import { DEPOSIT_WALLET, type HashTerms, hashAndSign } from './placing/order-hash.ts';
import { BOUGHT_STEP, IMMEDIATE_BUY_STEP, SALE_AMOUNT_STEP, SIZE_STEP } from './steps.ts';

const TICK_TEXTS = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;

const wireOrder = z.object({
  salt: z.string().regex(/^\d{1,16}$/),
  maker: z.string().startsWith('0x'),
  signer: z.string().startsWith('0x'),
  tokenId: z.string().regex(/^\d+$/),
  makerAmount: z.string().regex(/^\d+$/),
  takerAmount: z.string().regex(/^\d+$/),
  side: z.enum(['BUY', 'SELL']),
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
  orderType: z.enum(['GTC', 'GTD', 'FAK']),
  /** Absent of what was stored before it was kept. */
  postOnly: z.optional(z.boolean()),
  cancelRest: z.boolean(),
});
export type StoredOrder = z.infer<typeof storedOrder>;

/** What an order is signed under besides its own fields. */
export type SigningTerms = HashTerms & { tick: Tick };

const NONE = `0x${'0'.repeat(64)}`;

/** Orders of one account: how they are signed, and the clock and the random numbers that tell equal ones apart. */
export type Signing = {
  account: Pick<TradingAccount, 'address' | 'maker' | 'signatureType' | 'signHash'>;
  runtime: Pick<VenueRuntime, 'now' | 'random'>;
};

/**
 * Signs without a request to the venue.
 *
 * A buy that spends dollars is a fill-and-kill of the venue. Another buy that must not rest is still signed as one that may: the venue's fill-and-kill buys spend dollars, so a better
 * price brings more shares than asked, and the legs of a set would no longer be equal. Its rest is canceled after it
 * was posted. Fill-and-kill sells count shares and are used as they are.
 *
 * @throws Error when the price is off the grid or out of bounds, or the size has more than two decimals.
 */
export function signOrder({ account, runtime }: Signing, request: OrderRequest, terms: SigningTerms): NewOrder {
  checkGrid(request, terms.tick);
  checkResting(request);
  const { side, price, tokenId, spends = null } = request;
  const { size, dollars } = spends === null ? amountsOf(request) : amountsOfSpending(price, spends);
  const now = runtime.now();
  const unsigned = {
    salt: String(Math.round(runtime.random() * now)),
    maker: account.maker,
    signer: account.signatureType === DEPOSIT_WALLET ? account.maker : account.address,
    tokenId,
    makerAmount: String(side === 'buy' ? dollars : size),
    takerAmount: String(side === 'buy' ? size : dollars),
    side: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
    signatureType: account.signatureType,
    timestamp: String(now),
    metadata: NONE,
    builder: NONE,
    expiration: expirationOf(request, now),
  };
  const isKill = request.remainder === 'kill';
  const isFillAndKill = spends !== null || (isKill && side === 'sell');
  if (isKill && side === 'sell') checkMarketAmounts(dollars);
  const { orderHash, signature } = hashAndSign(unsigned, terms, account.signHash);
  const order: WireOrder = { ...unsigned, signature };
  const stored: StoredOrder = {
    order,
    orderType: isFillAndKill ? 'FAK' : request.expiresAt === undefined ? 'GTC' : 'GTD',
    postOnly: request.postOnly === true,
    cancelRest: isKill && !isFillAndKill,
  };
  return { orderHash, salt: order.salt, payload: JSON.stringify(stored), size };
}

/** Without a rest: price and size have at most six decimals together. */
function amountsOf({ size, price }: OrderRequest): { size: Shares; dollars: number } {
  return { size, dollars: mulDiv(size, price, MICRO, 'down') };
}

/** The shares say at which price at most. */
function amountsOfSpending(price: Price, spends: Usd): { size: Shares; dollars: number } {
  if (spends <= 0 || spends % IMMEDIATE_BUY_STEP !== 0)
    throw new Error(`a buy for $${microToText(spends)} is not for whole cents`);
  const size = mulDiv(spends, MICRO, price, 'down');
  return { size: (size - (size % BOUGHT_STEP)) as Shares, dollars: spends };
}

const READ_MAX = 64;
/** The last that were read, by their payloads: what was just signed is probably posted next. */
const lastRead = new Map<string, StoredOrder>();

/** Reads a payload back; the result is shared and must not be changed. @throws Error when it is not one that `signOrder` wrote. */
export function readPayload(payload: string): StoredOrder {
  const known = lastRead.get(payload);
  if (known !== undefined) return known;
  const read = storedOrder.parse(JSON.parse(payload));
  const [oldest] = lastRead.keys();
  if (oldest !== undefined && lastRead.size >= READ_MAX) lastRead.delete(oldest);
  lastRead.set(payload, read);
  return read;
}

function checkGrid({ price, size }: OrderRequest, tick: Tick): void {
  const text = TICK_TEXTS.find((one) => one === tickToText(tick));
  if (text === undefined) throw new Error(`the venue has no tick size of ${tickToText(tick)}`);
  if (!isOnTick(price, tick)) throw new Error(`price ${priceToText(price)} is not a multiple of the tick ${text}`);
  if (price < tick || price > PRICE_ONE - tick) {
    throw new Error(`price ${priceToText(price)} is not between ${text} and 1 - ${text}`);
  }
  if (size <= 0 || size % SIZE_STEP !== 0) {
    throw new Error(`size ${sharesToText(size)} is not a positive number of shares with at most two decimals`);
  }
}

function checkResting({ remainder, postOnly, expiresAt }: OrderRequest): void {
  if (remainder === 'kill' && (postOnly === true || expiresAt !== undefined))
    throw new Error('an order that may not rest is neither post-only nor does it expire');
}

/** The venue takes an order off a minute before it expires by its own words, and wants those to be three minutes ahead. */
const TAKEN_OFF_EARLY_MS = 60_000;
const LEAST_LIFETIME_MS = 180_000 - TAKEN_OFF_EARLY_MS;

/** In whole seconds, so that it is off the book at `expiresAt`; not signed. */
function expirationOf({ expiresAt }: OrderRequest, now: Instant): string {
  if (expiresAt === undefined) return '0';
  if (expiresAt < now + LEAST_LIFETIME_MS + 1_000)
    throw new Error(`the venue takes no order that expires in less than ${LEAST_LIFETIME_MS / 1000 + 1} seconds`);
  return String(Math.floor((expiresAt + TAKEN_OFF_EARLY_MS) / 1000));
}

function checkMarketAmounts(dollars: number): void {
  if (dollars % SALE_AMOUNT_STEP === 0) return;
  throw new Error(`a sale for $${microToText(dollars)} has more than the four decimals the venue takes`);
}
