import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { percentToNumber } from '@dutchbook/units/percent.ts';
import { priceFromText, priceToNumber } from '@dutchbook/units/price.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it, vi } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { presentRow } from '../opportunities/present.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { opportunities } from '../opportunities/table.ts';
import { type Desk, openDesk } from './live-prices.fixture.ts';

/** Price, fees and profit as a client reads them. */
function shown({ currentPrice, feesPerSet, profitPercentage, lastError, errorCount }: StoredOpportunity) {
  return {
    price: currentPrice === null ? null : priceToNumber(currentPrice),
    fees: feesPerSet === null ? null : usdToNumber(feesPerSet),
    profit: profitPercentage === null ? null : percentToNumber(profitPercentage),
    error: lastError,
    errors: errorCount,
  };
}

function listTwo({ venue }: Desk, prices: [string, string], rate = 0): void {
  for (const id of ['rain', 'snow']) venue.list(id, { feeSchedule: feeOf(rate) });
  setAsks(venue, prices);
}

function setAsks(venue: Desk['venue'], [rain, snow]: [string, string]): void {
  venue.setBooks({ 'rain:yes': { asks: [[rain, '500']] }, 'snow:yes': { asks: [[snow, '500']] } });
}

const SET = ['rain Yes', 'snow Yes'];

