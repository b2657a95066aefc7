import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { PostOutcome } from '@dutchbook/venues/venue.ts';
import { asc, eq, gt } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { batches, fills } from '../orders/table.ts';
import { openSellingSite, type SellingSite } from './selling.fixture.ts';

type Order = { id: string; side: string; status: string; sold_size: number; filled_size: number };

const read = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}`)).body;
const ordersOf = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}/orders`)).body.data as Order[];

describe('selling a whole batch', () => {
  it('brings what was shown before, once for each key', async () => {
    await using site = await openSellingSite();
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
    expect((await site.call('GET', '/arbitrage/orders?limit=1')).body.count).toBe(4);
    expect(await site.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq))).toMatchObject([
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
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const answers: PostOutcome[] = [
      { kind: 'rejected', reason: 'not enough balance / allowance' },
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
        summary: '0 of 2 orders sold, 0 of 10 shares of leg 1, 1 not ended yet',
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
    expect(later.body).toMatchObject({
      successful_sells: 1,
      failed_sells: 1,
      summary: '1 of 2 orders sold, 0 of 10 shares of leg 1',
    });
    expect(await read(site, batchId)).toMatchObject({
      status: 'completed',
      orders_in_doubt: 0,
      unhedged: { positions: [{ shares: 10, usd: 4 }] },
    });
  });

  it('counts its fees as fees of the batch, beside those of buying', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const metrics = async () => (await site.call('GET', `/arbitrage/batches/${batchId}/metrics`)).body;
    const { db } = site.test.runtime;
    await db.update(fills).set({ fee: usdFromText('0.01') });
    expect(await metrics()).toMatchObject({ fees_usd: 0.02, filled_usd: 8 });
    await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    await db
      .update(fills)
      .set({ fee: usdFromText('0.9') })
      .where(gt(fills.price, priceFromText('0.4')));
    expect(await metrics()).toMatchObject({
      ...{ fees_usd: 1.82, filled_usd: 8 },
      per_order: [{ fees_usd: 0.01 }, { fees_usd: 0.01 }],
    });
  });

  it('sells nothing twice when two ask at the same time', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const sell = () => site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    const answers = await Promise.all([sell(), sell()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(site.venue.posted).toHaveLength(4);
    expect(await site.actions()).toHaveLength(1);
  });

  it('is shown while little of what was bought has arrived, and each share bears the cost of several', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    for (const token of ['101', '102']) site.bid(token, ['0.5', '50']);
    site.showHoldings(sharesFromText('2'));
    expect(await site.call('POST', `/arbitrage/batch/${batchId}/sell-all`)).toMatchObject({
      status: 200,
      body: { sellable_orders: 2, total_original_value: 8, average_original_price: 2, average_sell_price: 0.5 },
    });
  });

  it('is shown with what stands in its way, and refused for that', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    const path = `/arbitrage/batch/${batchId}/sell-all`;
    const noBook = 'Leg 2 (Yes, "Market 102"): there is no order book to be trusted.';
    expect((await site.call('POST', path, { body: {} })).body).toMatchObject({ errors: [noBook] });
    const refused = await site.call('POST', `${path}?simulate=false`);
    expect(refused).toMatchObject({ status: 409, body: { detail: noBook } });

    site.bid('102');
    const both = await site.call('POST', path);
    expect(both.body).toMatchObject({ errors: [], warnings: ['Leg 2 (Yes, "Market 102"): there are no bids.'] });
    site.showHoldings(SHARES_ZERO);
    const unsaid = 'Leg 1 (Yes, "Market 101"): the venue has not said how many shares are held.';
    expect((await site.call('POST', path)).body).toMatchObject({ errors: [unsaid, expect.stringMatching(/^Leg 2/)] });

    for (const price of ['cheap', 0, 1.5]) {
      const wrong = await site.call('POST', path, { body: { '101': price } });
      expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', '101'] }] } });
    }
    const unknown = await site.call('POST', `/arbitrage/batch/${site.test.runtime.random.uuid()}/sell-all`);
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'Batch not found' } });
    expect(await site.actions()).toEqual([]);
  });
});

