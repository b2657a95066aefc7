import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { OrderRequest } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { requestCancel, requestRetry } from '../../batches/intents.ts';
import { notifications } from '../../notifications/table.ts';
import type { TrustedQuote } from '../../parts.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { attempts, auditLog, batches, opportunities } from '../../world/schema.ts';
import { openTestWorld, type TestDatabase, type TestWorld, testDatabases } from '../../world/test-world.ts';
import { DEFAULT_SETTINGS, ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './placing.fixture.ts';

const PART = sharesFromText('4');

/** What the batch was bought for: without it nothing is retried. */
async function recordOpportunity(test: TestWorld, batchId: string): Promise<void> {
  const { world } = test;
  await world.db.insert(opportunities).values({
    id: (await snapshotOf(test, batchId))?.batch.opportunityId ?? '',
    marketCombinations: [],
    targetPrice: priceFromText('1'),
    active: true,
    triggered: false,
    contentHash: batchId,
    createdAt: world.clock.now(),
    updatedAt: world.clock.now(),
  });
}

/**
 * Half of a batch is bought unless said otherwise: ten shares of one position, four of the other, which is then offered at
 * `ask`.
 */
async function halfBought(kind: TestDatabase, { automatic = false, first = SIZE, second = PART } = {}) {
  const test = await openTestWorld(kind);
  const { world } = test;
  let ask = 0.4;
  const quoteOf = (position: Position): TrustedQuote => ({
    ...position,
    tokenId: position.marketId.replace('market-', ''),
    market: { ...marketOf(position.marketId), feeRate: fractionFromNumber(0), minOrderSize: sharesFromText('1') },
    book: bookOf([[ask, 500]]),
    midpoint: null,
    lastTrade: null,
    feed: 'polled',
    bookAgeMs: 0,
  });
  let whileJudged: () => Promise<unknown> = async () => {};
  const quotes = {
    current: () => [],
    fresh: async (positions: readonly Position[]) => {
      await whileJudged();
      return positions.map(quoteOf);
    },
  };
  const controls = scriptedControls();
  const reading = () => ({ cash: usdFromText('1000'), at: world.clock.now() });
  const { venue, placing } = await start(test, undefined, {
    quotes,
    controls,
    account: { reading, refresh: async () => reading(), stop: () => {} },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: automatic }) },
  });
  const fillOnly = (size: Shares) =>
    venue.onPost((order) => {
      const outcome = venue.take(order, venue.orders.size === 0 ? first : size);
      const held = venue.orders.get(order.orderHash);
      if (held) held.status = 'matched';
      if (held && held.fills[0]?.size !== held.request.size) held.status = 'canceled';
      return outcome;
    });
  fillOnly(second);
  const batchId = await recordedBatch(test, { MIN_ORDER_SHARES: 1 });
  await recordOpportunity(test, batchId);
  placing.wake(batchId);
  const half = await until(test, batchId, ended);
  expect(half.batch).toMatchObject({ status: first === 0 ? 'failed' : 'partial_completed', retryCount: 0 });
  return {
    test,
    venue,
    batchId,
    placing,
    controls,
    whileJudged: (work: () => Promise<unknown>) => {
      whileJudged = work;
    },
    offerAt: (price: number) => {
      ask = price;
    },
    fillOnly,
    retry: () => world.db.transaction((tx) => requestRetry(tx, world, batchId, true)),
    snapshot: () => snapshotOf(test, batchId),
    async [Symbol.asyncDispose]() {
      await placing.stop();
      await test.close();
    },
  };
}

