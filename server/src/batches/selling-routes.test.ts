import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import type { PostOutcome } from '@dutchbook/venues/venue.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog, batches } from '../world/schema.ts';
import { testDatabases } from '../world/test-world.ts';
import { openSellingSite, type SellingSite } from './selling.fixture.ts';

type Order = { id: string; side: string; status: string; sold_size: number; filled_size: number };

const read = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}`)).body;
const ordersOf = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}/orders`)).body.data as Order[];

describe.each(testDatabases)('selling a whole batch, on %s', (kind) => {
  it('brings what was shown before, once for each key', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const path = `/arbitrage/batch/${batchId}/sell-all`;
    const shown = await site.call('POST', path, { body: null });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        simulation: true,
        total_orders: 2,
        sellable_orders: 2,
        total_original_value: 8,
        estimated_proceeds: 9.5,
        estimated_fees: 0,
        estimated_profit: 1.5,
        estimated_profit_percentage: 18.75,
        warnings: [],
        errors: [],
      },
    });
    const sell = (body: unknown) => site.call('POST', `${path}?simulate=false`, { key: 'once', body });
    const sold = await sell({ '101': 0.45 });
    expect(sold).toMatchObject({
      status: 200,
      body: {
        simulation: false,
        total_orders: 2,
        successful_sells: 2,
        failed_sells: 0,
        total_proceeds: 9.5,
        total_fees: 0,
        summary: '2 of 2 orders sold',
      },
    });
    expect(await sell({ '101': 0.45 })).toEqual(sold);
    expect(await sell({ '101': 0.44 })).toMatchObject({ status: 422 });
    expect(site.venue.posted).toHaveLength(4);
    expect(await read(site, batchId)).toMatchObject({ status: 'sold', actual_profit_usd: 1.5, unhedged: null });
    const orders = await ordersOf(site, batchId);
    expect(orders.map(({ side, status, sold_size }) => [side, status, sold_size])).toEqual([
      ['buy', 'filled', 10],
      ['buy', 'filled', 10],
      ['sell', 'filled', 0],
      ['sell', 'filled', 0],
    ]);
    expect(await site.test.world.db.select().from(auditLog).orderBy(asc(auditLog.seq))).toMatchObject([
      {
        action: 'batch.sold',
        object: batchId,
        after: {
          orders: [
            { order_id: orders[0]?.id, sell_size: 10, sell_price: 0.45 },
            { order_id: orders[1]?.id, sell_size: 10, sell_price: 0.5 },
          ],
        },
      },
    ]);
    const summary = await site.call('GET', `/arbitrage/batches/${batchId}/summary`);
    expect(summary.body).toMatchObject({ success_rate: 1, average_order_value: 4 });
  });

  it('says of each order what became of it, and which are not known to have ended', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const answers: PostOutcome[] = [
      { kind: 'refused', reason: 'not enough balance / allowance' },
      { kind: 'unknown', reason: 'timed out' },
    ];
    site.venue.onPost((order) => answers.shift() ?? site.venue.take(order));
    site.venue.answers = false;
    const path = `/arbitrage/batch/${batchId}/sell-all`;
    const sold = await site.call('POST', `${path}?simulate=false`, { key: 'once' });
    expect(sold).toMatchObject({
      status: 200,
      body: {
        successful_sells: 0,
        failed_sells: 1,
        total_proceeds: 0,
        summary: '0 of 2 orders sold, 1 not ended yet',
        orders: [
          { leg: 1, status: 'rejected', sold_size: 0, error: 'not enough balance / allowance' },
          { leg: 2, status: 'processing', sold_size: 0 },
        ],
      },
    });
    expect(await read(site, batchId)).toMatchObject({ status: 'completed', orders_in_doubt: 1 });
    expect((await site.call('POST', path)).body.errors).toContain(
      'The batch is completed and cannot be sold: shares of it are being sold.',
    );

    site.venue.answers = true;
    const later = await site.call('POST', `${path}?simulate=false`, { key: 'once' });
    expect(later.body).toMatchObject({ successful_sells: 1, failed_sells: 1, summary: '1 of 2 orders sold' });
    expect(await read(site, batchId)).toMatchObject({
      status: 'completed',
      orders_in_doubt: 0,
      unhedged: { positions: [{ shares: 10, usd: 4 }] },
    });
  });

  it('sells nothing twice when two ask at the same time', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const sell = () => site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    const answers = await Promise.all([sell(), sell()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(site.venue.posted).toHaveLength(4);
    expect(await site.deeds()).toHaveLength(1);
  });

  it('is shown while little of what was bought has arrived, and each share bears the cost of several', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    for (const token of ['101', '102']) site.bid(token, ['0.5', '50']);
    site.showHoldings(sharesFromText('2'));
    expect(await site.call('POST', `/arbitrage/batch/${batchId}/sell-all`)).toMatchObject({
      status: 200,
      body: { sellable_orders: 2, total_original_value: 8, average_original_price: 2, average_sell_price: 0.5 },
    });
  });

  it('is shown with what stands in its way, and refused for that', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    const path = `/arbitrage/batch/${batchId}/sell-all`;
    const noBook = 'Leg 2 (Yes, "Market 102"): there is no order book to be trusted.';
    expect((await site.call('POST', path, { body: {} })).body).toMatchObject({ errors: [noBook] });
    const refused = await site.call('POST', `${path}?simulate=false`);
    expect(refused).toMatchObject({ status: 409, body: { detail: noBook } });

    site.bid('102');
    const both = await site.call('POST', path);
    expect(both.body).toMatchObject({ errors: [], warnings: ['Leg 2 (Yes, "Market 102"): nobody bids.'] });
    site.showHoldings(SHARES_ZERO);
    const unsaid = 'Leg 1 (Yes, "Market 101"): the venue has not said how many shares are held.';
    expect((await site.call('POST', path)).body).toMatchObject({ errors: [unsaid, expect.stringMatching(/^Leg 2/)] });

    for (const price of ['cheap', 0, 1.5]) {
      const wrong = await site.call('POST', path, { body: { '101': price } });
      expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', '101'] }] } });
    }
    const nobody = await site.call('POST', `/arbitrage/batch/${site.test.world.dice.uuid()}/sell-all`);
    expect(nobody).toMatchObject({ status: 404, body: { detail: 'Batch not found' } });
    expect(await site.deeds()).toEqual([]);
  });
});

