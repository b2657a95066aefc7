import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { opportunities } from '../../market/opportunities/table.ts';
import { type ActionSite, openActionSite } from '../batches/actions.fixture.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { attempts, batches, batchOrders } from './table.ts';

type Group = { batch_id: string; orders: { leg: number; status: string }[]; summary?: object };

async function threeBatches(site: ActionSite): Promise<[string, string, string]> {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push(await recordedBatch(site.test));
    await site.test.time.advance(1000);
  }
  return ids as [string, string, string];
}

describe('orders by batch', () => {
  it('come page by page in the order of the first one that matches, each with its summary', async () => {
    await using site = await openActionSite();
    const { db } = site.test.runtime;
    const [first, second, third] = await threeBatches(site);
    await db.update(batchOrders).set({ status: 'failed', leg: 5 }).where(eq(batchOrders.batchId, second));
    const groups = async (query: string) => {
      const { body } = await site.call('GET', `/arbitrage/orders?group_by_batch=true&${query}`);
      return { count: body.count, data: body.data as Group[] };
    };
    const all = await groups('');
    expect(all.count).toBe(3);
    expect(all.data.map(({ batch_id }) => batch_id)).toEqual([third, second, first]);
    expect(all.data.every(({ orders, summary }) => orders.length === 2 && summary === undefined)).toBe(true);

    const byLeg = await groups('sort_by=leg&sort_order=desc&limit=1&include_batch_summary=true');
    expect(byLeg).toMatchObject({
      count: 3,
      data: [{ batch_id: second, summary: { success_rate: 0, average_order_value: null } }],
    });
    expect((await groups('skip=1&limit=1')).data.map(({ batch_id }) => batch_id)).toEqual([second]);
    expect((await groups('skip=3')).data).toEqual([]);

    const oneLeft = eq(batchOrders.marketId, 'market-102');
    await db.update(batchOrders).set({ status: 'open' }).where(oneLeft);
    expect(await groups('status=failed')).toMatchObject({
      count: 1,
      data: [{ batch_id: second, orders: [{ status: 'failed' }] }],
    });
  });
});

describe('orders of all batches', () => {
  it('are found by their side, their market and whether they carry an error or an unknown outcome', async () => {
    await using site = await openActionSite();
    const { db } = site.test.runtime;
    const batchIds = await threeBatches(site);
    const [changed] = await db
      .update(batchOrders)
      .set({ error: 'It moved.' })
      .where(and(eq(batchOrders.batchId, batchIds[0]), eq(batchOrders.marketId, 'market-102')))
      .returning();
    const found = async (query: string) => (await site.call('GET', `/arbitrage/orders?${query}`)).body;
    expect(await found('has_error=true')).toMatchObject({ count: 1, data: [{ id: changed?.id }] });
    expect(await found('has_error=false')).toMatchObject({ count: 5 });
    expect(await found('market_id=market-102')).toMatchObject({ count: 3 });
    expect(await found('market_id=other:market-102')).toMatchObject({
      detail: [{ loc: ['query', 'market_id'], msg: 'Input must begin with a venue before its first colon (kalshi)' }],
    });
    expect(await found('market_id=market-102&has_error=false')).toMatchObject({ count: 2 });
    expect(await found('side=buy')).toMatchObject({ count: 6 });
    expect(await found('side=sell')).toMatchObject({ count: 0 });
    expect(await found('unknown=true')).toMatchObject({ count: 0 });
    expect(await found('unknown=false')).toMatchObject({ count: 6 });
  });
});

describe('orders and batches', () => {
  it('are found by the beginning of an id, by a market, and by what opportunities are found by', async () => {
    await using site = await openActionSite();
    const { db } = site.test.runtime;
    const [first, second] = await threeBatches(site);
    await db
      .update(batchOrders)
      .set({ marketName: 'Will 100% of it melt?' })
      .where(and(eq(batchOrders.batchId, first), eq(batchOrders.marketId, 'market-102')));
    const found = async (list: string, q: string) => {
      const { body } = await site.call('GET', `/arbitrage/${list}?q=${encodeURIComponent(q)}`);
      expect(body.count).toBe((body.data as object[]).length);
      return (body.data as Record<string, string>[]).map(({ batch_id, id }) => batch_id ?? id);
    };
    expect(await found('orders', '100% OF')).toEqual([first]);
    expect(await found('orders', '100_ of')).toEqual([]);
    expect(await found('orders', second.slice(0, 13).toUpperCase())).toEqual([second, second]);
    expect(await found('orders', 'Market-102')).toHaveLength(3);
    expect(await found('batches', '100% of')).toEqual([first]);
    expect(await found('batches', second)).toEqual([second]);
    expect(await found('batches', 'market-102')).toHaveLength(3);
    const [batch] = await db.select().from(batches).where(eq(batches.id, second));
    const [opportunity] = await db.select().from(opportunities);
    expect(await found('batches', batch?.opportunityId ?? '')).toContain(second);
    if (opportunity?.source) expect(await found('batches', opportunity.source)).not.toEqual([]);
    expect(await found('batches', 'zeppelin')).toEqual([]);
  });
});

describe('an order that stands with a warning', () => {
  it.each([
    ['price_changed', '[PRICE_CHANGED_SUCCESS] It moved.'],
    ['outcome_was_unknown', '[SUCCESS] It moved.'],
    [null, 'It moved.'],
  ] as const)('of the kind %s says so by a marker', async (errorKind, error) => {
    await using site = await openActionSite();
    const batchId = await recordedBatch(site.test);
    await site.test.runtime.db.update(batchOrders).set({ error: 'It moved.', errorKind });
    const [order] = await site.test.runtime.db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
    expect((await site.call('GET', `/arbitrage/orders/${order?.id}`)).body).toMatchObject({ error });
  });
});

describe('an order whose outcome is unknown', () => {
  it('says since when, what the venue was asked, and what it answered', async () => {
    await using site = await openActionSite();
    const { db, clock, random } = site.test.runtime;
    const batchId = await recordedBatch(site.test);
    const [order] = await db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
    if (order === undefined) throw new Error('the batch has no orders');
    const doubtOf = async () => (await site.call('GET', `/arbitrage/orders/${order.id}`)).body.doubt;
    const sentAt = clock.now();
    await db.insert(attempts).values({
      id: random.uuid(),
      orderId: order.id,
      batchId,
      orderHash: '0xabc',
      salt: '1',
      payload: 'signed',
      size: order.size,
      price: order.price,
      status: 'sent',
      sentAt,
      createdAt: sentAt,
      updatedAt: sentAt,
    });
    expect(await doubtOf()).toBeNull();

    await db.update(attempts).set({ status: 'unknown', unknownReason: 'timed out' });
    const doubt = {
      since: '2026-01-01T00:00:00.000Z',
      order_hash: '0xabc',
      asked_at: null,
      question: 'Does the venue have order 0xabc?',
      answer: 'Outcome unknown, asking: timed out',
    };
    expect(await doubtOf()).toMatchObject(doubt);
    const unknown = await site.call('GET', '/arbitrage/orders?unknown=true');
    expect(unknown.body).toMatchObject({ count: 1, data: [{ id: order.id }] });
    const known = await site.call('GET', '/arbitrage/orders?unknown=false');
    expect(known.body).toMatchObject({ count: 1 });

    const askedAt = clock.now();
    await db.update(attempts).set({ askedAt, lookupAnswer: 'It does not have it.' });
    expect(await doubtOf()).toMatchObject({ asked_at: expect.any(String), answer: 'It does not have it.' });
    await db.update(attempts).set({ status: 'open' });
    expect(await doubtOf()).toBeNull();
  });
});
