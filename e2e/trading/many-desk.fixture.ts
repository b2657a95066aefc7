/** A product of many processes on one PostgreSQL, what is asked of it while things break, and what must hold in the end. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cancelBatch } from '@dutchbook/contract/batches.ts';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { createOpportunity, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { STREAM_PATH } from '@dutchbook/contract/stream.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { type Random, seededRandom } from '@dutchbook/exchange/makers/random.ts';
import { type FailoverServer, startFailoverServer } from '@dutchbook/tools/postgres/failover-server.ts';
import { priceFromText, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type ExchangeState, type RunningExchange, startExchange } from '../product/exchange.ts';
import type { Running } from '../product/process.ts';
import { type Caller, launchProduct, SUPERUSER, signedInCaller } from '../product/product.ts';
import { quoteThreeWay, type ThreeWay } from '../product/three-way.ts';
import { checkAtRest, isAtRest } from '../simulation/checks-at-rest.ts';
import { readStored, type Stored, type Truth } from '../simulation/truth.ts';
import { type Supervised, supervise } from './many-processes.fixture.ts';

const SIZE = sharesFromNumber(12);
/** Three positions at this price pay some percent, at the other nothing. */
const CHEAP = { price: '0.31', size: '500' };
const DEAR = { price: '0.36', size: '500' };
const DEARER = { price: '0.37', size: '500' };
/** More than three positions cost before all of them have moved to that. */
const DEAR_SET = 1.1;
const LOW_BID = { price: '0.2', size: '500' };

export type ManyDesk = {
  random: Random;
  database: FailoverServer;
  exchange: RunningExchange;
  processes: Supervised[];
  /** One more, of this build or of the program named. */
  launch: (roles: string, program?: string) => Running;
  sets: ThreeWay[];
  /** How often each set has come up to its trigger, by opportunity. */
  episodes: Map<string, number>;
  /** How long it took at most until it was noticed that one has. */
  longestUnnoticedMs: number;
  /** Batches whose placing was confirmed, by the key they asked under. */
  placed: Map<string, string>;
  startingCash: number;
  /** For how long the database may be gone. */
  longestAwayMs: number;
  query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** A user who is signed in at any process that answers calls. */
  caller: () => Promise<Caller>;
  close: () => Promise<void>;
};

/** `roles`: one process for each. `program`: another build to begin with than this one. */
export async function openManyDesk(
  { roles, program }: { roles: readonly string[]; program?: string | undefined },
  setCount: number,
  seed: number,
): Promise<ManyDesk> {
  const random = seededRandom(seed);
  const [exchange, database] = await Promise.all([startExchange(), startFailoverServer()]);
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-many-'));
  const launch = (ofRoles: string, ofProgram?: string) =>
    launchProduct(exchange.url, dataDir, { DATABASE_URL: database.url, ROLES: ofRoles }, ofProgram);
  const start = (ofRoles: string) => supervise(ofRoles, () => launch(ofRoles, program));
  // The first one alone makes the secrets and the first superuser, as at an installation.
  const [firstRoles = '', ...others] = roles;
  const first = start(firstRoles);
  await first.url();
  const processes = [first, ...others.map(start)];
  const pool = new pg.Pool({ connectionString: database.url, max: 3 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const apis = processes.filter((each) => each.roles.includes('api'));
  const desk: ManyDesk = {
    random,
    database,
    exchange,
    processes,
    launch,
    sets: [],
    episodes: new Map(),
    longestUnnoticedMs: 0,
    placed: new Map(),
    startingCash: 0,
    longestAwayMs: 0,
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows,
    caller: async () => await signedInCaller((await random.pick(apis)?.url()) ?? '', SUPERUSER),
    close: async () => {
      await pool.end();
      for (const each of processes) await each.stop();
      await exchange.stop();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    for (let nth = 0; nth < setCount; nth += 1) desk.sets.push(await watchSet(desk, nth));
  } catch (error) {
    await desk.close();
    throw error;
  }
  desk.startingCash = usdFromText((await exchange.state()).account.usd);
  return desk;
}

async function watchSet(desk: ManyDesk, nth: number): Promise<ThreeWay> {
  const caller = await desk.caller();
  const set = await quoteThreeWay(desk.exchange, caller, nth);
  await quote(desk, set.tokenIds, DEAR);
  const body = { market_combinations: set.combinations, target_price: 1 };
  const { status, detail, reply } = await caller.call(createOpportunity, { body });
  if (status !== 200) throw new Error(`the opportunity was not created: ${detail}`);
  return { ...set, opportunityId: reply.id };
}

/** What every process says of whether orders may leave. */
export async function armedEverywhere({ processes }: ManyDesk): Promise<boolean[]> {
  return await Promise.all(
    processes.map(async ({ url }) => {
      const answer = await fetch(`${await url()}/health`);
      return ((await answer.json()) as { parts: { armed: boolean } }).parts.armed;
    }),
  );
}

/**
 * Quotes the set anew, without coming up to its trigger, and answers the price that a tab at any process is shown then:
 * sent the change, or the order to read again.
 */
export async function priceShownLive(desk: ManyDesk, { tokenIds, opportunityId }: ThreeWay): Promise<number> {
  const { url, token, call } = await desk.caller();
  const tab = new WebSocket(`${url.replace('http', 'ws')}${API_PREFIX}${STREAM_PATH}`);
  const shown = new Promise<number>((resolve, reject) => {
    tab.addEventListener('close', () => reject(new Error('the stream was closed')));
    tab.addEventListener('open', () => {
      tab.send(JSON.stringify({ type: 'auth', token }));
      tab.send(JSON.stringify({ type: 'subscribe', topics: ['opportunities'] }));
    });
    tab.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data));
      // From now on it receives every change.
      if (frame.type === 'ready') void quote(desk, tokenIds, DEARER).catch(reject);
      if (frame.id === opportunityId && frame.data.current_price > DEAR_SET) resolve(frame.data.current_price);
      if (frame.type !== 'resync') return;
      call(readOpportunity, { params: { opportunity_id: opportunityId } }).then(({ reply }) => {
        const price = reply.current_price === null ? 0 : priceToNumber(reply.current_price);
        if (price > DEAR_SET) resolve(price);
      }, reject);
    });
  });
  return await shown.finally(() => tab.close());
}