describe.each(testDatabases)('selling one order, on %s', (kind) => {
  it('sells as much as is wanted at the price that is wanted, also while disarmed', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought();
    site.controls.armed = false;
    site.bid('101', ['0.45', '50']);
    const [first] = await ordersOf(site, batchId);
    const sell = (query: string) => site.call('POST', `/arbitrage/sell-order/${first?.id}${query}`);
    const part = await sell('?sell_size=6&sell_price=0.44');
    expect(part).toMatchObject({
      status: 200,
      body: { side: 'sell', sells_order_id: first?.id, size: 6, price: 0.44, filled_size: 6, status: 'filled' },
    });
    expect((await ordersOf(site, batchId))[0]).toMatchObject({ sold_size: 6 });
    expect((await sell('?sell_size=5')).body.detail).toBe(
      'Leg 1 (Yes, "Market 101"): 5 shares are more than the 4 that are there to sell.',
    );
    expect(await sell('?sell_size=0')).toMatchObject({ status: 422 });
    expect((await sell('')).body).toMatchObject({ size: 4, filled_size: 4 });
    expect(await sell('')).toMatchObject({
      status: 409,
      body: { detail: 'The order is filled and cannot be sold: it holds no shares.' },
    });
    expect(await site.call('POST', `/arbitrage/sell-order/${part.body.id}`)).toMatchObject({ status: 409 });
    expect(await site.call('POST', `/arbitrage/sell-order/${batchId}`)).toMatchObject({ status: 404 });
    expect(await site.deeds()).toEqual([
      ['order.sold', first?.id],
      ['order.sold', first?.id],
    ]);
  });

  it('is not refused because the sale of other shares by another batch ended meanwhile', async () => {
    await using site = await openSellingSite(kind);
    const { db } = site.test.world;
    const other = await site.bought(['10', '10'], { tokens: ['201', '202'] });
    const mine = await site.bought();
    for (const tokenId of ['101', '102', '201', '202']) site.bid(tokenId, ['0.45', '50']);
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    await site.stop();
    const sellAll = (batchId: string) => site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(await sellAll(other)).toMatchObject({ status: 200 });
    trading.holding = async () => {
      await db.update(batches).set({ saleUnderWay: false }).where(eq(batches.id, other));
      return sharesFromText('10');
    };
    expect(await sellAll(mine)).toMatchObject({ status: 200 });
  });

  it('counts what another batch is selling of the same token as gone', async () => {
    await using site = await openSellingSite(kind);
    const [mine, other] = [await site.bought(), await site.bought()];
    site.bid('101', ['0.45', '50']);
    const [first] = await ordersOf(site, other);
    await site.stop();
    const selling = await site.call('POST', `/arbitrage/sell-order/${first?.id}`);
    expect(selling).toMatchObject({ status: 200, body: { status: 'pending' } });
    const [bought] = site.venue.orders.keys();
    site.venue.settle(bought ?? '', 'failed');
    const { body } = await site.call('POST', `/arbitrage/batch/${mine}/sell-all`);
    expect(body.warnings).toContain('Leg 1 (Yes, "Market 101"): 0 of its 10 shares are held at the venue.');
    expect((await site.call('POST', `/arbitrage/sell-order/${first?.id}`)).body.detail).toBe(
      'The order is filled and cannot be sold: its shares are being sold.',
    );
  });
});

