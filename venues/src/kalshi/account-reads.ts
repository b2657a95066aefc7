import { setTimeout as pause } from 'node:timers/promises';
import type { MarketId, OrderName, TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { microFromText } from '@dutchbook/units/micro.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { ReadPriority } from '../read-budget.ts';
import type { Query } from '../transport.ts';
import {
  type OrderLookup,
  UnreadableTrade,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
  VenueUnavailable,
} from '../venue.ts';
import {
  FILLS,
  ORDERS,
  ofSubaccount,
  type Place,
  POSITIONS,
  pages,
  type ReadingContext,
  secondsText,
} from './account-lists.ts';
import { type KalshiApi, venueTimeAtMost } from './api.ts';
import { fillOf, readFill } from './fills.ts';
import { oldFills, oldOrders } from './history.ts';
import { marketIdOf, ofToken, tickerOf, tokenIdOf } from './ids.ts';
import { orderName, readName, readOrder } from './orders.ts';
import { accountBalance, exchangeShards, oneOrder, readTime, userDataTime, type WireFill } from './wire.ts';

const REMEMBERED = 20_000;
const NOT_FOUND = 404;
/** Between the venue's clock and ours, and for what was signed a while before it was sent. */
const LISTED_SINCE_MARGIN_MS = 600_000;
/** How long a lookup waits for the venue's reads to catch up with the sending. */
const CATCH_UP_MS = 2_000;
const CATCH_UP_STEP_MS = 200;

/** Keeps the newest; what was dropped is read again. */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/**
 * Asks for an order by our name, which the venue lists but cannot look up. It is absent only where a whole list without it was read
 * after the venue's reads had passed the moment of its sending.
 */
export async function lookupOrder(
  context: ReadingContext,
  orderHash: OrderName,
  marketId: MarketId | undefined,
): Promise<OrderLookup> {
  const asked = venueTimeAtMost(context.api, context.runtime.now());
  if (!context.sentBy.has(orderHash)) remember(context.sentBy, orderHash, asked);
  try {
    const known = context.places.get(orderHash);
    const read = known === undefined ? null : await orderById(context, known.orderId);
    if (read !== null) return { kind: 'found', order: read };
    const sentBy = context.sentBy.get(orderHash) ?? asked;
    const isCaughtUp = await catchUp(context.api, sentBy);
    const since = readName(orderHash)?.signedAt;
    const found = (await listOrders(context, { marketId, since })).find((order) => order.orderHash === orderHash);
    if (found !== undefined) return { kind: 'found', order: found };
    if (known !== undefined) return { kind: 'unknown', reason: 'the venue took it and does not show it' };
    return isCaughtUp ? { kind: 'absent' } : { kind: 'unknown', reason: "the venue's reads are behind its orders" };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return { kind: 'unknown', reason: error.message };
  }
}

/** Whether what the account is shown is newer than `at`; waits for it a little. */
async function catchUp(api: KalshiApi, at: Instant): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += CATCH_UP_STEP_MS) {
    if (await haveReadsPassed(api, at)) return true;
    if (waitedMs >= CATCH_UP_MS) return false;
    await pause(CATCH_UP_STEP_MS);
  }
}

/** `at`: by the venue's clock. */
export async function haveReadsPassed(api: Pick<KalshiApi, 'get'>, at: Instant): Promise<boolean> {
  return (await readsShowTo(api)) >= at;
}

/** The time, by the venue's clock, up to which the account's reads are complete. */
async function readsShowTo(api: Pick<KalshiApi, 'get'>): Promise<Instant> {
  const parsed = userDataTime.safeParse(await api.get('/exchange/user_data_timestamp'));
  const shown = parsed.success ? readTime(parsed.data.as_of_time) : null;
  if (shown === null) throw new VenueUnavailable('the time of the account’s data came in an unknown shape');
  return shown;
}

/** Null where the venue does not show it: its reads may be behind, or it has gone to history. */
async function orderById(context: ReadingContext, orderId: string): Promise<VenueOrder | null> {
  try {
    const parsed = oneOrder.safeParse(await context.api.get(`/portfolio/orders/${orderId}`));
    if (!parsed.success) throw new VenueUnavailable('an order came in an unknown shape');
    return keep(context, parsed.data.order);
  } catch (error) {
    if (error instanceof VenueUnavailable && error.cause === NOT_FOUND) return null;
    throw error;
  }
}

export async function openOrders(context: ReadingContext): Promise<VenueOrder[]> {
  const orders = await pages(context, ORDERS, { status: 'resting' });
  return orders.map((raw) => keep(context, raw));
}

