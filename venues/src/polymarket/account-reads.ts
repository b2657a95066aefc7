import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares, sharesFromMicro, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { AssetType, type ClobClient } from '@polymarket/clob-client-v2';
import { type OrderLookup, type VenueFill, type VenueOrder, VenueUnavailable } from '../venue.ts';
import type { Session } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import { callFailure, type Secrets, unavailable } from './errors.ts';
import { fillsOfTrade, namesOrder } from './fills.ts';
import type { OrderVersion } from './listed-market.ts';
import { readOrder } from './orders.ts';
import type { Query } from './transport.ts';
import { balanceAnswer, marketOfToken, privatePage, type WireTrade, wireTrade } from './wire.ts';

const FIRST_CURSOR = 'MA==';
const LAST_CURSOR = 'LTE=';
const PAGES_MAX = 10_000;

/** What reading the account needs: a session, or `VenueUnavailable` while there is none. */
export type ReadingContext = {
  session: () => Session;
  /** The venue refused the key of this session. */
  onUnauthorized: (session: Session) => void;
  maker: string;
  catalogue: PolymarketCatalogue;
  secrets: Secrets;
};

/**
 * Asks for one order in the three places it may be: the order itself, the open orders, the trades. The venue may answer
 * with nothing for an order that is done, so `absent` takes three clear answers that none of them has it. A `marketId`
 * narrows the search of the trades.
 */
export async function lookupOrder(
  context: ReadingContext,
  orderHash: string,
  marketId: string | undefined,
): Promise<OrderLookup> {
  let session: Session | null = null;
  try {
    session = context.session();
    const order = (await readOne(session.client, orderHash)) ?? (await readAmongOpen(session, orderHash));
    if (order) return { kind: 'found', order };
    const fills = await ourFills(context, marketId === undefined ? {} : { market: marketId }, (trade) =>
      namesOrder(trade, orderHash),
    );
    const done = doneOrder(fills, orderHash);
    return done ? { kind: 'found', order: done } : { kind: 'absent' };
  } catch (error) {
    noteFailure(context, session, error);
    return { kind: 'unknown', reason: unavailable('looking up the order', error, context.secrets).message };
  }
}

/** All our open orders. Throws `VenueUnavailable`. */
export function openOrders(context: ReadingContext): Promise<VenueOrder[]> {
  return reading('reading the open orders', context, readOpenOrders);
}

/** Our fills in one market that belong to one order. Throws `VenueUnavailable`. */
export function fillsOfOrder(context: ReadingContext, orderHash: string, marketId: string): Promise<VenueFill[]> {
  return reading('reading the fills of an order', context, async () => {
    const fills = await ourFills(context, { market: marketId }, (trade) => namesOrder(trade, orderHash));
    return fills.filter((fill) => fill.orderHash === orderHash);
  });
}

/** Our fills matched at or after `since`; the venue counts in whole seconds. Throws `VenueUnavailable`. */
export function fillsSince(context: ReadingContext, since: Instant): Promise<VenueFill[]> {
  return reading('reading the fills', context, () => {
    const second = Math.floor(since / 1000);
    const isRecent = (fill: VenueFill) => fill.matchedAt >= second * 1000;
    return ourFills(context, { after: String(second - 1) }, () => true).then((fills) => fills.filter(isRecent));
  });
}

/** The balance less what resting buys have reserved of it, never below zero. Throws `VenueUnavailable`. */
export function cashBalance(context: ReadingContext): Promise<Usd> {
  return reading('reading the balance', context, async (session) => {
    const balance = await readBalance(session.client, { asset_type: AssetType.COLLATERAL });
    const reserved = (await readOpenOrders(session))
      .filter((order) => order.side === 'buy')
      .map((order) => notional(unmatched(order), order.price, 'up'))
      .reduce(addUsd, USD_ZERO);
    const free = subtractUsd(usdFromMicro(balance), reserved);
    return free > 0 ? free : USD_ZERO;
  });
}

/**
 * Shares held of a token. The venue answers from a cache that can be behind, so "none" is believed only when it says so
 * again after a refresh. Throws `VenueUnavailable`, also when the answer holds no number: that is not "none".
 */
