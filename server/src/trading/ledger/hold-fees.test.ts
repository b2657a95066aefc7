import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { THE_SYSTEM } from '../../platform/audit/record.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { clearStop, listStops, standingCategories } from '../fee-stops/store.ts';
import { attempts, batchOrders } from '../orders/table.ts';
import { compareWithVenue } from './compare.ts';
import { openFeeHolding } from './hold-fees.ts';
import { ledgerEntries } from './table.ts';

/** A desk whose orders of ten shares at 0.40 are booked without a fee, and the cash and shares that the venue says of it. */
async function openHolding(test: TestRuntime) {
  const { runtime } = test;
  const state: { cash: string | null; shares: Record<string, string> } = { cash: '100', shares: {} };
  const holding = (tokenId: string) => sharesFromText(state.shares[tokenId] ?? '0');
  const trading = {
    cashBalance: async () => {
      if (state.cash === null) throw new VenueUnavailable('down');
      return { cash: usdFromText(state.cash), allowances: null };
    },
    holding: async (tokenId: string) => ({ shares: holding(tokenId), allowances: null }),
    refreshHoldings: async () => {},
    positions: async () => [],
  };
  const catalogue = {
    marketsById: async (ids: readonly string[]) =>
      new Map(ids.map((id) => [id, marketOf(id, { feeCategory: 'crypto_fees' })])),
    eventsById: async () => [],
  };
  const account = { refresh: async () => ({ ...(await trading.cashBalance()), at: runtime.clock.now() }) };
  await compareWithVenue({ venue: 'polymarket', runtime, account, trading, catalogue, chain: null });
  const look = openFeeHolding({ venue: 'polymarket', runtime, trading, catalogue });
  await look();
  const { venue, placing } = await start(test);
  return {
    state,
    venue,
    stop: placing.stop,
    /** Looks every second for so long. */
    lookFor: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await look();
        await test.time.advance(1000);
      }
    },
    /** Ten shares, or those the venue has from now on, for the cash it has from now on. */
    buy: async (tokenId: string, then: typeof state, settlement: 'confirmed' | 'matched' = 'confirmed') => {
      venue.onPost((order) => venue.take(order));
      const batchId = await recordedBatch(test, {}, [tokenId]);
      placing.wake(batchId);
      await until(test, batchId, ({ fills }) => fills.length === 1);
      Object.assign(state, { cash: then.cash, shares: { ...state.shares, ...then.shares } });
      const settle = async (as: typeof settlement) => {
        venue.settle([...venue.orders.keys()].at(-1) ?? '', as);
        await until(test, batchId, ({ fills }) => fills[0]?.settlement === as);
      };
      await settle(settlement);
      return { settle };
    },
    stops: async () => (await listStops(runtime.db, { skip: 0, limit: 10 })).data,
    reported: async () => {
      const ofFees = eq(notifications.notificationType, 'fee_difference');
      return (await runtime.db.select().from(notifications).where(ofFees)).map(({ message }) => message);
    },
  };
}

