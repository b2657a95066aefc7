import type { Allowances } from '@dutchbook/engine/risk/allowance.ts';
import { FRACTION_ZERO, type Fraction } from '@dutchbook/units/fraction.ts';
import type { MarketId, OrderName, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares, sharesFromMicro, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { getAddress } from 'viem';
import type { ReadPriority } from '../read-budget.ts';
import type { Query } from '../transport.ts';
import {
  type OrderLookup,
  UnreadableTrade,
  type VenueFill,
  type VenueLog,
  type VenueOrder,
  VenueUnavailable,
} from '../venue.ts';
import type { Session } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import type { SignatureType } from './config.ts';
import { callFailure, type Secrets, unavailable } from './errors.ts';
import { type ChargedMarket, fillsOfTrade, namesInTrade } from './fills.ts';
import type { OrderVersion } from './listed-market.ts';
import { readListedOrder, readOrder } from './orders.ts';
import { FEE_STEP, POCKET } from './steps.ts';
import { balanceAnswer, marketOfToken, privatePage, wireTrade } from './wire.ts';

const FIRST_CURSOR = 'MA==';
const LAST_CURSOR = 'LTE=';
const PAGES_MAX = 10_000;

/** What reading the account needs: a session, or `VenueUnavailable` while there is none. */
export type ReadingContext = {
  session: () => Session;
  /** The venue refused the key of this session. */
  onUnauthorized: (session: Session) => void;
  maker: string;
  signatureType: SignatureType;
  catalogue: PolymarketCatalogue;
  secrets: Secrets;
  log: VenueLog;
  /** The trades that could not be read: their ids, or what came where not even that could be. */
  unreadable: Set<string>;
};

/**
 * Asks for one order in the three places it may be: the order itself, the open orders, the trades. The venue may answer
 * with nothing for an order that is done, so `absent` takes three clear answers that none of them has it. A `marketId`
 * narrows the search of the trades.
 */
export async function lookupOrder(
  context: ReadingContext,
  orderHash: OrderName,
  marketId: MarketId | undefined,
): Promise<OrderLookup> {
  let session: Session | null = null;
  try {
    session = context.session();
    const order = (await readOne(session, orderHash)) ?? (await readAmongOpen(session, orderHash));
    if (order) return { kind: 'found', order };
    // Of the trades only sizes count here, not the fees.
    const fills = await fillsNaming(context, { orderHash, marketId, market: async () => FREE });
    const done = doneOrder(fills, orderHash);
    return done ? { kind: 'found', order: done, byTradesOnly: true } : { kind: 'absent' };
  } catch (error) {
    noteFailure(context, session, error);
    return { kind: 'unknown', reason: unavailable('looking up the order', error, context.secrets).message };
  }
}

/** All our open orders that can be read. Throws `VenueUnavailable`. */
export function openOrders(context: ReadingContext): Promise<VenueOrder[]> {
  return reading('reading the open orders', context, async (session) => {
    const orders: VenueOrder[] = [];
    for (const raw of await readPages(session, '/data/orders', {})) {
      try {
        orders.push(readListedOrder(raw));
      } catch (error) {
        context.log.warn({ reason: reasonOf(error, context) }, 'open order could not be read');
      }
    }
    return orders;
  });
}

/** Our fills in one market that belong to one order. Throws `VenueUnavailable`, also as `UnreadableTrade`. */
export function fillsOfOrder(
  context: ReadingContext,
  { orderHash, marketId, feeRate }: { orderHash: OrderName; marketId: MarketId; feeRate: Fraction | null },
): Promise<VenueFill[]> {
  return reading('reading the fills of an order', context, () => {
    const market = async (id: string): Promise<ChargedMarket> =>
      feeRate === null
        ? await context.catalogue.knownMarket(id)
        : { id, feeSchedule: { rate: feeRate, step: FEE_STEP } };
    return fillsNaming(context, { orderHash, marketId, market });
  });
}

/**
 * Our fills matched at or after `since`, which the venue counts in whole seconds, and the orders of ours in trades that
 * cannot be read. Throws `VenueUnavailable`.
 */
export function fillsSince(
  context: ReadingContext,
  since: Instant,
): Promise<{ fills: Omit<VenueFill, 'fee'>[]; unreadable: string[] }> {
  return reading('reading the fills', context, async (session) => {
    const second = Math.floor(since / 1000);
    const fills: Omit<VenueFill, 'fee'>[] = [];
    const unreadable: string[] = [];
    for (const raw of await readPages(session, '/data/trades', { after: String(second - 1) })) {
      const { tradeId, orderHashes } = namesInTrade(raw, ourselves(context, session));
      try {
        const trade = wireTrade.parse(raw);
        fills.push(...fillsOfTrade(trade, FREE, ourselves(context, session)));
      } catch (error) {
        noteUnreadable(context, raw, tradeId, error);
        unreadable.push(...orderHashes);
      }
    }
    return { fills: fills.filter((fill) => fill.matchedAt >= second * 1000), unreadable };
  });
}

/** The balance less what resting buys have reserved of it, never below zero. Throws `VenueUnavailable`. */
export function cashBalance(
  context: ReadingContext,
): Promise<{ cash: Usd; balance: Usd; pockets: ReadonlyMap<string, Usd>; allowances: Allowances | null }> {
  return reading('reading the balance', context, async (session) => {
    const { balance, allowances } = await readApproved(balancesOf(context, session), {
      asset_type: 'COLLATERAL',
    });
    const reserved = (await readOpenOrders(session))
      .filter((order) => order.side === 'buy')
      .map((order) => notional(unmatched(order), order.price, 'up'))
      .reduce(addUsd, USD_ZERO);
    const free = subtractUsd(usdFromMicro(balance), reserved);
    const cash = free > 0 ? free : USD_ZERO;
    return { cash, balance: usdFromMicro(balance), pockets: new Map([[POCKET, cash]]), allowances };
  });
}

/**
 * Shares held of a token, and what the contracts may move of them. The venue answers from a cache that can be behind, so "none" is believed only when it says so
 * again after a refresh. Throws `VenueUnavailable`, also when the answer holds no number: that is not "none".
 */
export function holding(
  context: ReadingContext,
  tokenId: TokenId,
  priority?: ReadPriority,
): Promise<{ shares: Shares; allowances: Allowances | null }> {
  return reading('reading a holding', context, async (session) => {
    const balances = balancesOf(context, session, priority);
    const asset = await assetOf(context, session, tokenId);
    const first = await readApproved(balances, asset);
    const { balance, allowances } = first.balance > 0 ? first : await readRefreshed(balances, asset);
    return { shares: sharesFromMicro(balance), allowances };
  });
}

/** What a conversion on the chain has moved. Throws `VenueUnavailable`. */
export function refreshHoldings(context: ReadingContext, tokenIds: readonly TokenId[]): Promise<void> {
  return reading('having balances refreshed', context, async (session) => {
    const { refresh } = balancesOf(context, session);
    await refresh({ asset_type: 'COLLATERAL' });
    for (const tokenId of tokenIds) await refresh(await assetOf(context, session, tokenId));
  });
}

async function assetOf(context: ReadingContext, session: Session, tokenId: TokenId): Promise<Asset> {
  const version = await versionOfToken(context, session, tokenId);
  return { asset_type: version === 3 ? 'CONDITIONAL-V2' : 'CONDITIONAL', token_id: tokenId };
}

/** A token asked for as one of the wrong version reads as "none", so one whose market was not read yet is looked up. */
async function versionOfToken(context: ReadingContext, session: Session, tokenId: TokenId): Promise<OrderVersion> {
  const known = context.catalogue.versionOfToken(tokenId);
  if (known !== undefined) return known;
  const answer = marketOfToken.safeParse(await session.read(`/markets-by-token/${encodeURIComponent(tokenId)}`, {}));
  if (!answer.success) throw new VenueUnavailable('the venue did not name the market of a token');
  return context.catalogue.orderVersion(answer.data.condition_id);
}

/** A key that the venue has forgotten is replaced, so that a later call succeeds. */
export function noteFailure(context: ReadingContext, session: Session | null, error: unknown): void {
  if (session && callFailure(error).status === 401) context.onUnauthorized(session);
}

async function readOne(session: Session, orderHash: OrderName): Promise<VenueOrder | null> {
  const raw = await session.read(`/data/order/${orderHash}`, {}).catch((error: unknown) => {
    if (callFailure(error).status === 404) return null;
    throw error;
  });
  return isNothing(raw) ? null : matching(readOrder(raw), orderHash);
}

async function readOpenOrders(session: Session): Promise<VenueOrder[]> {
  return (await readPages(session, '/data/orders', {})).map(readListedOrder);
}

async function readAmongOpen(session: Session, orderHash: OrderName): Promise<VenueOrder | null> {
  const listed = await readPages(session, '/data/orders', { id: orderHash });
  const named = listed.filter((raw) => JSON.stringify(raw).includes(orderHash)).map(readOrder);
  return named.find((order) => order.orderHash === orderHash) ?? null;
}

/** An order that only its trades still know is done; its size is then what was matched of it. */
function doneOrder(fills: readonly VenueFill[], orderHash: OrderName): VenueOrder | null {
  const ours = fills.filter((fill) => fill.orderHash === orderHash && fill.settlement !== 'failed');
  const last = ours.at(-1);
  if (!last) return null;
  const matchedSize = ours.map((fill) => fill.size).reduce(addShares, SHARES_ZERO);
  const { tokenId, side, price } = last;
  return { orderHash, marketId: null, tokenId, side, price, originalSize: matchedSize, matchedSize, status: 'matched' };
}

/** The fills of one order: trades that do not name it need not be readable. */
async function fillsNaming(
  context: ReadingContext,
  { orderHash, marketId, market }: { orderHash: OrderName; marketId: MarketId | undefined; market: MarketOf },
): Promise<VenueFill[]> {
  const session = context.session();
  const fills: VenueFill[] = [];
  for (const raw of await readPages(session, '/data/trades', marketId === undefined ? {} : { market: marketId })) {
    if (!JSON.stringify(raw).includes(orderHash)) continue;
    try {
      const trade = wireTrade.parse(raw);
      fills.push(...fillsOfTrade(trade, await market(trade.market), ourselves(context, session), orderHash));
    } catch (error) {
      if (error instanceof VenueUnavailable) throw error;
      const { tradeId } = namesInTrade(raw, ourselves(context, session));
      noteUnreadable(context, raw, tradeId, error);
      throw new UnreadableTrade(tradeId, reasonOf(error, context));
    }
  }
  return fills;
}

/** Said once of each trade, which comes again with every reading. */
function noteUnreadable(context: ReadingContext, raw: unknown, tradeId: string, error: unknown): void {
  const name = tradeId || JSON.stringify(raw);
  if (context.unreadable.has(name)) return;
  context.unreadable.add(name);
  context.log.warn({ tradeId, reason: reasonOf(error, context) }, 'trade could not be read');
}

type MarketOf = (marketId: MarketId) => Promise<ChargedMarket>;

const FREE: ChargedMarket = { id: '', feeSchedule: { rate: FRACTION_ZERO, step: FEE_STEP } };

function ourselves({ maker }: ReadingContext, session: Session) {
  return { apiKey: session.credentials.key, maker };
}

function reasonOf(error: unknown, { secrets }: ReadingContext): string {
  return secrets.clean(error instanceof Error ? error.message : String(error));
}

/** All items of a private list. */
async function readPages(session: Session, path: '/data/orders' | '/data/trades', query: Query): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor = FIRST_CURSOR;
  const cursors = new Set([cursor]);
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = privatePage.safeParse(await session.read(path, { ...query, next_cursor: cursor }));
    if (!answer.success) throw new VenueUnavailable(`${path} did not answer with a page`);
    items.push(...answer.data.data);
    if (answer.data.next_cursor === LAST_CURSOR) return items;
    cursor = answer.data.next_cursor;
    if (cursors.has(cursor)) throw new VenueUnavailable(`the pages of ${path} do not move on`);
    cursors.add(cursor);
  }
  throw new VenueUnavailable(`the pages of ${path} do not end`);
}