async function quote({ exchange }: ManyDesk, tokenIds: readonly string[], ask: typeof CHEAP): Promise<void> {
  for (const tokenId of tokenIds) await exchange.setBook(tokenId, [LOW_BID], [ask]);
}

/** Has the set come up to its trigger and fall again until `isOver`; each time, it stays until that was noticed. */
export async function moveSet(desk: ManyDesk, { tokenIds, opportunityId }: ThreeWay, isOver: () => boolean) {
  const untilTriggered = (triggered: boolean) =>
    eventually(`the opportunity was noted as ${triggered ? '' : 'not '}triggered`, async () => {
      const sql = 'select 1 from opportunity_prices where opportunity_id = $1 and triggered = $2';
      return (await desk.query(sql, [opportunityId, triggered])).length > 0 ? true : null;
    }).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await whatStands(desk, opportunityId))}`);
    });
  while (!isOver()) {
    await quote(desk, tokenIds, CHEAP);
    const cheapAt = performance.now();
    await untilTriggered(true);
    desk.longestUnnoticedMs = Math.max(desk.longestUnnoticedMs, performance.now() - cheapAt);
    desk.episodes.set(opportunityId, (desk.episodes.get(opportunityId) ?? 0) + 1);
    await pause(desk.random.between(200, 1500));
    await quote(desk, tokenIds, DEAR);
    await untilTriggered(false);
    await pause(desk.random.between(0, 500));
  }
}

/** What an unpriced opportunity waits for: an engine, a price, or the database. */
async function whatStands({ query }: ManyDesk, opportunityId: string) {
  return {
    opportunity: await query(
      `select active, triggered, current_price, last_checked, last_error, now()
        from opportunities join opportunity_prices on opportunity_id = id where id = $1`,
      [opportunityId],
    ),
    engines: await query('select id, feed, expires_at from engines'),
    shares: await query('select owner, count(*)::int from engine_partitions group by owner'),
    waiting: await query(
      `select application_name, state, wait_event, now() - state_change as since, left(query, 80) as query
        from pg_stat_activity where wait_event_type in ('Lock', 'IPC') or state = 'idle in transaction'`,
    ),
  };
}

/** Buys again and again until `isOver`, and asks under the same key, at any process, until there is an answer. */
export async function buyByHand(desk: ManyDesk, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const key = randomUUID();
    const opportunityId = desk.random.pick(desk.sets)?.opportunityId ?? '';
    const request = { params: { opportunity_id: opportunityId }, query: { order_size: SIZE } };
    const ask = async () => {
      const answer = await (await desk.caller()).call(placeOrder, { ...request, headers: { 'idempotency-key': key } });
      return answer.status >= 500 ? null : answer;
    };
    const { status, reply } = await eventually('a request to buy was answered', ask);
    if (status === 200) desk.placed.set(key, reply.id);
    await pause(desk.random.between(100, 1500));
  }
}

/** Nothing is bought any more, what rests is taken off the venue, and then everything agrees with the exchange. */
export async function expectAllAccountedFor(desk: ManyDesk): Promise<void> {
  await desk.exchange.clearFaults();
  const body = { AUTO_PLACE_ORDER_ENABLED: false };
  await eventually('automatic placing was switched off', async () =>
    (await (await desk.caller()).call(writeSystemSettings, { body })).status === 200 ? true : null,
  );
  const read = async () => {
    const stored = await readStored(desk);
    return { stored, truth: truthOf(await desk.exchange.state()) };
  };
  const lookAtRest = async () => {
    const seen = await read();
    for (const { id } of seen.stored.batches.filter(({ status }) => ACTIVE.has(status)))
      await (await desk.caller()).call(cancelBatch, { params: { batch_id: id } });
    return isAtRest(seen.stored, seen.truth) ? true : null;
  };
  await eventually('everything came to rest', lookAtRest).catch(async (error: unknown) => {
    // What is not at rest is named by the checks.
    const { stored, truth } = await read();
    checkAtRest(stored, truth, new Map([['polymarket', desk.startingCash]]), new Set());
    throw error;
  });
  const { stored, truth } = await read();
  checkAtRest(stored, truth, new Map([['polymarket', desk.startingCash]]), new Set());
  expect(stored.fills.length).toBeGreaterThan(0);
  await expectTriggersOnce(desk, stored);
  expect(stored.batches.filter(({ automatic }) => !automatic).map(({ id }) => id)).toEqual(
    expect.arrayContaining([...desk.placed.values()]),
  );
  expect(stored.batches.filter(({ automatic }) => !automatic)).toHaveLength(new Set(desk.placed.values()).size);
}

const ACTIVE = new Set(['pending', 'processing', 'retry_pending']);

/** Every time that a set came up was notified once, and whatever was bought automatically belongs to one of those times. */
async function expectTriggersOnce({ query, episodes }: ManyDesk, stored: Stored): Promise<void> {
  const reported = await query<{ id: string; count: number }>(
    `select opportunity_id as id, count(*)::int as count from notifications
      where notification_type = 'opportunity_triggered' group by 1`,
  );
  expect(new Map(reported.map(({ id, count }) => [id, count]))).toEqual(episodes);
  const bought = await query<{ id: string }>(
    `select data ->> 'batch_id' as id from notifications
      where notification_type = 'opportunity_triggered' and data ->> 'batch_id' is not null`,
  );
  const automatic = stored.batches.filter((batch) => batch.automatic).map(({ id }) => id);
  expect(bought.map(({ id }) => id).toSorted()).toEqual(automatic.toSorted());
}

function truthOf({ account, orders, trades }: ExchangeState): Truth {
  const cash = usdFromText(account.usd);
  return {
    cash,
    cashAt: new Map([['polymarket', cash]]),
    cashMoves: [],
    tokens: new Map(Object.entries(account.tokens).map(([tokenId, shares]) => [tokenId, sharesFromText(shares)])),
    orders: orders.map((order) => ({
      hash: order.id,
      tokenId: order.asset_id,
      side: sideOf(order.side),
      limit: priceFromText(order.price),
      size: sharesFromText(order.original_size),
      matched: sharesFromText(order.size_matched),
      isStanding: ['LIVE', 'UNMATCHED', 'DELAYED'].includes(order.status),
      spends: order.side === 'BUY' && order.order_type === 'FAK',
    })),
    trades: trades.map((trade) => ({
      tradeId: trade.id,
      hash: trade.order_id,
      tokenId: trade.asset_id,
      side: sideOf(trade.side),
      price: priceFromText(trade.price),
      size: sharesFromText(trade.size),
      cost: usdFromText(trade.cost),
      fee: usdFromText(trade.fee),
      status: trade.status.toLowerCase(),
    })),
  };
}

function sideOf(side: string): 'buy' | 'sell' {
  return side === 'BUY' ? 'buy' : 'sell';
}