describe('selling a set as it was shown', () => {
  it('sends no order where the bids of one leg take less by then, or its book went stale', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const path = `/arbitrage/batch/${batchId}/sell-all?simulate=false&shown_shares=20`;
    const body = { '101': 0.45, '102': 0.5 };
    const posted = site.venue.posted.length;
    site.bid('102', ['0.5', '4'], ['0.3', '50']);
    const fewer = await site.call('POST', path, { body });
    expect(fewer.status).toBe(409);
    expect(fewer.body.detail).toContain(
      'The bids have changed: at these prices they take 14 of the 20 shares that were shown. Nothing was sold.',
    );
    // One leg takes more than was shown of it, and the other less: a set would be sold in half.
    site.bid('102', ['0.5', '8']);
    const shown = `/arbitrage/batch/${batchId}/sell-all?simulate=false&shown_shares=`;
    const uneven = await site.call('POST', `${shown}8,9`, { body });
    expect([uneven.status, uneven.body.detail]).toEqual([
      409,
      expect.stringContaining('at these prices they take fewer of some legs than were shown. Nothing was sold.'),
    ]);
    expect(await site.call('POST', `${shown}8,0`, { body })).toMatchObject({
      ...{ status: 422, body: { detail: [{ msg: 'shown_shares must be greater than 0' }] } },
    });
    site.bid('102', ['0.5', '50']);
    site.goStale('102');
    const stale = await site.call('POST', path, { body });
    expect(stale).toMatchObject({
      status: 409,
      body: { detail: 'Leg 2 (Yes, "Market 102"): there is no order book to be trusted.' },
    });
    expect(site.venue.posted).toHaveLength(posted);
    expect(await site.actions()).toEqual([]);
  });

  it('sends none of it where a book goes stale while the venue is asked', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    for (const token of ['101', '102']) site.bid(token, ['0.45', '50']);
    site.stream();
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.holding = async () => {
      site.goStale('102');
      return { shares: sharesFromText('10'), allowances: null };
    };
    const posted = site.venue.posted.length;
    expect((await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`)).status).toBe(409);
    expect(site.venue.posted).toHaveLength(posted);
  });

  it('sells the chosen orders together and no others', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought(['10', '10', '10'], { tokens: ['101', '102', '103'] });
    for (const token of ['101', '102', '103']) site.bid(token, ['0.45', '50']);
    const ids = (await ordersOf(site, batchId)).map(({ id }) => id);
    const path = `/arbitrage/batch/${batchId}/sell-all?simulate=false&shown_shares=20&order_ids=${ids.slice(0, 2).join(',')}`;
    expect((await site.call('POST', path, { body: { '101': 0.45, '102': 0.45 } })).body).toMatchObject({
      ...{ total_orders: 2, successful_sells: 2, summary: '2 of 2 orders sold' },
    });
    const orders = await ordersOf(site, batchId);
    expect(orders.filter(({ side }) => side === 'buy').map(({ sold_size }) => sold_size)).toEqual([10, 10, 0]);
  });
});

describe('selling a part of a batch', () => {
  it('counts an order as sold only when it is sold whole, and sells the rest later', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '8']);
    const path = `/arbitrage/batch/${batchId}/sell-all`;
    expect((await site.call('POST', path)).body.warnings).toEqual([
      'Leg 2 (Yes, "Market 102"): the bids take 8 of 10 shares.',
    ]);
    const sold = await site.call('POST', `${path}?simulate=false`, { key: 'first' });
    expect(sold.body).toMatchObject({
      total_orders: 2,
      successful_sells: 1,
      failed_sells: 1,
      summary: '1 of 2 orders sold, 8 of 10 shares of leg 2',
      orders: [
        { leg: 1, sell_size: 10, sold_size: 10, error: null },
        { leg: 2, sell_size: 10, sold_size: 8, error: 'The bids took 8 of 10 shares.' },
      ],
    });
    site.bid('102');
    const refused = await site.call('POST', `${path}?simulate=false`);
    expect(refused.status).toBe(409);
    site.bid('102', ['0.5', '50']);
    expect((await site.call('POST', `${path}?simulate=false`)).body).toMatchObject({
      total_orders: 1,
      successful_sells: 1,
      summary: '1 of 1 orders sold',
    });
    expect(await read(site, batchId)).toMatchObject({ status: 'sold', actual_profit_usd: 1.5 });
    expect((await site.call('POST', `${path}?simulate=false`, { key: 'first' })).body).toEqual(sold.body);
  });

  it('counts an order without bids as one that was not sold', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    site.bid('101', ['0.45', '50']);
    site.bid('102');
    const sold = await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(sold.body).toMatchObject({
      total_orders: 2,
      successful_sells: 1,
      failed_sells: 1,
      summary: '1 of 2 orders sold, 0 of 10 shares of leg 2',
      orders: [{ leg: 1 }, { leg: 2, sell_order_id: null, status: 'failed', sell_size: 10, sold_size: 0 }],
    });
  });
});

describe('selling what is not settled', () => {
  it('is refused with that as the reason, also where another batch holds such shares', async () => {
    await using site = await openSellingSite();
    await site.bought();
    const mine = await site.bought(['10', '10'], { settled: false });
    for (const token of ['101', '102']) site.bid(token, ['0.45', '50']);
    const settling = (leg: number) =>
      `Leg ${leg} (Yes, "Market 10${leg}"): its 10 shares are still being settled and can be sold once the venue has credited them, which takes seconds as a rule.`;
    const path = `/arbitrage/batch/${mine}/sell-all`;
    expect((await site.call('POST', path)).body).toMatchObject({
      errors: [settling(1), settling(2)],
      settling: [{ shares: 10 }, { shares: 10 }],
      orders: [],
    });
    expect(await site.call('POST', `${path}?simulate=false`)).toMatchObject({
      status: 409,
      body: { detail: `${settling(1)} ${settling(2)}` },
    });
  });
});

describe('selling shares that were not approved', () => {
  it('is refused before the first leg, naming the contract', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought();
    for (const token of ['101', '102']) site.bid(token, ['0.5', '50']);
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.holding = async (tokenId) => ({
      shares: sharesFromText('10'),
      allowances: new Map(tokenId === '102' ? [] : [['exchange', sharesFromText('1000')]]),
    });
    const posted = site.venue.posted.length;
    const refused = await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    const why =
      'Leg 2 (Yes, "Market 102"): the exchange contract exchange may not move these shares: approve it with the wallet.';
    expect(refused).toMatchObject({ status: 409, body: { detail: why } });
    expect(site.venue.posted).toHaveLength(posted);
  });
});

describe('selling to ourselves', () => {
  it('is refused, naming the batch whose order would be hit, until that has ended', async () => {
    await using site = await openSellingSite();
    const mine = await site.bought();
    const other = await site.resting();
    await site.test.runtime.db.update(batches).set({ name: 'Rain in May' }).where(eq(batches.id, other));
    for (const token of ['101', '102']) site.bid(token, ['0.4', '50']);
    const path = `/arbitrage/batch/${mine}/sell-all?simulate=false`;
    const posted = site.venue.posted.length;
    const refused = await site.call('POST', path);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain(
      `Leg 1 (Yes, "Market 101"): it would trade with our own order to buy at 0.4 that has not ended, of the batch “Rain in May”: cancel that batch first.`,
    );
    expect(site.venue.posted).toHaveLength(posted);
    for (const token of ['101', '102']) site.bid(token, ['0.41', '50']);
    expect((await site.call('POST', path)).body).toMatchObject({ successful_sells: 2 });
  });
});
