import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { asc, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { opportunities, opportunityPrices } from '../../market/opportunities/table.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { DatabaseDown } from '../../platform/database/database-down.ts';
import { batches } from '../orders/table.ts';
import { startAccount } from '../venue-desk/account.ts';
import { openSite } from './placing-routes.fixture.ts';

describe('placing without the approval of an exchange contract', () => {
  it('is refused before anything is recorded, naming the contract', async () => {
    await using site = await openSite();
    site.allow(new Map([['another', 1e12]]));
    const refused = await site.place();
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.json.detail).toMatch(
      /the exchange contract exchange may move \$0\.00 of the account's cash: approve it/,
    );
    expect(await site.simulatedErrors()).toEqual([refused.json.detail]);
    expect(await site.desk.test.runtime.db.$count(batches)).toBe(0);
    site.allow(new Map([['exchange', 1e12]]));
    expect(await site.place()).toMatchObject({ status: 200 });
  });
});

describe('the sizes that the policy chooses for a list', () => {
  it('are those of the order dialog, by the books of the feed, with what bounds them', async () => {
    await using site = await openSite();
    const { chosen_size: chosen } = (await site.simulate()).json as { chosen_size: Record<string, unknown> };
    const missing = '00000000-0000-4000-8000-000000000000';
    const { order_size, bounded_by, allowed } = chosen;
    expect(await site.chosenSizes(`${site.opportunityId},${missing}`)).toEqual({
      data: [{ opportunity_id: site.opportunityId, chosen_size: { order_size, bounded_by, allowed } }],
    });
    expect(await site.chosenSizes(missing)).toEqual({ data: [] });
  });
});

describe('the sizes that stand beside the profit by size', () => {
  it('go by the books of the answer, as in the order dialog', async () => {
    await using site = await openSite();
    site.desk.settings.change({ SIZE_POLICY: 'best' });
    for (const [price, pays] of [
      ['0.45', 500],
      ['0.6', 0],
    ] as const) {
      site.desk.venue.setBooks({ 'rain:yes': { asks: [[price, '500']] } });
      await vi.waitFor(async () => {
        await site.desk.test.time.advance(1_000);
        expect(await site.depth()).toMatchObject({ positions: [{ asks: [{ price: Number(price) }] }] });
      }, 60_000);
      const { chosen_size, order_size } = (await site.simulate()).json as Record<string, Record<string, unknown>>;
      const { survival: _, ...chosen } = chosen_size ?? {};
      expect(await site.depth()).toMatchObject({ order_size, chosen_size: chosen });
      expect(chosen.paying_size).toBe(pays);
    }
  });
});

describe('placing at a quoted price of 0', () => {
  it('is refused as a price that nothing has', async () => {
    await using site = await openSite();
    expect(await site.place('?quoted_price=0')).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['query', 'quoted_price'], msg: 'quoted_price must be greater than 0' }] },
    });
    expect(await site.desk.test.runtime.db.$count(batches)).toBe(0);
  });
});

describe('placing what discovery has found', () => {
  it('is refused where other positions have taken the place of those that were looked at', async () => {
    await using site = await openSite();
    const { desk, opportunityId } = site;
    expect((await site.simulate()).json).toMatchObject({ content_hash: null });
    const { contentHash } = await desk.stored(opportunityId);
    await desk.replace(opportunityId, ['rain No']);
    desk.venue.setBooks({ 'rain:no': { asks: [['0.45', '500']] } });
    expect(await site.place(`?content_hash=${contentHash}`)).toMatchObject({
      status: 409,
      json: { detail: expect.stringMatching(/^Other positions, which make more, have taken the place of those/) },
    });
    const { json } = await site.simulate();
    expect(json).toMatchObject({ content_hash: (await desk.stored(opportunityId)).contentHash });
    expect(await desk.test.runtime.db.$count(batches)).toBe(0);
    site.onAccountAsked(() => desk.replace(opportunityId, ['rain Yes']));
    expect(await site.place(`?content_hash=${json.content_hash}`)).toMatchObject({ status: 409 });
    expect(await desk.test.runtime.db.$count(batches)).toBe(0);
  });
});

