import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ended, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { registerOrders } from '../orders/routes.ts';
import { batches } from '../orders/table.ts';
import { registerBatches } from './routes.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

type Row = Record<string, unknown>;
type Reply = { status: number; body: Row & { data: Row[]; count: number } };

async function reader(site: TestApp): Promise<(path: string) => Promise<Reply>> {
  registerBatches(site.app, { runtime: site.test.runtime, quotes: { current: () => [] } });
  registerOrders(site.app, { runtime: site.test.runtime, placing: { wake: () => {} } });
  const { headers } = await site.signedIn();
  return async (path) => {
    const reply = await site.http.inject({ url: `${API_PREFIX}${path}`, headers });
    return { status: reply.statusCode, body: reply.json() as Reply['body'] };
  };
}

/** One batch that has completed and one that is not begun, in this order. */
async function twoBatches({ test }: TestApp): Promise<[string, string]> {
  const { placing } = await start(test);
  const completed = await recordedBatch(test);
  placing.wake(completed);
  await until(test, completed, ended);
  await placing.stop();
  await test.time.advance(1000);
  return [completed, await recordedBatch(test)];
}

describe('reading batches and their orders', () => {
  it('serves a batch with its money in dollars and its sizes in shares', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const [completed] = await twoBatches(site);
    const { body } = await read(`/arbitrage/batches/${completed}`);
    expect(body).toMatchObject({
      status: 'completed',
      total_orders: 2,
      expected_orders: 2,
      order_size: 10,
      target_price: 1,
      target_profit_usd: 2,
      actual_profit_usd: 2,
      retry_count: 0,
      max_retries: 3,
      can_retry: false,
      is_active: false,
      is_final: true,
      unhedged: null,
      last_error: null,
    });
  });

  it('filters and sorts the list, newest first when nothing is said', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const [completed, pending] = await twoBatches(site);
    const ids = async (query: string) => (await read(`/arbitrage/batches?${query}`)).body.data.map(({ id }) => id);
    expect(await ids('')).toEqual([pending, completed]);
    expect(await ids('sort_order=asc')).toEqual([completed, pending]);
    expect(await ids('is_active=true')).toEqual([pending]);
    expect(await ids('is_active=false')).toEqual([completed]);
    expect(await ids('status=completed')).toEqual([completed]);
    expect(await ids('can_retry=true')).toEqual([]);
    expect(await ids('min_orders=1')).toEqual([completed]);
    expect(await ids('max_orders=0')).toEqual([pending]);
    expect(await ids('sort_by=actual_profit_usd&sort_order=asc')).toEqual([completed, pending]);
    expect(await ids('sort_by=actual_profit_usd&sort_order=desc')).toEqual([completed, pending]);
    expect(await ids('skip=1&limit=1')).toEqual([completed]);
  });

  it('serves the orders of a batch and their results, under both paths', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const [completed] = await twoBatches(site);
    for (const path of [`/arbitrage/batches/${completed}/orders`, `/arbitrage/orders/batch/${completed}`]) {
      const { body } = await read(path);
      expect(body.count).toBe(2);
      expect(body.data.map(({ leg }) => leg)).toEqual([1, 2]);
      expect(body.data[0]).toMatchObject({
        status: 'filled',
        side: 'buy',
        size: 10,
        filled_size: 10,
        price: 0.4,
        average_price: 0.4,
        attempts: 1,
        simulated: false,
        error: null,
      });
    }
    for (const path of [`/arbitrage/batches/${completed}/summary`, `/arbitrage/orders/batch/${completed}/summary`]) {
      expect((await read(path)).body).toMatchObject({ success_rate: 1, average_order_value: 4 });
    }
  });

  it('tells how a batch was carried out, and which are being worked on', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const [completed, pending] = await twoBatches(site);
    const { body: metrics } = await read(`/arbitrage/batches/${completed}/metrics`);
    expect(metrics).toMatchObject({
      filled_usd: 8,
      fees_usd: 0,
      slippage_usd: 0,
      predicted_profit_usd: 2,
      realised_profit_usd: 2,
      first_fill_ms: expect.any(Number),
      per_order: [
        { filled_size: 10, average_price: 0.4, filled_usd: 4 },
        { filled_size: 10, average_price: 0.4, filled_usd: 4 },
      ],
    });
    const { body: timeline } = await read(`/arbitrage/batches/${completed}/timeline`);
    expect(timeline).toMatchObject({ predicted_profit_usd: 2, realised_profit_usd: 2 });
    const reported = timeline.data.map(({ event }) => event);
    expect(reported.slice(0, 3)).toEqual(['decided', 'committed', 'committed']);
    expect(reported).toContain('completed');

    const active = await read('/arbitrage/batches/active/list?limit=5');
    expect(active.body).toMatchObject({ count: 1, data: [{ id: pending, cancel_requested: false }] });
    expect((await read('/arbitrage/batches/retryable/list')).body).toEqual({ data: [], count: 0 });
  });

  it('folds the batches of an opportunity into its newest with their sums, which leave simulated ones out', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const { db } = site.test.runtime;
    const [completed, other] = await twoBatches(site);
    const { opportunity_id: opportunityId, created_at: firstAt } = (await read(`/arbitrage/batches/${completed}`)).body;
    const behind = async (changes: Partial<typeof batches.$inferInsert>) => {
      await site.test.time.advance(1000);
      const id = await recordedBatch(site.test);
      const same = { opportunityId: String(opportunityId), totalOrders: 2, status: 'sold' } as const;
      await db
        .update(batches)
        .set({ ...same, ...changes })
        .where(eq(batches.id, id));
      return id;
    };
    await behind({ simulated: true, actualProfit: usdFromText('9') });
    const unhedged = { worstLoss: usdFromText('4'), positions: [] };
    await behind({ status: 'partial_completed', actualProfit: usdFromText('-4'), unhedged });
    const newest = await behind({ actualProfit: usdFromText('1.5'), retryCount: 1 });
    const { body } = await read('/arbitrage/batches?folded=true');
    expect(body.count).toBe(2);
    expect(body.data).toMatchObject([
      {
        id: newest,
        folded: {
          count: 4,
          simulated: 1,
          statuses: [
            { status: 'completed', count: 1 },
            { status: 'sold', count: 2 },
            { status: 'partial_completed', count: 1 },
          ],
          total_orders: 8,
          retry_count: 1,
          cost_usd: 8,
          target_profit_usd: 6,
          actual_profit_usd: -0.5,
          paid_usd: 1.5,
          locked_usd: 2,
          at_risk_usd: -4,
          first_at: firstAt,
        },
      },
      { id: other, folded: { count: 1, actual_profit_usd: null, paid_usd: 0, locked_usd: 0, cost_usd: 0 } },
    ]);
    const ids = async (query: string) =>
      (await read(`/arbitrage/batches?folded=true&${query}`)).body.data.map(({ id }) => id);
    expect(await ids('sort_by=retry_count&sort_order=asc')).toEqual([other, newest]);
    expect(await ids('sort_by=actual_profit_usd')).toEqual([newest, other]);
    expect(await ids('skip=1')).toEqual([other]);
    expect((await read('/arbitrage/batches?folded=true&skip=5')).body).toEqual({ data: [], count: 2 });
    expect((await read('/arbitrage/batches?folded=true&status=completed')).body.data).toMatchObject([
      { id: completed, folded: { count: 1, actual_profit_usd: 2 } },
    ]);
  });

  it('finds orders by their batch and status, and one by its id', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const [completed, pending] = await twoBatches(site);
    const all = await read('/arbitrage/orders');
    expect(all.body.count).toBe(4);
    const filled = await read('/arbitrage/orders?status=filled');
    expect(filled.body.data.map(({ batch_id }) => batch_id)).toEqual([completed, completed]);
    const ofPending = await read(`/arbitrage/orders?batch_id=${pending}&sort_by=leg&sort_order=asc`);
    expect(ofPending.body.data.map(({ leg, status }) => [leg, status])).toEqual([
      [1, 'pending'],
      [2, 'pending'],
    ]);
    const [first] = ofPending.body.data;
    expect((await read(`/arbitrage/orders/${first?.id}`)).body).toEqual(first);
  });

  it('finds batches and orders by the venue at which they are, those over two venues at either', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    const tokens = { one: ['101', '102'], other: ['kalshi:101', 'kalshi:102'], both: ['103', 'kalshi:103'] };
    const ids = new Map<unknown, string>();
    for (const [name, own] of Object.entries(tokens)) ids.set(await recordedBatch(site.test, {}, own), name);
    const found = async (query: string) =>
      (await read(`/arbitrage/batches?${query}`)).body.data.map(({ id }) => ids.get(id)).toSorted();
    expect(await found('venue=polymarket')).toEqual(['both', 'one']);
    expect(await found('venue=kalshi')).toEqual(['both', 'other']);
    const orders = await read('/arbitrage/orders?venue=kalshi&sort_by=token_id&sort_order=asc');
    expect(orders.body.data.map(({ token_id: tokenId }) => tokenId)).toEqual([
      'kalshi:101',
      'kalshi:102',
      'kalshi:103',
    ]);
    expect((await read('/arbitrage/orders?venue=polymarket&group_by_batch=true')).body.count).toBe(2);
    expect((await read('/arbitrage/batches?venue=nowhere')).status).toBe(422);
  });

  it('takes a flag as clients in Python write it, refuses what is none, and describes it as one', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    await recordedBatch(site.test);
    for (const flag of ['True', '1', 'false']) {
      const { body } = await read(`/arbitrage/batches?is_active=${flag}`);
      expect([flag, body.count]).toEqual([flag, flag === 'false' ? 0 : 1]);
    }
    const msg = 'Input should be a valid boolean';
    expect(await read('/arbitrage/batches?is_active=maybe')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'is_active'], msg, input: 'maybe' }] },
    });
    const { body: document } = await read('/openapi.json');
    const parameter = expect.objectContaining({ name: 'is_active', schema: { type: 'boolean' } });
    expect(document).toMatchObject({
      paths: { [`${API_PREFIX}/arbitrage/batches`]: { get: { parameters: expect.arrayContaining([parameter]) } } },
    });
  });

  it('says what is not there, and which field is wrong', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const read = await reader(site);
    expect(await read(`/arbitrage/batches/${NOBODY}`)).toMatchObject({
      status: 404,
      body: { detail: 'Batch not found' },
    });
    expect(await read(`/arbitrage/orders/${NOBODY}`)).toMatchObject({
      status: 404,
      body: { detail: 'Order not found' },
    });
    const wrong = await read('/arbitrage/batches?sort_by=shoe_size');
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'sort_by'] }] } });
  });
});