describe('live prices', () => {
  it('follow the books in memory at once, and in the database where a reader could notice', async () => {
    await using desk = await openDesk();
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 100 });
    listTwo(desk, ['0.45', '0.50'], 0.05);
    const added = await desk.add(SET);
    const { live } = await desk.start();
    setAsks(desk.venue, ['0.41', '0.50']);
    const [now] = live.rowsNow([added]);
    // Fees: 0.05 x 0.41 x 0.59 = 0.012095 and 0.05 x 0.25 = 0.0125, each up to five decimals.
    expect(now && shown(now)).toEqual({ price: 0.91, fees: 0.0246, profit: 6.997646, error: null, errors: 0 });
    await desk.test.time.advance(1000);
    expect(shown(await desk.stored(added.id))).toEqual(now && shown(now));
  });

  it('that have moved are in the database within seconds while another process lists them, and when this one ends', async () => {
    await using desk = await openDesk();
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 100 });
    listTwo(desk, ['0.45', '0.50']);
    const { id } = await desk.add(SET);
    const engine = await desk.start();
    const nothing = { ...onlyEngine().partitions, owns: () => false, held: () => [] };
    const api = await desk.start(desk.test.runtime, nothing);
    const storedPrice = async () => shown(await desk.stored(id)).price;
    await desk.test.time.advance(3000);
    expect(await storedPrice()).toBe(0.95);
    setAsks(desk.venue, ['0.44', '0.50']);
    await desk.test.time.advance(3000);
    expect(await storedPrice()).toBe(0.95);
    api.live.noteListed();
    await desk.untilStored(id, { currentPrice: priceFromText('0.94') });
    setAsks(desk.venue, ['0.43', '0.50']);
    await desk.test.time.advance(2000);
    expect(await storedPrice()).toBe(0.93);
    await desk.test.time.advance(20_000);
    setAsks(desk.venue, ['0.42', '0.50']);
    await desk.test.time.advance(2000);
    expect(await storedPrice()).toBe(0.93);
    await engine.stop();
    expect(await storedPrice()).toBe(0.92);
  });

  it('of what another process has deleted are not followed any more', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    const { id } = await desk.add(SET);
    await desk.start();
    expect(desk.venue.subscribed().size).toBe(2);
    const { db, pubsub } = desk.test.runtime;
    await db.transaction((tx) => pubsub.publish(tx, 'opportunity_deleted', id));
    await expect.poll(() => desk.venue.subscribed().size).toBe(0);
  });

  it('are as of now where the books say all the time that they are so', async () => {
    await using desk = await openDesk();
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 100 });
    listTwo(desk, ['0.45', '0.50']);
    const added = await desk.add(SET);
    desk.hub.watched = () => false;
    const { live } = await desk.start();
    const checkedAgo = () => desk.test.time.clock.now() - (live.rowsNow([added])[0]?.lastChecked ?? 0);
    await desk.test.time.advance(60_000);
    expect(checkedAgo()).toBe(0);
    desk.venue.trust('snow:yes', 'stale');
    await desk.test.time.advance(60_000);
    expect(checkedAgo()).toBeGreaterThanOrEqual(60_000);
  });

  it('say of when they are where a book is stale, cannot be had, or is followed by no process', async () => {
    await using desk = await openDesk();
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 100 });
    listTwo(desk, ['0.45', '0.50']);
    const added = await desk.add(SET);
    const { live } = await desk.start();
    await desk.test.time.advance(5000);
    const shownNow = () => live.rowsNow([added]).map(presentRow)[0];
    expect(shownNow()).toMatchObject({ current_price: 950_000, outdated: null });
    desk.venue.trust('snow:yes', 'stale');
    const staleSince = shownNow()?.outdated?.as_of;
    expect(staleSince).toBeLessThanOrEqual(desk.test.runtime.clock.now());
    await desk.test.time.advance(60_000);
    expect(shownNow()).toMatchObject({ current_price: 950_000, outdated: { as_of: staleSince } });
    desk.venue.trust('snow:yes', 'live');
    expect(shownNow()).toMatchObject({ outdated: null });
    const at = desk.test.runtime.clock.now();
    const kept = { ...added, currentPrice: added.targetPrice, lastChecked: at };
    expect(presentRow({ ...kept, active: false }).outdated).toEqual({ as_of: at });
    expect(presentRow({ ...kept, lastError: 'leg 1: no book' }).outdated).toEqual({ as_of: at });
    expect(presentRow({ ...kept, lastError: 'not enough balance' }).outdated).toBeNull();
    expect(presentRow({ ...kept, currentPrice: null, active: false }).outdated).toBeNull();
  });

  it('price to the depth that cumulative pricing asks for', async () => {
    await using desk = await openDesk();
    desk.settings.change({ USE_CUMULATIVE_PRICING: true });
    desk.venue.list('rain');
    desk.venue.setBooks({
      'rain:yes': {
        asks: [
          ['0.40', '10'],
          ['0.42', '100'],
        ],
      },
    });
    const added = await desk.add(['rain Yes'], { target_price: 0.5 });
    const { live } = await desk.start();
    expect(live.rowsNow([added]).map(shown)).toMatchObject([{ price: 0.42, error: null }]);
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.40', '10']] } });
    expect(live.rowsNow([added])[0]?.lastError).toBe(
      'Leg 1 (Yes, "Will rain happen?"): not enough depth, $4.00 on offer of the $10.00 that pricing looks at',
    );
  });

  it('never price a set between the changes of one group of frames', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.61', '0.40']);
    const added = await desk.add(SET);
    await desk.start();
    desk.published.length = 0;
    setAsks(desk.venue, ['0.40', '0.60']);
    const prices = desk.published.filter(({ type }) => type === 'opportunity').map(({ data }) => data);
    expect(prices).toMatchObject([{ id: added.id, current_price: 1_000_000 }]);
    await desk.test.idle();
    expect(desk.placed).toEqual([]);
  });

  it('keep the last price beside the error, count it once in ten seconds, and clear both', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.55']);
    const added = await desk.add(SET);
    const { live } = await desk.start();
    const now = () => shown(live.rowsNow([added])[0] ?? added);
    for (const _frame of [1, 2, 3]) desk.venue.setBooks({ 'snow:yes': { asks: [] } });
    const error = 'Leg 2 (Yes, "Will snow happen?"): no shares are on offer';
    expect(now()).toMatchObject({ price: 1, error, errors: 1 });
    await desk.test.time.advance(16_000);
    expect(now()).toMatchObject({ price: 1, error, errors: 2 });
    expect(shown(await desk.stored(added.id))).toMatchObject({ error });
    setAsks(desk.venue, ['0.45', '0.54']);
    expect(now()).toMatchObject({ price: 0.99, error: null, errors: 0 });
  });

  it.each([
    ['an unknown market', ['nowhere Yes'], 'Leg 1 (Yes, market nowhere): the venue does not know this market'],
    ['an unknown outcome', ['rain Maybe'], 'Leg 1 (Maybe, "Will rain happen?"): no such outcome, only "Yes" and "No"'],
    ['a closed market', ['shut Yes'], 'Leg 1 (Yes, "Will shut happen?"): the market is closed'],
    ['an unknown fee', ['free Yes'], 'Leg 1 (Yes, "Will free happen?"): the venue does not say what fee it takes'],
    ['no book', ['empty Yes'], 'Leg 1 (Yes, "Will empty happen?"): there is no order book'],
  ])('name the position with %s', async (_case, positions, error) => {
    await using desk = await openDesk();
    desk.venue.list('rain');
    desk.venue.list('shut', { closed: true });
    desk.venue.list('free', { feeSchedule: null });
    desk.venue.list('empty');
    const asks = [['0.5', '100']] as const;
    desk.venue.setBooks({ 'rain:yes': { asks }, 'shut:yes': { asks }, 'free:yes': { asks } });
    const added = await desk.add(positions);
    await desk.start();
    await desk.untilStored(added.id, { lastError: error });
  });

  it('conclude nothing while the venue is silent', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    desk.venue.answers = false;
    const added = await desk.add(SET);
    await desk.start();
    await desk.test.time.advance(20_000);
    expect(shown(await desk.stored(added.id))).toMatchObject({ price: null, error: null });
    desk.venue.answers = true;
    await desk.untilStored(added.id, { currentPrice: priceFromText('0.95'), lastError: null });
  });

  it('see a market close when the stream says that it has resolved', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    const added = await desk.add(SET);
    const { live } = await desk.start();
    desk.venue.resolve('rain');
    expect(live.rowsNow([added])[0]?.lastError).toContain('the market is closed');
  });

  it('take up what is added, edited or deleted by another process', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    const { live } = await desk.start();
    const added = await desk.add(SET);
    await vi.waitFor(async () => {
      await desk.test.time.advance(1000);
      expect(shown(await desk.stored(added.id))).toMatchObject({ price: 0.95 });
    }, 60_000);
    expect(desk.venue.subscribed()).toEqual(new Set(['rain:yes', 'snow:yes']));
    await desk.test.runtime.db.delete(opportunities);
    setAsks(desk.venue, ['0.44', '0.50']);
    await vi.waitFor(async () => {
      await desk.test.time.advance(1000);
      expect(desk.venue.subscribed()).toEqual(new Set());
    }, 60_000);
    expect(live.rowsNow([added])).toEqual([added]);
  });

  it('are of the positions that discovery has put in place of the earlier ones, and of nothing seen before', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    const { id } = await desk.add(SET);
    const { live } = await desk.start();
    await desk.test.time.advance(2000);
    expect(await desk.stored(id)).toMatchObject({ currentPrice: 950_000, triggered: true, rises: 1 });
    live.open(await desk.stored(id));
    await desk.replace(id, ['rain No', 'hail Yes']);
    expect(await desk.stored(id)).toMatchObject({ currentPrice: null, triggered: false });
    desk.venue.list('hail');
    desk.venue.setBooks({ 'rain:no': { asks: [['0.30', '500']] }, 'hail:yes': { asks: [['0.20', '500']] } });
    await desk.untilStored(id, { currentPrice: priceFromText('0.5'), triggered: true, rises: 2 });
    expect(desk.venue.subscribed()).toEqual(new Set(['rain:no', 'hail:yes']));
    expect(desk.placed).toEqual([id, id]);
    desk.published.length = 0;
    desk.venue.setBooks({ 'hail:yes': { asks: [['0.21', '500']] } });
    await desk.test.time.advance(200);
    await expect
      .poll(() => desk.published.filter(({ type }) => type === 'opportunity_detail'))
      .toMatchObject([{ data: { positions: [{ market_id: 'rain', outcome: 'No' }, { market_id: 'hail' }] } }]);
  });

  it('show the whole opportunity to those who have it open', async () => {
    await using desk = await openDesk();
    listTwo(desk, ['0.45', '0.50']);
    const added = await desk.add(SET, { active: false });
    const { live } = await desk.start();
    expect(live.open(added).isComplete).toBe(false);
    await desk.test.time.advance(1000);
    expect(
      live.rowsNow([added]).map((row) => presentRow(row).outdated),
      'in a list',
    ).not.toEqual([null]);
    desk.published.length = 0;
    setAsks(desk.venue, ['0.44', '0.50']);
    await desk.test.time.advance(200);
    await expect
      .poll(() => desk.published.filter(({ type }) => type === 'opportunity_detail'))
      .toMatchObject([
        {
          topic: `opportunity:${added.id}`,
          data: {
            current_price: 940_000,
            max_profitable_size: 500_000_000,
            positions: [
              { leg: 1, market_id: 'rain', token_id: 'rain:yes', price: 440_000, best_ask: 440_000, feed: 'live' },
              { leg: 2, market_id: 'snow', token_id: 'snow:yes', price: 500_000, depth_usd: 250_000_000 },
            ],
          },
        },
      ]);
  });
});