describe('the prices of a found position', () => {
  const priced = async (basis: 'enforced' | 'parsed') => {
    const site = await openSite();
    const { db } = site.desk.test.runtime;
    await site.desk.replace(site.opportunityId, ['rain No']);
    await db.update(opportunities).set({ basis, targetPrice: priceFromText('1') });
    site.desk.venue.setBooks({ 'rain:no': { asks: [['0.95', '500']] } });
    return site;
  };

  it('are those of discovery where the venue says that the set pays, and the thresholds where nothing stands there', async () => {
    await using site = await priced('enforced');
    const band = { priceLow: priceFromText('0.001'), priceHigh: priceFromText('0.999') };
    const thresholds = 'Leg 1 is at 0.9500, outside 0.1000 to 0.9000.';
    expect(await site.simulatedErrors()).toEqual([thresholds]);
    site.setFoundBand({ ...band, priceHigh: priceFromText('0.94') });
    expect(await site.simulatedErrors()).toEqual(['Leg 1 is at 0.9500, outside 0.0010 to 0.9400.']);
    site.setFoundBand(band);
    expect(await site.place()).toMatchObject({ status: 200 });
  });

  it('are the thresholds where the set was read from words', async () => {
    await using site = await priced('parsed');
    site.setFoundBand({ priceLow: priceFromText('0.001'), priceHigh: priceFromText('0.999') });
    expect(await site.place()).toMatchObject({
      status: 409,
      json: { detail: 'Leg 1 is at 0.9500, outside 0.1000 to 0.9000.' },
    });
  });
});

describe('the audit log of orders', () => {
  it('says once who placed what at which price, and nothing of what was refused', async () => {
    await using site = await openSite();
    const { db } = site.desk.test.runtime;
    const placed = await site.place('?order_size=7&quoted_price=0.45', 'once');
    expect(placed).toMatchObject({ status: 200, json: { order_size: 7 } });
    expect(await site.place('?order_size=7&quoted_price=0.45', 'once')).toEqual(placed);
    expect(await site.place()).toMatchObject({ status: 409 });
    expect(await db.select().from(auditLog).orderBy(asc(auditLog.seq))).toMatchObject([
      {
        action: 'order.placed',
        object: placed.json.id,
        actor: 'operator@example.com',
        before: null,
        after: { opportunity_id: site.opportunityId, order_size: 7, quoted_price: 0.45 },
      },
    ]);
  });

  it('stands with the batch or not at all', async () => {
    await using site = await openSite();
    const { db } = site.desk.test.runtime;
    await db.execute(sql`alter table audit_log rename to gone`);
    expect(await site.place()).toMatchObject({ status: 500 });
    expect(await db.$count(batches)).toBe(0);
  });
});

describe('a simulation of an order', () => {
  it('says that the price has moved from the one that is shown, as placing does', async () => {
    await using site = await openSite();
    // The first price is written a second after it is known: not over the one that stands there below.
    await vi.waitFor(async () => {
      await site.desk.test.time.advance(1000);
      expect((await site.desk.stored(site.opportunityId)).currentPrice).toBe(priceFromText('0.45'));
    }, 60_000);
    expect(await site.simulatedErrors()).toEqual([]);
    await site.desk.test.runtime.db.update(opportunityPrices).set({ currentPrice: priceFromText('0.4') });
    const moved = 'The price moved 12.50% from 0.4000 to 0.4500, at most 5.00% is allowed.';
    expect(await site.simulatedErrors()).toEqual([moved]);
    expect(await site.place()).toMatchObject({ status: 409, json: { detail: moved } });
  });
});

describe('many simulations', () => {
  it('read the balance once for all', async () => {
    const cashBalance = vi.fn(async () => ({ cash: usdFromText('1000'), allowances: null }));
    const trading = { cashBalance } as Partial<VenueTrading> as VenueTrading;
    await using site = await openSite(({ test }) => startAccount(test.runtime, trading));
    const sizes = Array.from({ length: 12 }, (_, nth) => `?order_size=${10 + nth}`);
    const answers = await Promise.all(sizes.map((size) => site.simulate(size)));
    expect(answers.map(({ status, json }) => [status, json.errors])).toEqual(answers.map(() => [200, []]));
    expect(cashBalance).toHaveBeenCalledTimes(1);
  });

  it('are answered with when to come again where the venue takes no more questions, while placing goes on', async () => {
    await using site = await openSite();
    site.desk.venue.isBusy = true;
    expect(await site.simulate()).toMatchObject({
      status: 503,
      json: { detail: 'The venue takes no more questions now. Try again in 2 s.' },
    });
    expect(await site.place()).toMatchObject({ status: 200 });
  });
});

const MOVED = '?quoted_price=0.3';