describe.each(testDatabases)('the retry of a batch, on %s', (kind) => {
  it('buys what is missing, and only that, at the price of now', async () => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.42);
    half.fillOnly(sharesFromText('6'));
    expect((await half.retry())?.kind).toBe('requested');
    placing.wake(batchId);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', retryCount: 1, unhedged: null, lastError: null });
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, SIZE]);
    expect(venue.posted).toHaveLength(3);
    expect(attempts.at(-1)).toMatchObject({ size: sharesFromText('6'), price: priceFromText('0.42') });
  });

  it('goes back with the reason when the rest does not pay any more, and buys nothing', async () => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.61);
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', retryCount: 1 });
    expect(batch.lastError).toBe('Not retried: Net -0.99 %, needs 0.50 %.');
    expect(venue.posted).toHaveLength(2);
  });

  it.each(['perDay', 'openExposure'] as const)('counts what was bought before towards the limit %s', async (limit) => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing, controls } = half;
    // 5.60 are spent, the rest takes 2.40.
    controls.limits = { ...controls.limits, [limit]: usdFromText('7.99') };
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.lastError).toMatch(/^Not retried: .*8\.00.*7\.99/);
    expect(venue.posted).toHaveLength(2);
  });

  it('is given up when another batch took what the limits leave while it was signed', async () => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing, controls } = half;
    controls.limits = { ...controls.limits, openExposure: usdFromText('15.99') };
    const { trading } = venue.venue;
    if (!trading) throw new Error('the venue takes no orders');
    const signOrder = trading.signOrder.bind(trading);
    let isTaken = false;
    Object.assign(trading, {
      signOrder: async (request: OrderRequest) => {
        if (!isTaken) await recordedBatch(test);
        isTaken = true;
        return await signOrder(request);
      },
    });
    await half.retry();
    placing.wake(batchId);
    const { batch, attempts: made } = await until(test, batchId, ended);
    expect(batch).toMatchObject({
      status: 'partial_completed',
      lastError: expect.stringMatching(/^Not retried: .*16\.00.*15\.99/),
    });
    expect(made).toHaveLength(2);
  });

  it.each([
    ['nothing was bought of a batch that a person placed', { first: SHARES_ZERO, second: SHARES_ZERO }, false],
    ['the batch was placed automatically', { first: SIZE, second: PART }, true],
  ])('of a profit that is not believed is a person’s alone where %s', async (_what, sizes, isAutomatic) => {
    await using half = await halfBought(kind, { automatic: true, ...sizes });
    const { test, venue, batchId, placing } = half;
    await test.world.db.update(batches).set({ automatic: isAutomatic }).where(eq(batches.id, batchId));
    half.fillOnly(sharesFromText('6'));
    const { batch: refused } = await until(test, batchId, (state) => state.batch.retryCount === 1 && ended(state));
    expect(refused.lastError).toBe('Not retried: Net 25.00 %, more than 20.00 % is not believed.');
    expect(venue.posted).toHaveLength(2);
    await half.retry();
    placing.wake(batchId);
    await until(test, batchId, ended);
    expect(venue.posted.length).toBeGreaterThan(2);
  });

  it('happens by itself where a person placed the batch and a part of it was bought, whatever the profit', async () => {
    await using half = await halfBought(kind, { automatic: true });
    half.fillOnly(sharesFromText('6'));
    const completed = await until(half.test, half.batchId, ({ batch }) => batch.status === 'completed');
    expect(completed.batch.retryCount).toBe(1);
  });

  it('is left to a person where nothing was bought of a set that is never bought automatically', async () => {
    await using half = await halfBought(kind, { automatic: true, first: SHARES_ZERO, second: SHARES_ZERO });
    await half.test.world.db.update(opportunities).set({ augmentedEvent: true });
    await pass(half.test, 60_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'failed', retryCount: 0 });
  });

  it('ends in a cancellation that is asked for while it is judged, and is not tried again', async () => {
    await using half = await halfBought(kind, { automatic: true });
    const { test, venue, batchId, placing } = half;
    half.offerAt(0.61);
    half.whileJudged(() => test.world.db.transaction((tx) => requestCancel(tx, test.world, batchId)));
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.status).toBe('canceled');
    half.offerAt(0.4);
    await pass(test, 120_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'canceled', retryCount: 1 });
    expect(venue.posted).toHaveLength(2);
  });

  it('is given up, once, when what is missing cannot be signed', async () => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing } = half;
    let asked = 0;
    Object.assign(venue.venue.trading ?? {}, {
      signOrder: () => {
        asked += 1;
        return Promise.reject(new Error('price 0.125 is not a multiple of the tick 0.01'));
      },
    });
    await half.retry();
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', lastError: expect.stringContaining('0.125') });
    expect(asked).toBe(1);
  });

  it('waits for an order that was given up and stands at the venue after all', async () => {
    await using half = await halfBought(kind);
    const { test, venue, batchId, placing } = half;
    const [, second] = [...venue.orders.values()];
    const [, attempt] = (await half.snapshot())?.attempts ?? [];
    if (!second || !attempt) throw new Error('there is no second order');
    await test.world.db.update(attempts).set({ status: 'open', endedAt: null }).where(eq(attempts.id, attempt.id));
    second.status = 'open';
    await half.retry();
    placing.wake(batchId);
    await pass(test, 5000);
    expect(venue.posted).toHaveLength(2);
    second.status = 'canceled';
    half.fillOnly(sharesFromText('6'));
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, SIZE]);
  });

  it('is given up when the opportunity is gone', async () => {
    await using half = await halfBought(kind);
    const { test, batchId, placing } = half;
    await half.retry();
    const { opportunityId } = (await half.snapshot())?.batch ?? {};
    await test.world.db.delete(opportunities).where(eq(opportunities.id, opportunityId ?? ''));
    placing.wake(batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.lastError).toBe('Not retried: The opportunity was deleted.');
  });

  it('happens by itself after growing pauses, three times at most', async () => {
    await using half = await halfBought(kind, { automatic: true });
    const { test, venue, batchId } = half;
    half.offerAt(0.61);
    const counted: number[] = [];
    for (const seconds of [4, 3, 24, 90, 100]) {
      await pass(test, seconds * 1000);
      counted.push((await half.snapshot())?.batch.retryCount ?? -1);
    }
    expect(counted).toEqual([0, 1, 2, 3, 3]);
    expect((await half.snapshot())?.batch.status).toBe('partial_completed');
    expect(venue.posted).toHaveLength(2);
    const deeds = await test.world.db.select().from(auditLog).where(eq(auditLog.object, batchId));
    expect(deeds.map(({ action, actor }) => `${actor} ${action}`)).toEqual(Array(3).fill('system batch.retried'));
  });

  it('does not happen by itself when it is due only long after', async () => {
    await using half = await halfBought(kind, { automatic: true });
    const { test, placing, batchId } = half;
    await placing.stop();
    await test.time.advance(10 * 60_000);
    const { placing: later } = await start(test, half.venue, {
      settings: { current: () => DEFAULT_SETTINGS },
    });
    await pass(test, 5000);
    expect((await snapshotOf(test, batchId))?.batch.retryCount).toBe(0);
    await later.stop();
  });
});