describe('fees held against cash', () => {
  it('stop automatic placing in their category once they are not what was booked, until a superuser clears it', async () => {
    await using test = await openTestRuntime();
    const { buy, lookFor, state, stops, reported, stop } = await openHolding(test);
    await buy('101', { cash: '96', shares: { '101': '10' } });
    await lookFor(3);
    expect(await stops()).toEqual([]);
    // 0.04 × 10 × 0.40 × 0.60
    const bought = await buy('102', { cash: '91.904', shares: { '102': '10' } }, 'matched');
    await lookFor(16);
    expect(await stops()).toEqual([]);
    await bought.settle('confirmed');
    state.cash = null;
    await lookFor(1);
    state.cash = '91.904';
    await lookFor(16);
    const message =
      'The venue took $0.10 in fees for 10.00 shares of Yes of "Market 102", a rate of 0.04, where $0.00 was booked, by a rate of 0. Nothing is bought automatically where fees are "crypto_fees" until a superuser clears it.';
    expect(await stops()).toMatchObject([
      { category: 'crypto_fees', market_id: 'market-102', message, cleared_at: null },
    ]);
    expect(await reported()).toEqual([message]);
    await lookFor(16);
    // What follows begins from there, and is proven.
    await buy('101', { cash: '87.904', shares: { '101': '20' } });
    await lookFor(16);
    const [found] = await stops();
    const { runtime } = test;
    expect(await clearStop(runtime, found?.id ?? '', { ...THE_SYSTEM, email: 'admin@example.com' })).toMatchObject({
      cleared_by: 'admin@example.com',
    });
    await expect(clearStop(runtime, found?.id ?? '', THE_SYSTEM)).rejects.toThrow('cleared before');
    expect([...(await standingCategories(runtime.db))]).toEqual([]);
    const actions = (await runtime.db.select().from(auditLog).orderBy(auditLog.seq)).map(({ action, object }) => [
      action,
      object,
    ]);
    expect(actions).toEqual([
      ['fees.stopped', 'crypto_fees'],
      ['fees.cleared', 'crypto_fees'],
    ]);
    // Taken in shares.
    await buy('103', { cash: '83.904', shares: { '103': '9.76' } });
    await lookFor(16);
    expect(await reported()).toContainEqual(
      expect.stringContaining('$0.10 in fees for 10.00 shares of Yes of "Market 103", in shares, a rate of 0.04'),
    );
    await stop();
  });

  it('are held against the trades of the venue, however many another one has had since', async () => {
    await using test = await openTestRuntime();
    const { buy, lookFor, stops, stop } = await openHolding(test);
    await buy('101', { cash: '96', shares: { '101': '10' } });
    await lookFor(3);
    const { db, random } = test.runtime;
    const batchId = await recordedBatch(test, {}, ['kalshi:201']);
    const [order] = await db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
    const attempt = { id: random.uuid(), batch_id: batchId, order_id: order?.id, order_hash: 'kalshi:1' };
    const fill = { batch_id: batchId, attempt_id: attempt.id, order_hash: attempt.order_hash };
    await db.execute(sql`insert into attempts select (jsonb_populate_record(a, ${JSON.stringify(attempt)}::jsonb)).*
      from attempts a`);
    await db.execute(sql`insert into fills select
      (jsonb_populate_record(f, ${JSON.stringify(fill)}::jsonb || jsonb_build_object('trade_id', 'kalshi:' || n))).*
      from fills f, generate_series(1, 5000) n`);
    await db.execute(sql`insert into ledger_entries (at, kind, lines, trade_id, order_hash)
      select now(), 'settled', '[]', trade_id, order_hash from fills where order_hash = ${attempt.order_hash}`);
    await buy('102', { cash: '91.904', shares: { '102': '10' } });
    await lookFor(16);
    expect(await stops()).toMatchObject([{ category: 'crypto_fees', market_id: 'market-102' }]);
    await stop();
  });

  it('wait for the trades of an order that has ended', async () => {
    await using test = await openTestRuntime();
    const { buy, lookFor, stops, stop } = await openHolding(test);
    await buy('101', { cash: '96', shares: { '101': '10' } });
    await lookFor(3);
    const { db, clock, random } = test.runtime;
    await recordedBatch(test, {}, ['102']);
    const [order] = await db.select().from(batchOrders).where(eq(batchOrders.tokenId, '102'));
    if (order === undefined) throw new Error('no order was recorded');
    const { batchId, size, price } = order;
    const now = clock.now();
    const times = { createdAt: now, updatedAt: now, sentAt: now, endedAt: now };
    const matched = { status: 'matched' as const, size, matchedSize: sharesFromText('0.24') };
    const signed = { orderHash: '0xmatched', salt: '', payload: '', price };
    await db
      .insert(attempts)
      .values({ id: random.uuid(), orderId: order.id, batchId, ...signed, ...matched, ...times });
    // What it took is as much as a fee of the other one might be.
    await buy('103', { cash: '91.904', shares: { '103': '10' } });
    await lookFor(16);
    expect(await stops()).toEqual([]);
    await stop();
  });

  it('are not made of what a venue keeps back for an order that rests, of which it says the free cash alone', async () => {
    await using test = await openTestRuntime();
    const { buy, lookFor, stops, stop } = await openHolding(test);
    await buy('101', { cash: '96', shares: { '101': '10' } });
    await lookFor(3);
    const { db, clock, random } = test.runtime;
    await recordedBatch(test, {}, ['102']);
    const [order] = await db.select().from(batchOrders).where(eq(batchOrders.tokenId, '102'));
    if (order === undefined) throw new Error('no order was recorded');
    const { batchId, size, price } = order;
    const now = clock.now();
    const times = { createdAt: now, updatedAt: now, sentAt: now };
    const rests = { id: random.uuid(), orderId: order.id, batchId, status: 'open' as const, size, price };
    await db.insert(attempts).values({ ...rests, orderHash: '0xresting', salt: '', payload: '', ...times });
    // As much less as a fee might be is free.
    await buy('103', { cash: '91.904', shares: { '103': '10' } });
    await lookFor(12);
    expect(await stops()).toEqual([]);
    await db.update(attempts).set({ status: 'canceled', endedAt: now }).where(eq(attempts.orderHash, '0xresting'));
    await lookFor(30);
    expect(await stops()).toMatchObject([{ category: 'crypto_fees', market_id: 'market-103' }]);
    await stop();
  });

  it('are not blamed for cash that comes or goes, nor for a balance that is behind, and the next trades are held all the same', async () => {
    await using test = await openTestRuntime();
    const { buy, lookFor, state, stops, stop } = await openHolding(test);
    await buy('101', { cash: '100', shares: { '101': '0' } });
    await lookFor(16);
    Object.assign(state, { cash: '96', shares: { '101': '10' } });
    await lookFor(11);
    await buy('102', { cash: '42', shares: { '102': '10' } });
    await lookFor(80);
    expect(await stops()).toEqual([]);
    await buy('103', { cash: '37.904', shares: { '103': '10' } });
    const lines = [
      { account: 'cash' as const, unit: 'usd', amount: -50_000_000 },
      { account: 'outside' as const, unit: 'usd', amount: 50_000_000 },
    ];
    await lookFor(16);
    expect(await stops()).toMatchObject([{ market_id: 'market-103' }]);
    // A person states the withdrawal: the ledger equals what the venue has had all along.
    const { db, clock } = test.runtime;
    await db.insert(ledgerEntries).values({ at: clock.now(), kind: 'withdrawal', lines });
    await lookFor(16);
    expect(await stops()).toHaveLength(1);
    await stop();
  });
});
