import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceToText, type Tick, tickToText } from '@dutchbook/units/price.ts';
import { type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import { type Hex, isAddressEqual } from 'viem';
import { z } from 'zod';
import { crosses } from '../../matching/plan.ts';
import { type SignedAmounts, signedPrice, type Terms, termsOf } from '../../matching/signed-amounts.ts';
import type { Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { OrderOutcome, OrderRequest } from '../../matching-engine/order-request.ts';
import type { Account } from '../../matching-engine/records.ts';
import { type Answer, INVALID_ORDER, NO_ORDERBOOK, ok, refused } from './answers.ts';
import { type SigningDomain, signingDomain } from './contracts.ts';
import { walletSignerOf } from './deposit-wallet.ts';
import { wireDelayed, wirePlacement } from './order-shape.ts';
import { orderHash, signerOf } from './signed-order.ts';

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES32 = /^0x[0-9a-fA-F]{64}$/;
const hex = (pattern: RegExp) => z.custom<Hex>((value) => typeof value === 'string' && pattern.test(value));
const baseUnits = z.string().regex(/^[1-9]\d{0,14}$/);

const postedOrder = z.object({
  deferExec: z.boolean().optional(),
  postOnly: z.boolean().optional(),
  owner: z.string(),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
  order: z.object({
    salt: z.int().nonnegative(),
    maker: hex(HEX_ADDRESS),
    signer: hex(HEX_ADDRESS),
    tokenId: z.string().regex(/^\d{1,78}$/),
    makerAmount: baseUnits,
    takerAmount: baseUnits,
    side: z.enum(['BUY', 'SELL']),
    signatureType: z.int().min(0).max(3),
    timestamp: z.string().regex(/^\d{1,15}$/),
    expiration: z
      .string()
      .regex(/^\d{1,12}$/)
      .optional(),
    metadata: hex(BYTES32),
    builder: hex(BYTES32),
    signature: hex(/^0x[0-9a-fA-F]+$/),
  }),
});

type PostedOrder = z.infer<typeof postedOrder>;

/** An order whose shape, owner and signature hold; what remains depends on the book at the moment of placing. */
export interface VerifiedOrder {
  readonly id: Hex;
  readonly account: Account;
  readonly token: Token;
  readonly posted: PostedOrder;
}

/** Signature type of a wallet that is a contract and maker and signer of its orders. */
const DEPOSIT_WALLET = 3;

/** GTD orders must live at least this long. */
const MIN_LIFETIME_MS = 180_000;
const MARKETABLE_MINIMUM = usdFromText('1');
const SHARES_OF_2_DECIMALS = 10_000;
const AMOUNT_OF_2_DECIMALS = 10_000;
const FOUR_DECIMALS = 4;

const entryOfToken = z.object({ order: z.object({ tokenId: z.string() }) });

/** The token an entry names, before anything about it has been checked: faults may single it out. */
export function tokenIdsIn(entries: readonly unknown[]): string[] {
  return entries.flatMap((entry) => {
    const parsed = entryOfToken.safeParse(entry);
    return parsed.success ? [parsed.data.order.tokenId] : [];
  });
}

/** Checks shape, identity and signature. The signature must be the key's own, under its market's contract. */
export function verifyOrder(entry: unknown, account: Account, engine: MatchingEngine): VerifiedOrder | Answer {
  const parsed = postedOrder.safeParse(entry);
  if (!parsed.success) return INVALID_ORDER;
  const posted = parsed.data;
  const { order } = posted;
  if (posted.owner !== account.apiKey) return refused(400, 'the order owner has to be the owner of the API KEY');
  const isWallets = order.signatureType === DEPOSIT_WALLET;
  if (!isWallets && !isAddressEqual(order.signer, account.address as Hex)) {
    return refused(400, 'the order signer address has to be the address of the API KEY');
  }
  const isOwn = order.signatureType === 0 || isWallets;
  if (isOwn && !isAddressEqual(order.maker, order.signer)) return INVALID_ORDER;
  const token = engine.directory.token(order.tokenId);
  if (token === undefined) return NO_ORDERBOOK;
  const { protocol, negRisk } = token.market.listing;
  const domain = signingDomain({ protocol, negRisk });
  if (isSigned(order, account, domain)) return { id: orderHash(order, domain), account, token, posted };
  const otherProtocol = protocol === 'v1' ? 'v2' : 'v1';
  const isOtherVersion = isSigned(order, account, signingDomain({ protocol: otherProtocol, negRisk }));
  return refused(400, isOtherVersion ? 'order_version_mismatch' : 'invalid signature');
}

/** The key of the account signs for itself, for a proxy or a safe, and for a deposit wallet, which is asked in its own way. */
function isSigned(order: PostedOrder['order'], account: Account, domain: SigningDomain): boolean {
  const { signature, signatureType } = order;
  const recovered =
    signatureType === DEPOSIT_WALLET
      ? walletSignerOf(order, signature, domain)
      : signerOf(orderHash(order, domain), signature);
  return recovered !== undefined && isAddressEqual(recovered, account.address as Hex);
}

/** Checks the order against its market as it is now and places it. */
export function submitOrder(verified: VerifiedOrder, engine: MatchingEngine): Answer {
  const { id, account, token, posted } = verified;
  const { market } = token;
  const now = engine.clock.now();
  if (engine.register.orders.has(id)) return invalid(id, 'Duplicated.');
  if (!market.isAccepting) return refused(400, 'the market is not yet ready to process new orders');
  const expiry = expiryOf(posted, now);
  if (expiry === 'invalid') return refused(400, 'invalid expiration');
  const isImmediate = posted.orderType === 'FOK' || posted.orderType === 'FAK';
  if (isImmediate && posted.postOnly === true) return INVALID_ORDER;

  const amounts = amountsOf(posted);
  const terms = termsOf(amounts, posted.orderType, market.tick);
  if (terms === undefined) return breaksTick(id, amounts, market.tick);
  const unfit = checkSize(verified, terms, amounts);
  if (unfit !== undefined) return unfit;
  const request: OrderRequest = {
    id,
    account: account.address,
    makerAddress: posted.order.maker,
    token,
    side: posted.order.side,
    limit: terms.limit,
    shares: terms.shares,
    quantity: terms.quantity,
    timeInForce: posted.orderType,
    postOnly: posted.postOnly === true,
    expiresAt: expiry,
  };
  const dropped = engine.holdAndDrop(request);
  if (dropped !== undefined) return ok(wireDelayed(dropped));
  const { contract } = signingDomain(market.listing);
  if (!engine.allowances.covers(request, contract)) return NOT_ENOUGH;
  const isDelayed = market.delayMs > 0 && !request.postOnly && isMarketable(verified, terms);
  return isDelayed ? ok(wireDelayed(engine.hold(request))) : answerOf(engine.place(request));
}

/** Whether the order would trade at once. */
function isMarketable({ token, posted }: VerifiedOrder, { limit }: Terms): boolean {
  return crosses(token.market.book, { side: posted.order.side, outcome: token.outcome, limit });
}

function checkSize(verified: VerifiedOrder, terms: Terms, amounts: SignedAmounts): Answer | undefined {
  const { id, posted } = verified;
  const { market } = verified.token;
  const { side } = posted.order;
  const isImmediate = posted.orderType === 'FOK' || posted.orderType === 'FAK';
  if (!isImmediate && terms.shares % SHARES_OF_2_DECIMALS !== 0) return INVALID_ORDER;
  if (!isImmediate && terms.shares < market.listing.minSize) return tooSmall(id, terms.shares, market.listing.minSize);
  const decimals = side === 'BUY' ? boughtDecimals(market.tick) : FOUR_DECIMALS;
  const isTooFine = amounts.makerAmount % AMOUNT_OF_2_DECIMALS !== 0 || amounts.takerAmount % unitOf(decimals) !== 0;
  if (isImmediate && isTooFine) {
    const orders = side === 'BUY' ? 'market buy orders' : 'sell orders';
    return refused(
      400,
      `invalid amounts, the ${orders} maker amount supports a max accuracy of 2 decimals, taker amount a max of ${decimals} decimals`,
    );
  }
  const tradesNow = isImmediate || isMarketable(verified, terms);
  if (side === 'BUY' && tradesNow && amounts.makerAmount < MARKETABLE_MINIMUM) {
    const value = usdToText(amounts.makerAmount as Usd);
    return refused(400, `invalid amount for a marketable BUY order ($${value}), min size: $1`);
  }
  return undefined;
}

/**
 * Of shares for dollars: two more than a price of that tick has, as clients sign them. On fine ticks some were refused with
 * four and others with five named as the most; of dollars for shares four were named at every tick.
 */
function boughtDecimals(tick: Tick): number {
  const [, decimals = ''] = tickToText(tick).split('.');
  return Math.max(FOUR_DECIMALS, decimals.length + 2);
}

/** The smallest amount of so many decimals, in base units. */
function unitOf(decimals: number): number {
  return 10 ** (6 - decimals);
}

function amountsOf({ order }: PostedOrder): SignedAmounts {
  return { side: order.side, makerAmount: Number(order.makerAmount), takerAmount: Number(order.takerAmount) };
}

function expiryOf(posted: PostedOrder, now: Instant): Instant | null | 'invalid' {
  const expiresMs = Number(posted.order.expiration ?? '0') * 1000;
  if (posted.orderType !== 'GTD') return expiresMs === 0 ? null : 'invalid';
  return expiresMs >= now + MIN_LIFETIME_MS ? instantFromMs(expiresMs) : 'invalid';
}

/** The venue's text for missing balance and missing allowance alike. */
const NOT_ENOUGH = refused(400, 'not enough balance / allowance');

function answerOf(outcome: OrderOutcome): Answer {
  if (outcome.kind === 'accepted') return ok(wirePlacement(outcome));
  const texts = {
    'crosses book': 'invalid post-only order: order crosses book',
    'not fully filled': "order couldn't be fully filled. FOK orders are fully filled or killed.",
    'nothing to match':
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
  } as const;
  return outcome.reason === 'not enough funds' ? NOT_ENOUGH : refused(400, texts[outcome.reason]);
}

function invalid(id: string, reason: string): Answer {
  return refused(400, `order ${id} is invalid. ${reason}`);
}

function breaksTick(id: string, amounts: SignedAmounts, tick: Tick): Answer {
  const price = priceToText(signedPrice(amounts));
  return invalid(id, `Price (${price}) breaks minimum tick size rule: ${tickToText(tick)}`);
}

function tooSmall(id: string, shares: Shares, minimum: Shares): Answer {
  return invalid(id, `Size (${sharesToText(shares)}) lower than the minimum: ${sharesToText(minimum)}`);
}