type Asset = { asset_type: 'COLLATERAL' | 'CONDITIONAL' | 'CONDITIONAL-V2'; token_id?: string };
type Balance = { balance: number; allowances: Allowances | null };

type Balances = { read: (asset: Asset) => Promise<Balance>; refresh: (asset: Asset) => Promise<void> };

function balancesOf({ signatureType }: ReadingContext, session: Session, priority?: ReadPriority): Balances {
  const ask = (path: string, asset: Asset) =>
    session.read(path, { ...asset, signature_type: String(signatureType) }, priority);
  return {
    read: async (asset) => readBalance(await ask('/balance-allowance', asset)),
    refresh: async (asset) => void (await ask('/balance-allowance/update', asset)),
  };
}

/** What the venue keeps of a contract that may move nothing can be behind, so that is believed only when it says so again. */
async function readApproved(balances: Balances, asset: Asset): Promise<Balance> {
  const read = await balances.read(asset);
  const isMissing = [...(read.allowances?.values() ?? [])].includes(0);
  return isMissing ? readRefreshed(balances, asset) : read;
}

async function readRefreshed({ read, refresh }: Balances, asset: Asset): Promise<Balance> {
  await refresh(asset);
  return read(asset);
}

function readBalance(raw: unknown): Balance {
  const answer = balanceAnswer.safeParse(raw);
  if (!answer.success) throw new VenueUnavailable('the balance came without a number');
  const { balance, allowances } = answer.data;
  return { balance: Number(balance), allowances: allowances === undefined ? null : byContract(allowances) };
}

/** Most allowances are without a limit, which is more than a number holds. Addresses are compared with their checksums. */
function byContract(allowances: Readonly<Record<string, string>>): Allowances {
  return new Map(
    Object.entries(allowances).map(([contract, amount]) => {
      const allowed = BigInt(amount);
      return [getAddress(contract), allowed > MOST ? Number.MAX_SAFE_INTEGER : Number(allowed)];
    }),
  );
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

async function reading<T>(what: string, context: ReadingContext, read: (session: Session) => Promise<T>): Promise<T> {
  const session = context.session();
  try {
    return await read(session);
  } catch (error) {
    noteFailure(context, session, error);
    throw unavailable(what, error, context.secrets);
  }
}

function unmatched(order: VenueOrder): Shares {
  return order.matchedSize >= order.originalSize ? SHARES_ZERO : subtractShares(order.originalSize, order.matchedSize);
}

function matching(order: VenueOrder, orderHash: OrderName): VenueOrder {
  if (order.orderHash !== orderHash) throw new VenueUnavailable('the venue answered with another order');
  return order;
}

function isNothing(raw: unknown): boolean {
  return raw === null || raw === undefined || raw === '' || (typeof raw === 'object' && Object.keys(raw).length === 0);
}
