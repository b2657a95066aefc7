/** Two products on one database: what both are asked at once is done once, also when one of them is held up meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cancelBatch } from '@dutchbook/contract/batches.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { freshDatabase } from '../product/database.ts';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type Product, startProduct } from '../product/product.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';
import { burnEveryCore } from './burners.fixture.ts';
import { SIZE } from './kills-while-buying.fixture.ts';
import { batchAtRest, batchesOf, batchWhen, type Desk, orderedAt, tradedAt } from './venue-truth.fixture.ts';

const LOW_BID = { price: '0.2', size: '500' };
/** Three of these cost more than a set pays. */
const DEAR_ASK = { price: '0.4', size: '500' };
/** As long as an event loop that is blocked. */
const HELD_UP_MS = 2000;
/** Long enough to stop a process while it waits for the answer to its orders. */
const HANGS_MS = 60_000;

describe('two processes on one database', () => {
  let exchange: RunningExchange;
  let database: pg.Client;
  let dataDir: string;
  let one: Product;
  let other: Product;
  let desk: Desk;
  let set: ThreeWay;
  let nth = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-two-'));
    const url = await freshDatabase();
    exchange = await startExchange();
    one = await startProduct(exchange.url, dataDir, { DATABASE_URL: url });
    other = await startProduct(exchange.url, dataDir, { DATABASE_URL: url });
    desk = { exchange, product: () => other };
    database = new pg.Client({ connectionString: url });
    await database.connect();
    // Nothing is bought or retried but what a test asks for.
    const settings = { AUTO_PLACE_ORDER_ENABLED: false };
    expect((await one.call(writeSystemSettings, { body: settings })).status).toBe(200);
  });
  beforeEach(async () => {
    set = await cheapThreeWay(exchange, one, nth);
    nth += 1;
  });
  afterAll(async () => {
    for (const { running } of [one, other]) running.kill('SIGKILL');
    await Promise.all([one.running.ended, other.running.ended]);
    await database.end();
    await exchange.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const place = (product: Product, headers: Record<string, string> = {}) =>
    product.call(placeOrder, {
      params: { opportunity_id: set.opportunityId },
      query: { order_size: SIZE },
      headers,
    });

  /** What this process would buy, once it has the books of the set. */
  const priced = (product: Product) =>
    eventually('the books arrived', async () => {
      const { reply } = await product.call(simulateOrders, {
        params: { opportunity_id: set.opportunityId },
        query: { order_size: SIZE },
      });
      return reply.errors.length === 0 ? reply : null;
    });

  const half = (count: number) => Array.from({ length: count }, (_, nth) => (nth % 2 === 0 ? one : other));

  async function expectBoughtOnce() {
    const batch = await batchAtRest(desk, set);
    expect(batch).toMatchObject({ status: 'completed', total_orders: 3, expected_orders: 3, orders_in_doubt: 0 });
    expect(await batchesOf(desk, set)).toHaveLength(1);
    expect(await orderedAt(desk, set, 'BUY')).toEqual(set.tokenIds.toSorted());
    expect(await tradedAt(desk, set, 'BUY')).toEqual([SIZE, SIZE, SIZE]);
  }

  async function lease() {
    const { rows } = await database.query(
      'select lease_token as token, lease_expires_at as "expiresAt" from batches where opportunity_id = $1',
      [set.opportunityId],
    );
    return rows[0] as { token: number; expiresAt: Date | null } | undefined;
  }

  it('take no batch from one that is held up before its lease has run out, and double nothing when it wakes', async () => {
    await exchange.fault({ name: 'hang', token_id: set.tokenIds[0] ?? '', ms: HANGS_MS });
    other.running.kill('SIGSTOP');
    expect(await place(one)).toMatchObject({ status: 200 });
    await eventually('the orders reached the exchange', async () =>
      (await orderedAt(desk, set, 'BUY')).length === 3 ? true : null,
    );
    one.running.kill('SIGSTOP');
    const held = await lease();
    other.running.kill('SIGCONT');
    const isTaken = async () => ((await lease())?.token !== held?.token ? true : null);
    await eventually('the other took the batch', isTaken);
    expect(Date.now()).toBeGreaterThan(held?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    await expectBoughtOnce();
    one.running.kill('SIGCONT');
    await one.running.line(/batch lease lost/);
    await expectBoughtOnce();
  });

  it('make one batch of twenty simultaneous orders, and refuse the others', async () => {
    // A batch that ends while others still ask would let the next of them, decided after it, buy again: and rightly so.
    await exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
    const answers = await Promise.all(half(20).map((product) => place(product)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const [batchId] = answers.filter(({ status }) => status === 200).map(({ reply }) => reply.id);
    await batchWhen(desk, set, 'half of an order rests', ({ unhedged }) => unhedged !== null);
    for (const product of [one, other]) {
      const shown = await batchesOf({ exchange, product: () => product }, set);
      expect(shown.map(({ id }) => id)).toEqual([batchId]);
    }
    expect(await orderedAt(desk, set, 'BUY')).toEqual(set.tokenIds.toSorted());
    expect((await other.call(cancelBatch, { params: { batch_id: batchId ?? '' } })).status).toBe(200);
    expect(await batchAtRest(desk, set)).toMatchObject({ status: 'canceled', orders_in_doubt: 0 });
    expect(await orderedAt(desk, set, 'BUY')).toEqual(set.tokenIds.toSorted());
  });

  it('buy nothing at books that moved while they were held up', async () => {
    expect((await priced(one)).orders).toHaveLength(3);
    one.running.kill('SIGSTOP');
    const asked = place(one);
    for (const tokenId of set.tokenIds) await exchange.setBook(tokenId, [LOW_BID], [DEAR_ASK]);
    await pause(HELD_UP_MS);
    one.running.kill('SIGCONT');
    expect(await asked).toMatchObject({ status: 409 });
    await one.running.line(/event loop blocked/);
    expect(await orderedAt(desk, set, 'BUY')).toEqual([]);
  });

  /** Both cost most of this file. */
  const ON_CORES = {
    idle: async () => {
      for (const product of [one, other]) await priced(product);
      const answers = await Promise.all(half(10).map((product) => place(product, { 'idempotency-key': 'one click' })));
      const said = answers.map(({ status, reply, detail }) => `${status} ${reply?.id ?? detail}`);
      expect(new Set(said)).toEqual(new Set([`200 ${answers[0]?.reply?.id}`]));
    },
    busy: async () => {
      const relieve = burnEveryCore();
      try {
        const asked = Promise.all(half(10).map((product) => place(product, { 'idempotency-key': 'one of many' })));
        one.running.kill('SIGSTOP');
        await pause(HELD_UP_MS);
        one.running.kill('SIGCONT');
        const taken = (await asked).filter(({ status }) => status === 200).map(({ reply }) => reply.id);
        const again = await eventually('the order was taken', async () => {
          const answer = await place(other, { 'idempotency-key': 'one of many' });
          return answer.status === 200 ? answer : null;
        });
        expect(new Set([again.reply.id, ...taken]).size).toBe(1);
      } finally {
        await relieve();
      }
    },
  };

  it.each(chosenNow(['idle', 'busy'] as const, 1, String))(
    'make one batch for one idempotency key while cores are %s',
    async (cores) => {
      await ON_CORES[cores]();
      await expectBoughtOnce();
    },
  );
});