describe.each(testDatabases)('unwinding, on %s', (kind) => {
  it('sells what no whole set needs and nothing else, at the loss that was shown', async () => {
    await using site = await openSellingSite(kind);
    const batchId = await site.bought(['10', '4']);
    site.bid('101', ['0.35', '50']);
    site.bid('102', ['0.5', '50']);
    const unhedged = { worst_loss_usd: 2.4, unwind_cost_usd: 0.3, positions: [{ shares: 6, usd: 2.4 }] };
    expect(await read(site, batchId)).toMatchObject({ status: 'partial_completed', unhedged });
    const path = `/arbitrage/batches/${batchId}/unwind`;
    expect((await site.call('POST', path)).body).toMatchObject({
      simulation: true,
      unwind_cost_usd: 0.3,
      orders: [{ leg: 1, sell_size: 6, sell_price: 0.35, original_value: 2.4 }],
      errors: [],
    });
    const done = await site.call('POST', `${path}?simulate=false`, { key: 'out' });
    expect(done).toMatchObject({ status: 200, body: { successful_sells: 1, total_proceeds: 2.1 } });
    expect(await site.call('POST', `${path}?simulate=false`, { key: 'out' })).toEqual(done);
    expect(await read(site, batchId)).toMatchObject({ status: 'partial_completed', unhedged: null });
    const again = await site.call('POST', `${path}?simulate=false`);
    const why = 'The batch is partial_completed and cannot be unwound: all that it holds is in whole sets.';
    expect(again).toMatchObject({ status: 409, body: { detail: why } });
    expect((await site.call('POST', path)).body.errors).toContain(why);
    expect(await site.deeds()).toEqual([['batch.unwound', batchId]]);
  });
});

describe.each(testDatabases)('selling a simulated batch, on %s', (kind) => {
  it('asks the venue for no holding and sends it nothing', async () => {
    await using site = await openSellingSite(kind);
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const batchId = await site.bought([], { simulated: true });
    const sold = await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(sold).toMatchObject({ status: 200, body: { successful_sells: 2, total_proceeds: 9.5 } });
    expect(await read(site, batchId)).toMatchObject({ status: 'sold', simulated: true, actual_profit_usd: 1.5 });
    expect(site.venue.posted).toEqual([]);
  });
});
