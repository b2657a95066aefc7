import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares, sharesFromMicro, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { AssetType, type ClobClient, type TradeParams } from '@polymarket/clob-client-v2';
import { type OrderLookup, type VenueFill, type VenueOrder, VenueUnavailable } from '../venue.ts';
import type { Session } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import { callFailure, type Secrets, unavailable } from './errors.ts';
import { fillsOfTrade, namesOrder } from './fills.ts';
import { readOrder } from './orders.ts';
import { balanceAnswer, type WireTrade, wireTrade } from './wire.ts';

const LAST_CURSOR = 'LTE=';
const PAGES_MAX = 10_000;

/** What reading the account needs: a session, or `VenueUnavailable` while there is none. */
export type ReadingContext = {
  session: () => Session;
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
  try {
    const { client } = context.session();
    const order = (await readOne(client, orderHash)) ?? (await readAmongOpen(client, orderHash));
    if (order) return { kind: 'found', order };
    const fills = await ourFills(context, marketId === undefined ? {} : { market: marketId }, (trade) =>
      namesOrder(trade, orderHash),
    );
    const done = doneOrder(fills, orderHash);
    return done ? { kind: 'found', order: done } : { kind: 'absent' };
  } catch (error) {
    return { kind: 'unknown', reason: unavailable('looking up the order', error, context.secrets).message };
  }
}

/** All our open orders. Throws `VenueUnavailable`. */
export function openOrders(context: ReadingContext): Promise<VenueOrder[]> {
  return reading('reading the open orders', context, async ({ client }) => {
    const orders: unknown = await client.getOpenOrders();
    return listOf(orders).map(readOrder);
  });
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
  return reading('reading the balance', context, async ({ client }) => {
    const balance = await readBalance(client, { asset_type: AssetType.COLLATERAL });
    const reserved = listOf(await client.getOpenOrders())
      .map(readOrder)
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
  return reading('reading a holding', context, async ({ client }) => {
    // The client's list of asset types ends before Protocol V2 positions.
    const v2 = 'CONDITIONAL-V2' as string as AssetType;
    const type = context.catalogue.versionOfToken(tokenId) === 3 ? v2 : AssetType.CONDITIONAL;
    const asset = { asset_type: type, token_id: tokenId };
    const first = await readBalance(client, asset);
    if (first > 0) return sharesFromMicro(first);
    await client.updateBalanceAllowance(asset);
    return sharesFromMicro(await readBalance(client, asset));
  });
}

async function readOne(client: ClobClient, orderHash: string): Promise<VenueOrder | null> {
  const raw: unknown = await client.getOrder(orderHash).catch((error: unknown) => {
    if (callFailure(error).status === 404) return null;
    throw error;
  });
  return isNothing(raw) ? null : matching(readOrder(raw), orderHash);
}

async function readAmongOpen(client: ClobClient, orderHash: string): Promise<VenueOrder | null> {
  const raw: unknown = await client.getOpenOrders({ id: orderHash });
  for (const one of listOf(raw)) {
    const order = readOrder(one);
    if (order.orderHash === orderHash) return order;
  }
  return null;
}

/** An order that only its trades still know is done; its size is then what was matched of it. */
function doneOrder(fills: readonly VenueFill[], orderHash: string): VenueOrder | null {
  const ours = fills.filter((fill) => fill.orderHash === orderHash && fill.settlement !== 'failed');
  const last = ours.at(-1);
  if (!last) return null;
  const matchedSize = ours.map((fill) => fill.size).reduce(addShares, SHARES_ZERO);
  const { tokenId, side, price } = last;
  return { orderHash, tokenId, side, price, originalSize: matchedSize, matchedSize, status: 'matched' };
}

async function ourFills(
  context: ReadingContext,
  query: TradeParams,
  isWanted: (trade: WireTrade) => boolean,
): Promise<VenueFill[]> {
  const { client, credentials } = context.session();
  const us = { apiKey: credentials.key, maker: context.maker };
  const fills: VenueFill[] = [];
  for (const trade of await readTrades(client, query)) {
    if (!isWanted(trade)) continue;
    fills.push(...fillsOfTrade(trade, await context.catalogue.knownMarket(trade.market), us));
  }
  return fills;
}

/** The client's own loop over pages never ends when an answer has no cursor, so pages are turned here. */
async function readTrades(client: ClobClient, query: TradeParams): Promise<WireTrade[]> {
  const trades: WireTrade[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await client.getTradesPaginated(query, cursor);
    trades.push(...listOf(answer.trades).map((raw) => wireTrade.parse(raw)));
    const next: unknown = answer.next_cursor;
    if (typeof next !== 'string' || next === '') throw new VenueUnavailable('a page of trades came without a cursor');
    if (next === LAST_CURSOR) return trades;
    cursor = next;
  }
  throw new VenueUnavailable('the pages of trades did not end');
}

async function readBalance(client: ClobClient, asset: { asset_type: AssetType; token_id?: string }): Promise<number> {
  const answer = balanceAnswer.safeParse(await client.getBalanceAllowance(asset));
  if (!answer.success) throw new VenueUnavailable('the balance came without a number');
  return Number(answer.data.balance);
}

async function reading<T>(what: string, context: ReadingContext, read: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await read(context.session());
  } catch (error) {
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

function listOf(raw: unknown): unknown[] {
  if (!Array.isArray(raw)) throw new VenueUnavailable('a list was expected and something else came');
  return raw as unknown[];
}