describe.each(testDatabases)('shares without the rest of their set, on %s', (kind) => {
  it('are told of once, after ten seconds', async () => {
    await using half = await halfBought(kind);
    const { test } = half;
    const told = () => test.world.db.select().from(notifications).where(eq(notifications.notificationType, 'leg_risk'));
    await pass(test, 8000);
    expect(await told()).toEqual([]);
    await pass(test, 5000);
    const [risk, ...others] = await told();
    expect(others).toEqual([]);
    expect(risk).toMatchObject({ notificationType: 'leg_risk', status: 'pending' });
    expect(risk?.message).toBe(
      'A batch is unhedged: it holds 6 Yes of "Market 101" without the rest of the set. At worst $2.40 is lost.',
    );
    expect(risk?.data).toMatchObject({ batch_id: half.batchId, worst_loss_usd: 2.4 });
    await pass(test, 30_000);
    expect(await told()).toHaveLength(1);
  });

  it('are told of as simulated where they are', async () => {
    await using half = await halfBought(kind);
    const { test, batchId } = half;
    await test.world.db.update(batches).set({ simulated: true }).where(eq(batches.id, batchId));
    await pass(test, 13_000);
    const told = await test.world.db.select().from(notifications).where(eq(notifications.notificationType, 'leg_risk'));
    expect(told).toMatchObject([{ message: expect.stringMatching(/^Simulated: /), data: { simulated: true } }]);
  });

  it('say since when', async () => {
    await using half = await halfBought(kind);
    const since = (await half.snapshot())?.batch.unhedgedSince;
    expect(since).toBeLessThanOrEqual(half.test.world.clock.now());
    await pass(half.test, 3000);
    expect((await half.snapshot())?.batch.unhedgedSince).toBe(since as Instant);
  });
});
