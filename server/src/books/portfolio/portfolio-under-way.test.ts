import type { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import type { SellingSite } from '../../trading/batches/selling.fixture.ts';
import { readLots } from '../../trading/chain-steps/free-lots.ts';
import { takeLease } from '../../trading/execution/runner/batch-lease.ts';
import { recordAttemptUpdates } from '../../trading/execution/runner/batch-writes.ts';
import { attempts, batches, batchOrders } from '../../trading/orders/table.ts';
import { reserveAnew } from '../../trading/under-way/reserve.ts';
import { openPortfolioSite, type PortfolioSite } from './portfolio.fixture.ts';

let site: SellingSite;
let portfolio: PortfolioSite['read'];
beforeEach(async () => {
  ({ site, read: portfolio } = await openPortfolioSite());
});
afterEach(() => site[Symbol.asyncDispose]());

describe('money and shares that are on their way', () => {
  it('says what is on its way: open buys with their fees, and shares that are not settled', async () => {
    await site.resting();
    await site.bought(['10', '10'], { settled: false });
    const { cash, holdings } = await portfolio();
    expect(cash).toMatchObject({ in_orders_usd: 8 });
    expect(holdings).toMatchObject([{ settling_shares: 10 }, { settling_shares: 10 }]);
  });

  it('counts no shares as still to be bought whose trades have failed to settle', async () => {
    await site.resting(sharesFromText('4'));
    expect(await portfolio()).toMatchObject({ cash: { in_orders_usd: 4.8 }, holdings: [] });
  });

  it('counts as on its way what was matched before its cancellation and is not reported yet', async () => {
    await site.resting();
    await site.stop();
    const { db } = site.test.runtime;
    await db.update(attempts).set({ status: 'canceled', matchedSize: sharesFromText('3') });
    await reserveAnew(db, sql`true`);
    expect(await portfolio()).toMatchObject({ cash: { in_orders_usd: 2.4 }, holdings: [] });
  });

  it('has what a part of an order cost rounded up, as the ways out have it', async () => {
    await site.bought(['3', '3']);
    const { db } = site.test.runtime;
    await db.update(batchOrders).set({ filledCost: usdFromText('1'), soldSize: sharesFromText('1') });
    expect(await portfolio()).toMatchObject({ holdings: [{ cost_usd: 0.666667 }, { cost_usd: 0.666667 }] });
    expect((await readLots(db, 'held')).map(({ cost }) => cost)).toEqual([666_667, 666_667]);
  });

  it('holds nothing of a batch that is sold out, nor do the ways out: what its fills show is what the venue took as its fee', async () => {
    await site.bought(['10', '10']);
    const { db, clock } = site.test.runtime;
    await db.update(batchOrders).set({ soldSize: sharesFromText('9.8') });
    await db.update(batches).set({ soldAt: clock.now() });
    // As the venue still lists them.
    const none = { shares: 0, cost_usd: 0, batch_ids: [] };
    expect(await portfolio()).toMatchObject({ holdings: [none, none], cost_usd: 0 });
    expect(await readLots(db, 'held')).toEqual([]);
  });

  it('counts nothing as on its way that was canceled after a part of it was filled', async () => {
    const batchId = await site.bought(['6', '4']);
    expect((await portfolio()).cash).toMatchObject({ in_orders_usd: 0 });
    for (const token of ['101', '102']) site.bid(token, ['0.5', '100']);
    site.venue.onPost((order) => {
      const outcome = site.venue.take(order, sharesFromText('1'));
      site.venue.settle(order.orderHash, 'confirmed');
      const held = site.venue.orders.get(order.orderHash);
      if (held) held.status = 'canceled';
      return outcome;
    });
    const sold = await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(sold).toMatchObject({ status: 200, body: { successful_sells: 0, failed_sells: 2 } });
    const { holdings } = await portfolio();
    expect(holdings).toMatchObject([
      { token_id: '101', shares: 5, in_sale_shares: 0 },
      { token_id: '102', shares: 3, in_sale_shares: 0 },
    ]);
  });

  it('has in sale what turns up of a sell order after its sale has ended, until its trades are reported', async () => {
    const { db } = site.test.runtime;
    const batchId = await site.bought(['10'], { tokens: ['101'] });
    site.bid('101', ['0.5', '100']);
    site.venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance / allowance' }));
    await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    const sold = inArray(
      attempts.orderId,
      db.select({ id: batchOrders.id }).from(batchOrders).where(eq(batchOrders.side, 'sell')),
    );
    await expect
      .poll(async () => (await db.select().from(attempts).where(sold)).map(({ status }) => status))
      .toEqual(['rejected']);
    await site.stop();
    const isInSale = async (shares: number, free: number[]) => {
      expect((await portfolio()).holdings).toMatchObject([{ token_id: '101', shares: 10, in_sale_shares: shares }]);
      expect((await readLots(db, 'held')).map((lot) => lot.shares)).toEqual(free);
    };
    await db.update(batches).set({ saleUnderWay: false });
    await isInSale(0, [10_000_000]);
    await db.update(attempts).set({ status: 'open' }).where(sold);
    await isInSale(10, [0]);
    const lease = await takeLease(site.test.runtime, site.test.runtime.random.uuid(), batchId);
    const [attempt] = await db.select().from(attempts).where(sold);
    if (lease === null || attempt === undefined) throw new Error('nothing was sold');
    const matched = { attemptId: attempt.id, event: 'matched' as const, matchedSize: sharesFromText('4') };
    await recordAttemptUpdates(site.test.runtime, lease, [matched]);
    await db.update(batches).set({ resultsDue: false });
    await isInSale(4, [6_000_000]);
  });

  it('has in sale what a contract converts, until that is booked', async () => {
    const { db, random } = site.test.runtime;
    const batchId = await site.bought(['10'], { tokens: ['101'] });
    await site.stop();
    const [bought] = await db.select().from(batchOrders);
    if (bought === undefined) throw new Error('nothing was bought');
    const call = { chainStepId: random.uuid(), submissionId: random.uuid(), submissionPurpose: 'cash_now' as const };
    const of = {
      id: random.uuid(),
      side: 'sell' as const,
      ordinal: 1,
      sellsOrderId: bought.id,
      size: sharesFromText('7'),
    };
    const nothing = { filledSize: sharesFromText('0'), filledCost: usdFromText('0'), fee: usdFromText('0') };
    await db.insert(batchOrders).values({ ...bought, ...of, ...call, ...nothing, status: 'processing' });
    await db.update(batches).set({ saleUnderWay: true });
    expect((await portfolio()).holdings).toMatchObject([{ shares: 10, in_sale_shares: 7, batch_ids: [batchId] }]);
    expect((await readLots(db, 'held')).map(({ shares }) => shares)).toEqual([3_000_000]);
    await db.update(batchOrders).set({ status: 'failed' }).where(eq(batchOrders.side, 'sell'));
    expect((await portfolio()).holdings).toMatchObject([{ shares: 10, in_sale_shares: 0 }]);
  });

  it('offers no way out of what a batch that still buys holds, and names that batch', async () => {
    const batchId = await site.bought(['10', '10']);
    for (const token of ['101', '102']) site.bid(token, ['0.45', '100']);
    await site.stop();
    const shown = async () => {
      const { holdings, events } = (await portfolio()) as z.input<typeof readPortfolio.reply>;
      const leaving = events.flatMap(({ routes }) => routes?.hold.steps ?? []).map(({ shares }) => shares);
      return {
        leaving,
        keptBy: holdings.map(({ buying_shares, buying_batch_ids }) => [buying_shares, buying_batch_ids]),
      };
    };
    const none = [0, []];
    expect(await shown()).toEqual({ leaving: [10, 10], keptBy: [none, none] });
    const { db } = site.test.runtime;
    await db.update(batches).set({ status: 'processing' });
    const kept = [10, [batchId]];
    expect(await shown()).toEqual({ leaving: [], keptBy: [kept, kept] });
    const inSet = { shares: 10, set_shares: 10 };
    // Its set reaches over two events.
    const pays = { pays_least_usd: 0, pays_most_usd: 10, locked_usd: null, loose_usd: 0 };
    const worth = { locked_usd: 10, loose_usd: 0 };
    expect(await portfolio()).toMatchObject({ ...worth, holdings: [inSet, inSet], events: [pays, pays] });
    await db.update(batches).set({ status: 'canceled' });
    expect(await shown()).toMatchObject({ leaving: [10, 10] });
  });
});