async function listOrders(
  context: ReadingContext,
  { marketId, since }: { marketId: MarketId | undefined; since: Instant | undefined },
): Promise<VenueOrder[]> {
  const ticker = marketId === undefined ? null : tickerOf(marketId);
  const from = since === undefined ? undefined : listedSince(since);
  const orders = await pages(context, ORDERS, {
    ...(ticker === null ? {} : { ticker }),
    ...(from === undefined ? {} : { min_ts: secondsText(from) }),
  });
  // Read after the current list: fills that leave that list meanwhile are in history.
  const old = from === undefined ? [] : await oldOrders(context, { since: from, ticker });
  return [...orders, ...old].map((raw) => keep(context, raw));
}

function listedSince(signedAt: Instant): Instant {
  return instantFromMs(Math.max(0, signedAt - LISTED_SINCE_MARGIN_MS));
}

function keep(context: ReadingContext, raw: unknown): VenueOrder {
  try {
    const order = readOrder(raw);
    notePlace(context, order);
    return order;
  } catch (error) {
    throw new VenueUnavailable(`an order cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function notePlace(context: ReadingContext, { orderHash, venueName, marketId }: VenueOrder): void {
  const ticker = marketId === null ? null : tickerOf(marketId);
  if (venueName === undefined || ticker === null) return;
  remember(context.places, orderHash, { orderId: venueName, ticker });
  remember(context.names, venueName, orderHash);
}

/** Where an order is, asked for where it is not known. Throws VenueUnavailable where that cannot be told. */
async function placeOf(context: ReadingContext, orderHash: OrderName, marketId?: MarketId): Promise<Place | null> {
  const known = context.places.get(orderHash);
  if (known !== undefined) return known;
  const lookup = await lookupOrder(context, orderHash, marketId);
  if (lookup.kind === 'unknown') throw new VenueUnavailable(lookup.reason);
  return context.places.get(orderHash) ?? null;
}

export async function fillsOfOrder(
  context: ReadingContext,
  orderHash: OrderName,
  marketId: MarketId,
): Promise<VenueFill[]> {
  const place = await placeOf(context, orderHash, marketId);
  if (place === null) return [];
  const raws = await pages(context, FILLS, { order_id: place.orderId });
  const signedAt = readName(orderHash)?.signedAt;
  const old =
    signedAt === undefined ? [] : await oldFills(context, { since: listedSince(signedAt), ticker: place.ticker });
  const ofOrder = old.filter((raw) => (raw as { order_id?: unknown } | null)?.order_id === place.orderId);
  return [...raws, ...ofOrder].map((raw) => {
    try {
      return fillOf(readFill(raw), orderHash);
    } catch (error) {
      if (error instanceof UnreadableTrade) context.unreadable.add(error.tradeId);
      throw error;
    }
  });
}

/** Fills say the venue's name of their order alone. */
export async function fillsSince(
  context: ReadingContext,
  since: Instant,
): Promise<{ fills: VenueFill[]; unreadable: string[] }> {
  const listed = await pages(context, FILLS, { min_ts: secondsText(since) });
  const old = await oldFills(context, { since, ticker: null });
  // An order of history is not shown by its name: what it was called is read from the list.
  if (old.length > 0) for (const raw of await oldOrders(context, { since, ticker: null })) keep(context, raw);
  const raws = [...listed, ...old];
  const fills: VenueFill[] = [];
  const unreadable: string[] = [];
  for (const raw of raws) {
    try {
      const wire = readFill(raw);
      fills.push(fillOf(wire, await nameOf(context, wire)));
    } catch (error) {
      if (!(error instanceof UnreadableTrade)) throw error;
      context.unreadable.add(error.tradeId);
      const { order_id } = (raw ?? {}) as { order_id?: unknown };
      unreadable.push(context.names.get(String(order_id)) ?? orderName(null, String(order_id)));
    }
  }
  return { fills: fills.filter(({ matchedAt }) => matchedAt >= since), unreadable };
}

/** What we call the order of a fill; its own name where the venue does not show the order any more. */
export async function nameOf(context: ReadingContext, wire: WireFill): Promise<OrderName> {
  if (wire.client_order_id) return orderName(wire.client_order_id, wire.order_id);
  const known = context.names.get(wire.order_id);
  if (known !== undefined) return known;
  const read = await orderById(context, wire.order_id);
  return read?.orderHash ?? orderName(null, wire.order_id);
}

/**
 * Orders are paid from the pocket of their market: the sum says little. A key of one subaccount is not shown its pockets together, and
 * any key perhaps not all of them: what is left out is asked for by itself.
 */
export async function cashBalance(
  context: ReadingContext,
): Promise<{ cash: Usd; pockets: ReadonlyMap<string, Usd>; allowances: null; behindMs: number }> {
  // Before the balance, which is then of that time at least.
  const behindMs = await readsBehindMs(context);
  const { balance_breakdown: breakdown } = await balanceOf(context, {});
  const pockets = new Map<string, Usd>();
  for (const { exchange_index, balance } of breakdown ?? []) pockets.set(String(exchange_index), balance);
  for (const name of await shardsOf(context))
    if (!pockets.has(name)) pockets.set(name, (await balanceOf(context, { exchange_index: name })).balance_dollars);
  return { cash: [...pockets.values()].reduce(addUsd, USD_ZERO), pockets, allowances: null, behindMs };
}

/** How far this machine's clock and the venue's may be apart beside that. */
const CLOCKS_APART_MS = 1_000;
/** Where the venue does not say how far its reads are behind. */
const BEHIND_MOST_MS = 15_000;

/** How far what the account is shown may be behind its orders. */
async function readsBehindMs({ api, runtime }: ReadingContext): Promise<number> {
  try {
    const shown = await readsShowTo(api);
    return Math.min(BEHIND_MOST_MS, Math.max(0, runtime.now() - shown) + CLOCKS_APART_MS);
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return BEHIND_MOST_MS;
  }
}

async function balanceOf(context: ReadingContext, query: Query) {
  const parsed = accountBalance.safeParse(await context.api.get('/portfolio/balance', ofSubaccount(context, query)));
  if (!parsed.success) throw new VenueUnavailable('the balance came in an unknown shape');
  const { balance_dollars, balance_breakdown } = parsed.data;
  return {
    balance_dollars: usdFromText(balance_dollars),
    balance_breakdown: balance_breakdown?.map(({ exchange_index, balance }) => ({
      exchange_index,
      balance: usdFromText(balance),
    })),
  };
}

/** A shard is added now and then in a year. */
const SHARDS_TTL_MS = 60_000;

/** Falls back to the known shards where the venue lists none: without them no cash would be known. */
async function shardsOf({ api, runtime, shards }: ReadingContext): Promise<readonly string[]> {
  const now = runtime.now();
  if (shards.names.length > 0 && Math.abs(elapsedMs(shards.readAt, now)) < SHARDS_TTL_MS) return shards.names;
  try {
    const parsed = exchangeShards.safeParse(await api.get('/exchange/status'));
    if (!parsed.success) throw new VenueUnavailable('the status of the exchange came in an unknown shape');
    shards.names = parsed.data.exchange_index_statuses.map(({ exchange_index }) => String(exchange_index));
  } catch (error) {
    if (!(error instanceof VenueUnavailable) || shards.names.length === 0) throw error;
    runtime.log.warn({ reason: error.message }, 'kalshi shards of the account not read');
  }
  shards.readAt = now;
  return shards.names;
}

/** The holding in a market: of one outcome at most, because buying the other nets. */
export async function holding(
  context: ReadingContext,
  tokenId: TokenId,
  priority: ReadPriority = 'trading',
): Promise<{ shares: Shares; allowances: null }> {
  const token = ofToken(tokenId);
  if (token === null) return { shares: SHARES_ZERO, allowances: null };
  const query = { ticker: token.ticker };
  const rows = await pages(context, POSITIONS, query, priority);
  const position = rows.find(({ ticker }) => ticker === token.ticker);
  const held = position === undefined ? 0 : signedShares(position.position_fp);
  const own = token.side === 'yes' ? held : -held;
  return { shares: Math.max(0, own) as Shares, allowances: null };
}

/** Plus is YES, minus NO. */
function signedShares(text: string): number {
  return microFromText(text, 'position');
}

export async function positions(context: ReadingContext, priority: ReadPriority): Promise<VenuePosition[]> {
  const query = { count_filter: 'position' };
  const rows = await pages(context, POSITIONS, query, priority);
  return rows.flatMap(({ ticker, position_fp }) => {
    const held = signedShares(position_fp);
    if (held === 0) return [];
    const side = held > 0 ? 'yes' : 'no';
    return {
      marketId: marketIdOf(ticker),
      tokenId: tokenIdOf(ticker, side),
      outcome: side === 'yes' ? 'Yes' : 'No',
      shares: Math.abs(held) as Shares,
      // The venue pays by itself, and what it has paid is no position any more.
      redeemable: false,
      resolvedValue: null,
    };
  });
}
