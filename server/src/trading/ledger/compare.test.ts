import { traded } from '@dutchbook/engine/ledger/history.fixture.ts';
import { PRICE_ZERO, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { type VenuePosition, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { chainSteps, chainSubmissions } from '../chain-steps/table.ts';
import { pass, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { externalOrders } from '../external-orders/table.ts';
import { batchOrders } from '../orders/table.ts';
import { readBalances } from './balances.ts';
import { compareWithVenue, lastCheck } from './compare.ts';
import { listEntries } from './store.ts';
import { ledgerEntries } from './table.ts';

const MINUTE_MS = 60_000;

/** What the venue has of cash and of shares by token, both as text; null where it does not answer. */
function openComparison(test: TestRuntime) {
  const state: { cash: string | null; shares: Record<string, string>; lost: string[] } = {
    ...{ cash: '100', shares: {}, lost: [] },
  };
  const { runtime } = test;
  const parts = {
    venue: 'polymarket' as const,
    chain: null,
    runtime,
    account: {
      refresh: async () =>
        state.cash === null ? null : { cash: usdFromText(state.cash), allowances: null, at: runtime.clock.now() },
    },
    trading: {
      positions: async () => {
        if (state.cash === null) throw new VenueUnavailable('down');
        return Object.entries(state.shares).map(([tokenId, shares]) => ({
          ...{ marketId: `market-${tokenId}`, outcome: 'Yes', tokenId, shares: sharesFromText(shares) },
          ...{
            redeemable: state.lost.includes(tokenId),
            resolvedValue: state.lost.includes(tokenId) ? PRICE_ZERO : null,
          },
        })) satisfies VenuePosition[];
      },
      refreshHoldings: async () => {},
    },
    catalogue: { marketsById: async () => new Map(), eventsById: async () => [] },
  };
  return {
    state,
    compare: () => compareWithVenue(parts),
    nextMinute: async () => {
      await test.time.advance(MINUTE_MS);
      return await compareWithVenue(parts);
    },
    reported: async () => {
      const ofLedger = eq(notifications.notificationType, 'ledger_difference');
      const rows = await runtime.db.select().from(notifications).where(ofLedger).orderBy(asc(notifications.createdAt));
      return rows.map(({ message }) => message);
    },
    check: () => lastCheck(runtime.db, 'polymarket'),
  };
}

describe('the comparison with the venue', () => {
  it('opens the ledger with what was there before', async () => {
    await using test = await openTestRuntime();
    const { state, compare, check } = openComparison(test);
    state.cash = null;
    expect(await compare()).toBe(false);
    expect(await check()).toBeNull();
    Object.assign(state, { cash: '100', shares: { '71': '3' } });
    expect(await compare()).toBe(true);
    expect(await readBalances(test.runtime.db)).toEqual([
      { account: 'cash', unit: 'usd', amount: 100_000_000 },
      { account: 'outside', unit: '71', amount: -3_000_000 },
      { account: 'outside', unit: 'usd', amount: -100_000_000 },
      { account: 'shares', unit: '71', amount: 3_000_000 },
    ]);
    expect(await check()).toMatchObject({ differences: [], since: null });
    await compare();
    expect(await test.runtime.db.select({ kind: ledgerEntries.kind }).from(ledgerEntries)).toEqual([
      { kind: 'opening' },
    ]);
  });

  it('tells once of a difference that stays, names the entry that moved as much, and ends when they agree', async () => {
    await using test = await openTestRuntime();
    const { state, compare, nextMinute, reported, check } = openComparison(test);
    await compare();
    state.cash = '95';
    await nextMinute();
    expect(await reported()).toEqual([]);
    const since = test.runtime.clock.now();
    expect(await check()).toMatchObject({ differences: [{ unit: 'usd', amount: -5_000_000 }], since });
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual(['The venue has $5.00 less than the ledger: unexplained $5.00.']);
    expect(await check()).toMatchObject({ since });
    state.cash = '100';
    await nextMinute();
    expect(await check()).toMatchObject({ differences: [], since: null, notifiedAt: null });
    state.cash = '0';
    await nextMinute();
    await nextMinute();
    expect((await reported())[1]).toMatch(
      /^The venue has \$100.00 less than the ledger: as much as entry 1, opening at 20/,
    );
  });

  it('explains by orders that were not placed here what they traded, and leaves the rest unexplained', async () => {
    await using test = await openTestRuntime();
    const { state, compare, nextMinute, reported } = openComparison(test);
    Object.assign(state, { cash: '100', shares: { '71': '20' } });
    await compare();
    const now = test.runtime.clock.now();
    const seen = { marketId: 'market-71', marketName: 'Will it rain?', outcome: 'Yes', seenAt: now, endedAt: now };
    const sold = { tokenId: '71', side: 'sell' as const, price: priceFromText('0.6'), size: sharesFromText('15') };
    await test.runtime.db
      .insert(externalOrders)
      .values({ ...seen, ...sold, orderHash: '0xtheirs', matchedSize: sharesFromText('15') });
    Object.assign(state, { cash: '109.05', shares: { '71': '5' } });
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([
      'The venue has $9.05 more than the ledger: an order that was not placed here can have moved as much. ' +
        'The venue has 15.00 shares of token 71 less than the ledger: orders that were not placed here sold 15.00 of them.',
    ]);
    Object.assign(state, { cash: '90', shares: { '71': '4' } });
    await nextMinute();
    await nextMinute();
    expect((await reported())[1]).toBe(
      'The venue has $10.00 less than the ledger: unexplained $10.00. ' +
        'The venue has 16.00 shares of token 71 less than the ledger: orders that were not placed here sold 15.00 of them. Unexplained 1.00 shares.',
    );
  });

  it('does not tell of what comes and goes between two comparisons', async () => {
    await using test = await openTestRuntime();
    const { state, compare, nextMinute, reported } = openComparison(test);
    await compare();
    for (const cash of ['95', '94', '100', '95', '100']) {
      state.cash = cash;
      await nextMinute();
    }
    expect(await reported()).toEqual([]);
  });

  it('lets a trade that has failed explain nothing: it was reported, and is not to come', async () => {
    await using test = await openTestRuntime();
    const { state, compare, nextMinute, reported } = openComparison(test);
    await compare();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test, {}, ['101']);
    venue.onPost((order) => {
      const outcome = venue.take(order);
      venue.settle(order.orderHash, 'failed');
      return outcome;
    });
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills[0]?.settlement === 'failed');
    await placing.stop();
    state.cash = '97';
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([expect.stringContaining('The venue has $3.00 less than the ledger')]);
  });

  it('lets trades that are not confirmed explain either, and no more', async () => {
    await using test = await openTestRuntime();
    const { state, compare, nextMinute, reported } = openComparison(test);
    await compare();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test, {}, ['101']);
    venue.onPost((order) => venue.take(order));
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 1);
    for (const [cash, shares] of [
      ['100', '0'],
      ['96', '10'],
    ] as const) {
      Object.assign(state, { cash, shares: { '101': shares } });
      await nextMinute();
      await nextMinute();
      expect(await reported()).toEqual([]);
    }
    state.shares = { '101': '10.5' };
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([
      'The venue has 10.50 shares of Yes of "Market 101" more than the ledger: unexplained 10.50 shares of Yes of "Market 101".',
    ]);
    await placing.stop();
  });

  it('does not open while an order is on its way', async () => {
    await using test = await openTestRuntime();
    const { compare, check } = openComparison(test);
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test, {}, ['101']);
    venue.onPost((order) => venue.take(order));
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 1);
    expect(await compare()).toBe(false);
    venue.settle([...venue.orders.keys()][0] ?? '', 'confirmed');
    await until(test, batchId, ({ fills }) => fills[0]?.settlement === 'confirmed');
    expect(await compare()).toBe(false);
    expect(await check()).toBeNull();
    await pass(test, 2 * MINUTE_MS);
    expect(await compare()).toBe(true);
    await placing.stop();
  });

  it('lets what waits to be converted into dollars explain that the venue has redeemed it, until it has ended', async () => {
    await using test = await openTestRuntime();
    const { clock, db, random } = test.runtime;
    const { state, compare, nextMinute, reported } = openComparison(test);
    state.shares = { '101': '3' };
    await compare();
    const [id, requestId, expected] = [random.uuid(), random.uuid(), usdFromText('3')];
    const [nothing, createdAt] = [[], clock.now()];
    await db.insert(chainSubmissions).values({
      ...{ id, requestId, purpose: 'cash_now', status: 'planned', automatic: false, createdAt },
      ...{ batchIds: nothing, expected },
    });
    await db.insert(chainSteps).values({
      ...{ id: random.uuid(), submissionId: id, ordinal: 1, kind: 'merge', marketIds: nothing, marketNames: nothing },
      ...{ shares: sharesFromText('3'), expected, changes: [{ tokenId: '101', micro: -3_000_000 }] },
      ...{ parts: nothing, handedOut: nothing },
    });
    Object.assign(state, { cash: '103', shares: {} });
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([]);
    await db.update(chainSubmissions).set({ status: 'failed', endedAt: clock.now() });
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([expect.stringContaining('3.00 shares of token 101 less')]);
  });

  it('enters without a word that shares are gone which pay nothing', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const { state, compare, nextMinute, reported, check } = openComparison(test);
    state.shares = { '101': '3', '102': '3' };
    await compare();
    await recordedBatch(test);
    const ofMarket = eq(batchOrders.tokenId, '102');
    await db.update(batchOrders).set({ resolvedValue: PRICE_ZERO }).where(ofMarket);
    state.shares = {};
    await nextMinute();
    await nextMinute();
    expect(await reported()).toEqual([expect.stringContaining('3.00 shares of token 101 less')]);
    expect(await check()).toMatchObject({ differences: [{ unit: '101' }] });
    const held = (await readBalances(db)).filter(({ account }) => account === 'shares');
    expect(held).toEqual([{ account: 'shares', unit: '101', amount: 3_000_000 }]);
  });

  it('closes once for nothing what was bought of an outcome that has lost, and holds it while the venue does', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const { state, compare, nextMinute, reported, check } = openComparison(test);
    await compare();
    const batchId = await recordedBatch(test, {}, ['101']);
    const [order] = await db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
    const lines = traded('101', 3_000_000, -1_200_000, 0, 'held');
    await db.insert(ledgerEntries).values({ at: test.runtime.clock.now(), kind: 'settled', lines });
    Object.assign(state, { cash: '98.8', shares: { '101': '3' } });
    await nextMinute();
    state.lost = ['101'];
    await nextMinute();
    await nextMinute();
    const ofToken = async () =>
      (await readBalances(db)).filter(({ unit }) => unit === '101').map(({ account, amount }) => [account, amount]);
    expect(await ofToken()).toEqual([
      ['outside', -3_000_000],
      ['shares', 3_000_000],
    ]);
    const { data } = await listEntries(db, { skip: 0, limit: 10, sort_order: 'asc', kind: 'lost' });
    expect(data).toMatchObject([{ order_id: order?.id, market_name: 'Market 101', outcome: 'Yes', usd: 0 }]);
    Object.assign(state, { shares: {}, lost: [] });
    await db.update(batchOrders).set({ resolvedValue: PRICE_ZERO });
    await nextMinute();
    await nextMinute();
    expect(await ofToken()).toEqual([]);
    expect([await reported(), await check()]).toMatchObject([[], { differences: [] }]);
  });
});
