import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueBusy, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { recordOpportunity } from '../execution/runner/half-bought.fixture.ts';
import { until } from '../execution/runner/runner.fixture.ts';
import { askVenue, readSaleInputs } from '../execution/selling/sale-inputs.ts';
import { batches } from '../orders/table.ts';
import { openSellingSite, type SellingSite } from './selling.fixture.ts';

type Order = { id: string; side: string; status: string; sold_size: number; filled_size: number };

const read = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}`)).body;
const ordersOf = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}/orders`)).body.data as Order[];

describe('selling one order', () => {
  it('sells as much as is wanted at the price that is wanted, also while disarmed', async () => {
    await using site = await openSellingSite();
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
    expect(await site.actions()).toEqual([
      ['order.sold', first?.id],
      ['order.sold', first?.id],
    ]);
  });

  it('is not refused because the sale of other shares by another batch ended meanwhile', async () => {
    await using site = await openSellingSite();
    const { db } = site.test.runtime;
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
      return { shares: sharesFromText('10'), allowances: null };
    };
    expect(await sellAll(mine)).toMatchObject({ status: 200 });
  });

  it('counts what another batch is selling of the same token as gone', async () => {
    await using site = await openSellingSite();
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

describe('selling a batch over two venues', () => {
  it('sells and unwinds at the one while the other does not answer, and all of it once it does', async () => {
    await using site = await openSellingSite();
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const batchId = await site.bought(['10', '4'], { tokens: ['101', 'kalshi:102'] });
    for (const tokenId of ['101', 'kalshi:102']) site.bid(tokenId, ['0.45', '50']);
    const { fresh } = site.quotes;
    const { holding } = trading;
    const silent = () => {
      throw new VenueUnavailable('Kalshi is down');
    };
    const isThere = (id: string) => id.startsWith('kalshi:');
    site.quotes.fresh = async (positions, priority) =>
      positions.some(({ marketId }) => isThere(marketId)) ? silent() : await fresh(positions, priority);
    trading.holding = async (tokenId) => (isThere(tokenId) ? silent() : await holding(tokenId));
    const [first, second] = await ordersOf(site, batchId);
    const why = 'Leg 2 (Yes, "Market kalshi:102"): the venue has not said how many shares are held.';
    const sellAll = () => site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(await sellAll()).toMatchObject({ status: 409, body: { detail: why } });
    expect(await site.call('POST', `/arbitrage/sell-order/${second?.id}`)).toMatchObject({
      status: 409,
      body: { detail: why },
    });
    const unwound = await site.call('POST', `/arbitrage/batches/${batchId}/unwind?simulate=false`);
    expect(unwound).toMatchObject({ status: 200 });
    expect((await ordersOf(site, batchId))[0]).toMatchObject({ sold_size: 6 });
    const sold = await site.call('POST', `/arbitrage/sell-order/${first?.id}?sell_size=1`);
    expect(sold).toMatchObject({ status: 200, body: { size: 1, filled_size: 1 } });
    site.quotes.fresh = fresh;
    trading.holding = holding;
    expect(await sellAll()).toMatchObject({ status: 200, body: { successful_sells: 2 } });
    expect(await read(site, batchId)).toMatchObject({ status: 'sold' });
  });

  it('is refused as before where no venue answers, or one takes no more questions', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought(['10', '10'], { tokens: ['101', 'kalshi:102'] });
    const { fresh } = site.quotes;
    const sellAll = () => site.call('POST', `/arbitrage/batch/${batchId}/sell-all`);
    site.quotes.fresh = async () => {
      throw new VenueUnavailable('down');
    };
    expect(await sellAll()).toMatchObject({ status: 503 });
    site.quotes.fresh = async (positions, priority) => {
      if (positions.length > 0 && positions[0]?.marketId.startsWith('kalshi:')) throw new VenueBusy('busy', 2000);
      return await fresh(positions, priority);
    };
    expect(await sellAll()).toMatchObject({ status: 503 });
  });
});

describe('finishing the set', () => {
  it('is asked for once by a double click, buys what is missing, and is refused while disarmed', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought(['10', '4']);
    for (const token of ['101', '102']) site.bid(token, ['0.35', '50']);
    await recordOpportunity(site.test, batchId);
    const finish = () => site.call('POST', `/arbitrage/batches/${batchId}/finish-set?up_to_usd=2.4`, { key: 'finish' });
    site.controls.armed = false;
    expect(await finish()).toMatchObject({ status: 409, body: { detail: 'Trading is disarmed.' } });
    expect(site.venue.posted).toHaveLength(2);
    site.controls.armed = true;
    const answers = await Promise.all([finish(), finish()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await until(site.test, batchId, ({ batch }) => batch.status === 'completed');
    expect((await finish()).status).toBe(200);
    expect(site.venue.posted).toHaveLength(3);
    expect(await site.actions()).toEqual([['batch.retried', batchId]]);
    expect(await read(site, batchId)).toMatchObject({ unhedged: null, actual_profit_usd: 2, retry_count: 1 });
  });
});

describe('unwinding', () => {
  it('has no cost that is of now where a book is stale, nor has finishing the set', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought(['10', '4']);
    for (const token of ['101', '102']) site.bid(token, ['0.35', '50']);
    site.goStale('101');
    const finish = { cost_usd: 2.4, at_most_usd: 2.4, pays_usd: 6, loss_usd: -1.2 };
    expect(await read(site, batchId)).toMatchObject({
      unhedged: { worst_loss_usd: 2.4, unwind_cost_usd: null, finish, cheaper: null },
    });
    site.goStale('102');
    expect(await read(site, batchId)).toMatchObject({
      unhedged: { finish: null, finish_refusal: 'Leg 2 (Yes, "Market 102"): its price is not known.' },
    });
  });

  it('sells what no whole set needs and nothing else, at the loss that was shown', async () => {
    await using site = await openSellingSite();
    const batchId = await site.bought(['10', '4']);
    site.bid('101', ['0.35', '50']);
    site.bid('102', ['0.5', '50']);
    const unhedged = {
      worst_loss_usd: 2.4,
      unwind_cost_usd: 0.3,
      cheaper: 'finish',
      positions: [{ shares: 6, usd: 2.4 }],
    };
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
    expect(await site.actions()).toEqual([['batch.unwound', batchId]]);
  });
});

describe('selling a simulated batch', () => {
  it('asks the venue for no holding and sends it nothing', async () => {
    await using site = await openSellingSite();
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    const batchId = await site.bought([], { simulated: true });
    const sold = await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    expect(sold).toMatchObject({ status: 200, body: { successful_sells: 2, total_proceeds: 9.5 } });
    expect(await read(site, batchId)).toMatchObject({ status: 'sold', simulated: true, actual_profit_usd: 1.5 });
    expect(site.venue.posted).toEqual([]);
  });
});

describe('what sales read of the venue', () => {
  it('is one holding of each token for all who look at the same time', async () => {
    await using site = await openSellingSite();
    const { runtime } = site.test;
    const inputs = await readSaleInputs(runtime.db, { batchId: await site.bought() });
    const { trading } = site.venue.venue;
    if (inputs === null || trading === null) throw new Error('a batch was bought, and the scripted venue trades');
    const read: string[] = [];
    trading.holding = async (tokenId) => {
      read.push(tokenId);
      return { shares: sharesFromText('10'), allowances: null };
    };
    const quotes: Quotes = { current: () => [], fresh: async () => [] };
    const ask = () => askVenue({ runtime, quotes, venue: site.venue.venue }, inputs, 'display');
    const reported = await Promise.all(Array.from({ length: 12 }, ask));
    for (const { holdings } of reported) expect(holdings.get('101')).toBe(sharesFromText('10'));
    expect(read.toSorted()).toEqual(['101', '102']);
  });

  it('comes behind the orders of others once many of one user were refused', async () => {
    await using site = await openSellingSite({ RATE_LIMIT: 'on' });
    const batchId = await site.bought();
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const holding = trading.holding;
    trading.holding = async (tokenId, priority) => {
      if (priority === 'display') throw new VenueBusy('the venue is busy', 2000);
      return await holding(tokenId);
    };
    const sell = () => site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    for (let nth = 0; nth < 30; nth += 1) expect(await sell()).toMatchObject({ status: 409 });
    expect(await sell()).toMatchObject({
      status: 503,
      body: { detail: 'The venue takes no more questions now. Try again in 2 s.' },
    });
    await site.test.time.advance(61_000);
    site.bid('101', ['0.45', '50']);
    site.bid('102', ['0.5', '50']);
    expect(await sell()).toMatchObject({ status: 200, body: { successful_sells: 2 } });
  });
});