export function holding(context: ReadingContext, tokenId: string): Promise<Shares> {
  return reading('reading a holding', context, async (session) => {
    const { client } = session;
    // The client's list of asset types ends before Protocol V2 positions.
    const v2 = 'CONDITIONAL-V2' as string as AssetType;
    const type = (await versionOfToken(context, session, tokenId)) === 3 ? v2 : AssetType.CONDITIONAL;
    const asset = { asset_type: type, token_id: tokenId };
    const first = await readBalance(client, asset);
    if (first > 0) return sharesFromMicro(first);
    await client.updateBalanceAllowance(asset);
    return sharesFromMicro(await readBalance(client, asset));
  });
}

/** A token asked for as one of the wrong version reads as "none", so one whose market was not read yet is looked up. */
async function versionOfToken(context: ReadingContext, session: Session, tokenId: string): Promise<OrderVersion> {
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

async function readOne(client: ClobClient, orderHash: string): Promise<VenueOrder | null> {
  const raw: unknown = await client.getOrder(orderHash).catch((error: unknown) => {
    if (callFailure(error).status === 404) return null;
    throw error;
  });
  return isNothing(raw) ? null : matching(readOrder(raw), orderHash);
}

async function readOpenOrders(session: Session): Promise<VenueOrder[]> {
  return (await readPages(session, '/data/orders', {})).map(readOrder);
}

async function readAmongOpen(session: Session, orderHash: string): Promise<VenueOrder | null> {
  const orders = (await readPages(session, '/data/orders', { id: orderHash })).map(readOrder);
  return orders.find((order) => order.orderHash === orderHash) ?? null;
}

/** An order that only its trades still know is done; its size is then what was matched of it. */
function doneOrder(fills: readonly VenueFill[], orderHash: string): VenueOrder | null {
  const ours = fills.filter((fill) => fill.orderHash === orderHash && fill.settlement !== 'failed');
  const last = ours.at(-1);
  if (!last) return null;
  const matchedSize = ours.map((fill) => fill.size).reduce(addShares, SHARES_ZERO);
  const { tokenId, side, price } = last;
  return { orderHash, marketId: null, tokenId, side, price, originalSize: matchedSize, matchedSize, status: 'matched' };
}

async function ourFills(
  context: ReadingContext,
  query: Query,
  isWanted: (trade: WireTrade) => boolean,
): Promise<VenueFill[]> {
  const session = context.session();
  const us = { apiKey: session.credentials.key, maker: context.maker };
  const fills: VenueFill[] = [];
  for (const raw of await readPages(session, '/data/trades', query)) {
    const trade = wireTrade.parse(raw);
    if (!isWanted(trade)) continue;
    fills.push(...fillsOfTrade(trade, await context.catalogue.knownMarket(trade.market), us));
  }
  return fills;
}

/**
 * All items of a private list. The client's own loop over pages would never end on an answer without a cursor, so the
 * pages are turned here.
 */
async function readPages(session: Session, path: '/data/orders' | '/data/trades', query: Query): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor = FIRST_CURSOR;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = privatePage.safeParse(await session.read(path, { ...query, next_cursor: cursor }));
    if (!answer.success) throw new VenueUnavailable(`${path} did not answer with a page`);
    items.push(...answer.data.data);
    if (answer.data.next_cursor === LAST_CURSOR) return items;
    if (answer.data.next_cursor === cursor) throw new VenueUnavailable(`the pages of ${path} do not move on`);
    cursor = answer.data.next_cursor;
  }
  throw new VenueUnavailable(`the pages of ${path} do not end`);
}

async function readBalance(client: ClobClient, asset: { asset_type: AssetType; token_id?: string }): Promise<number> {
  const answer = balanceAnswer.safeParse(await client.getBalanceAllowance(asset));
  if (!answer.success) throw new VenueUnavailable('the balance came without a number');
  return Number(answer.data.balance);
}

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

function matching(order: VenueOrder, orderHash: string): VenueOrder {
  if (order.orderHash !== orderHash) throw new VenueUnavailable('the venue answered with another order');
  return order;
}

function isNothing(raw: unknown): boolean {
  return raw === null || raw === undefined || raw === '' || (typeof raw === 'object' && Object.keys(raw).length === 0);
}