describe('an order that is refused again and again', () => {
  it('has the balance read four times a second, however often it is given, and one that it allows is placed', async () => {
    const cashBalance = vi.fn(async () => ({ cash: usdFromText('1000'), allowances: null }));
    const trading = { cashBalance } as Partial<VenueTrading> as VenueTrading;
    await using site = await openSite(({ test }) => startAccount(test.runtime, trading));
    for (let nth = 0; nth < 20; nth += 1) {
      expect(await site.place(MOVED)).toMatchObject({ status: 409 });
      await site.desk.test.time.advance(50);
    }
    expect(cashBalance).toHaveBeenCalledTimes(4);
    expect(await site.place()).toMatchObject({ status: 200 });
  });

  it('leaves what the venue takes to the orders of others, for a minute or until one is placed', async () => {
    await using site = await openSite(undefined, { RATE_LIMIT: 'on' });
    for (let nth = 0; nth < 30; nth += 1) expect(await site.place(MOVED)).toMatchObject({ status: 409 });
    site.desk.venue.isBusy = true;
    expect(await site.place()).toMatchObject({
      status: 503,
      json: { detail: 'The venue takes no more questions now. Try again in 2 s.' },
    });
    expect(await site.desk.test.runtime.db.$count(batches)).toBe(0);
    expect(await site.placeAsOther()).toMatchObject({ status: 200 });
    await site.desk.test.runtime.db.update(batches).set({ status: 'failed' });
    site.desk.venue.isBusy = false;
    await site.desk.test.time.advance(1);
    expect(await site.place()).toMatchObject({ status: 200 });
    site.desk.venue.isBusy = true;
    expect(await site.place()).toMatchObject({ status: 409 });
    for (let nth = 0; nth < 29; nth += 1) await site.place();
    expect(await site.place()).toMatchObject({ status: 503 });
    await site.desk.test.time.advance(61_000);
    expect(await site.place()).toMatchObject({ status: 409 });
  });
});

describe('an order whose books lose their trust while it is judged', () => {
  it('is refused', async () => {
    await using site = await openSite();
    await vi.waitFor(async () => {
      await site.desk.test.time.advance(1000);
      expect(site.desk.published.length).toBeGreaterThan(0);
    }, 60_000);
    site.onAccountAsked(async () => {
      await site.desk.test.time.advance(1);
      site.desk.venue.trust('rain:yes', 'stale');
    });
    expect(await site.place()).toMatchObject({ status: 409, json: { detail: expect.stringMatching(/book/) } });
    expect(await site.desk.test.runtime.db.$count(batches)).toBe(0);
  });
});

describe('an order whose database goes away once it is recorded', () => {
  it('is not answered as one to ask for again, and one with a key is answered with what was done', async () => {
    await using site = await openSite();
    const { db } = site.desk.test.runtime;
    const gone = () => {
      throw new DatabaseDown('gone');
    };
    site.onRecorded(() => void vi.spyOn(db, 'select').mockImplementation(gone));
    const unread = await site.place();
    expect(unread).toMatchObject({ status: 500, json: { detail: expect.stringMatching(/see what was done before/) } });
    vi.restoreAllMocks();
    expect(await db.$count(batches)).toBe(1);

    await db.update(batches).set({ status: 'failed' });
    await site.desk.test.time.advance(1);
    expect(await site.place('', 'once')).toMatchObject({ status: 503 });
    vi.restoreAllMocks();
    expect(await site.place('', 'once')).toMatchObject({ status: 200, json: { status: 'pending' } });
    expect(await db.$count(batches)).toBe(2);
  });
});

describe('the clips of an opportunity', () => {
  it('are counted, with why no further one is placed and what is at risk of those that are uneven', async () => {
    await using site = await openSite();
    const { desk, opportunityId: id } = site;
    const { db, clock } = desk.test.runtime;
    desk.settings.change({ SIZE_POLICY: 'best', CLIPS_MAX: 3, AUTO_PLACE_ORDER_ENABLED: true });
    const survival = { expected_size: null, orders_like_it: 0, orders_needed: 30 };
    const chosen = { bounded_by: 'clip', allowed: true, paying_size: 500, survival };
    expect((await site.simulate()).json).toMatchObject({ chosen_size: chosen });
    expect(await site.series(id)).toEqual({ series: null });
    const { id: batchId = '' } = (await site.place()).json;
    expect(await site.series(id)).toEqual({ series: null });
    const ended = { seriesId: batchId, clipNumber: 1, executionCompletedAt: clock.now() };
    const unhedged = { positions: [], worstLoss: usdFromText('3.5') };
    await db.update(batches).set({ ...ended, status: 'partial_completed', unhedged });
    const uneven = [{ batch_id: batchId, clip_number: 1, worst_loss_usd: 3.5 }];
    const series = { series_id: batchId, clips: 1, clips_max: 3, spent_usd: 0 };
    expect(await site.series(id)).toEqual({ series: { ...series, pause: 'uneven', uneven } });
    await db.update(batches).set({ status: 'completed', unhedged: null });
    await db.update(opportunityPrices).set({ triggered: true });
    expect(await site.series(id)).toEqual({ series: { ...series, pause: null, uneven: [] } });
    await desk.test.time.advance(3_600_001);
    expect(await site.series(id)).toMatchObject({ series: { pause: 'quiet' } });
    desk.settings.change({ SIZE_POLICY: 'best', CLIPS_MAX: 1, AUTO_PLACE_ORDER_ENABLED: false });
    expect(await site.series(id), 'settings of a later time change no reason').toMatchObject({
      series: { pause: 'quiet', clips_max: 3 },
    });
    expect(await site.series(batchId)).toEqual({ detail: 'Opportunity not found' });
  });
});
