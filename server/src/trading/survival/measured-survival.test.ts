import { marketOf, quoteOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { planPlacement } from '@dutchbook/engine/order/plan.ts';
import { survivalOfPlan } from '@dutchbook/engine/order/survival.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { attempts, fills } from '../orders/table.ts';
import { followSurvival } from './measured-survival.ts';
import { watchShownDepth } from './shown-depth.ts';
import { forgetShown, recordShown } from './store.ts';
import { shownDepths } from './table.ts';

/** Orders of 100 shares at 0.50 of which 80 were shown: 60 are met at once, and the rest as late as said. */
async function sendOrders({ runtime }: TestRuntime, batchId: string, count: number, restAfterMs: number) {
  const state = await loadBatch(runtime.db, batchId);
  const [order] = state?.orders ?? [];
  if (order === undefined) throw new Error('the batch has orders');
  const sentAt = runtime.clock.now();
  const rows = Array.from({ length: count }, () => ({
    ...{
      id: runtime.random.uuid(),
      orderId: order.id,
      batchId,
      orderHash: runtime.random.uuid(),
      salt: '1',
      payload: '{}',
    },
    ...{ size: sharesFromNumber(100), price: order.price, status: 'open' as const, reserved: true },
    ...{ bookDepth: sharesFromNumber(80), bookAgeMs: 300, feeCategory: 'sports' },
    ...{ createdAt: sentAt, sentAt, updatedAt: sentAt },
  }));
  await runtime.db.insert(attempts).values(rows);
  const fillOf = (nth: number, size: number, afterMs: number) => ({
    ...{
      tradeId: `${rows[nth]?.id} ${afterMs}`,
      orderHash: rows[nth]?.orderHash ?? '',
      attemptId: rows[nth]?.id ?? '',
      batchId,
    },
    ...{ price: order.price, size: sharesFromNumber(size), cost: USD_ZERO, fee: USD_ZERO },
    ...{ settlement: 'matched' as const, matchedAt: instantFromMs(sentAt + afterMs), createdAt: sentAt },
  });
  await runtime.db.insert(fills).values(rows.flatMap((_, nth) => [fillOf(nth, 60, 200), fillOf(nth, 40, restAfterMs)]));
}

function expectedNow(survival: ReturnType<typeof followSurvival>) {
  const market = marketOf('m1', { feeCategory: 'sports' });
  const quotes = [{ ...quoteOf(1, [[0.4, 80]], { market }), bookAgeMs: 300 }];
  const plan = planPlacement(quotes, sharesFromNumber(80), setPriceFromNumber(1));
  return survivalOfPlan(survival.current(), quotes, plan);
}

it('says what orders met of the depth shown within five seconds, once the venue has had a minute to report it', async () => {
  await using test = await openTestRuntime();
  const batchId = await recordedBatch(test);
  const survival = followSurvival(test.runtime);
  await sendOrders(test, batchId, 30, 5001);
  await test.time.advance(59_000);
  expect(expectedNow(survival)).toEqual({ share: null, samples: 0 });
  await test.time.advance(61_000);
  expect(expectedNow(survival)).toEqual({ share: fractionFromNumber(0.75), samples: 30 });
  await sendOrders(test, batchId, 90, 4999);
  await test.time.advance(120_000);
  expect(expectedNow(survival)).toEqual({ share: fractionFromNumber(0.75), samples: 120 });
  await sendOrders(test, batchId, 1, 4999);
  await test.time.advance(120_000);
  expect(expectedNow(survival)).toEqual({ share: fractionFromNumber(1), samples: 121 });
  survival.stop();
});

it('forgets orders that were sent 90 days ago', async () => {
  await using test = await openTestRuntime();
  const survival = followSurvival(test.runtime);
  await sendOrders(test, await recordedBatch(test), 30, 1);
  await test.time.advance(120_000);
  expect(expectedNow(survival).samples).toBe(30);
  await test.time.leap(90 * 86_400_000, 86_400_000);
  expect(expectedNow(survival).samples).toBe(0);
  survival.stop();
});

it('counts an order once where a reading takes longer than until the next one', async () => {
  await using test = await openTestRuntime();
  const { db, timers } = test.runtime;
  await sendOrders(test, await recordedBatch(test), 30, 1);
  await test.time.advance(120_000);
  const due: (() => unknown)[] = [];
  const every: typeof timers.every = (_, work) => {
    due.push(work);
    return () => {};
  };
  const { survival, second } = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table attempts in access exclusive mode`);
    const following = followSurvival({ ...test.runtime, timers: { ...timers, every } });
    return { survival: following, second: Promise.all(due.map((work) => work())) };
  });
  await second;
  await test.idle();
  expect(expectedNow(survival).samples).toBe(30);
  survival.stop();
});

/** Rises of one opportunity with a book of 80 shares; the nth, from 0, is left with what `leftAt` says. */
async function watchRises(test: TestRuntime, count: number, leftAt: (nth: number) => number) {
  const market = marketOf('m1', { feeCategory: 'sports' });
  const quoteAt = (shares: number, feed: 'live' | 'stale') => ({
    ...quoteOf(1, [[0.4, shares]], { market }),
    ...{ bookAgeMs: 300, feed },
  });
  let book: ReturnType<typeof quoteAt> = quoteAt(80, 'live');
  const depth = watchShownDepth(test.runtime, { current: () => [book] });
  const opportunityId = test.runtime.random.uuid();
  const rise = async (before: typeof book, after: typeof book) => {
    book = before;
    depth.noteShown({ opportunityId, at: test.runtime.clock.now() }, [book], setPriceFromNumber(1));
    book = after;
    await test.time.advance(300);
  };
  for (let nth = 0; nth < count; nth += 1) await rise(quoteAt(80, 'live'), quoteAt(leftAt(nth), 'live'));
  // Of a book that is not followed, before or after, nothing is known.
  await rise(quoteAt(80, 'stale'), quoteAt(1, 'live'));
  await rise(quoteAt(80, 'live'), quoteAt(1, 'stale'));
  return depth;
}

it('counts beside them what books still held a moment after a rise on which nothing was bought', async () => {
  await using test = await openTestRuntime();
  const survival = followSurvival(test.runtime);
  const depth = await watchRises(test, 30, (nth) => (nth < 8 ? 20 : 80));
  await test.time.advance(80_000);
  expect(expectedNow(survival)).toEqual({ share: fractionFromNumber(0.25), samples: 30 });
  await sendOrders(test, await recordedBatch(test), 30, 1);
  await test.time.advance(120_000);
  expect(expectedNow(survival)).toEqual({ share: fractionFromNumber(1), samples: 60 });
  survival.stop();
  await depth.stop();
});

it('knows after a restart at once what was measured before it, and nothing of fewer than 30', async () => {
  await using test = await openTestRuntime();
  await (await watchRises(test, 29, () => 20)).stop();
  const before = followSurvival(test.runtime);
  await test.idle();
  expect(expectedNow(before)).toEqual({ share: null, samples: 29 });
  before.stop();
  await (await watchRises(test, 1, () => 20)).stop();
  const after = followSurvival(test.runtime);
  await test.idle();
  expect(expectedNow(after)).toEqual({ share: fractionFromNumber(0.25), samples: 30 });
  after.stop();
});

it('keeps what was measured for 90 days, and counts what is measured twice once', async () => {
  await using test = await openTestRuntime();
  const { db, clock, random } = test.runtime;
  const order = { venue: 'polymarket' as const, category: 'sports', size: sharesFromNumber(80), bookAgeMs: 0 };
  const more = { limit: priceFromNumber(0.4), shown: sharesFromNumber(80), met: sharesFromNumber(40) };
  const measured = {
    opportunityId: random.uuid(),
    at: clock.now(),
    tokenId: '101' as const,
    order: { ...order, ...more },
  };
  await recordShown(db, [measured]);
  await recordShown(db, [measured, { ...measured, tokenId: '102' }]);
  const stored = () => db.$count(shownDepths);
  expect(await stored()).toBe(2);
  const day = 86_400_000;
  await forgetShown(db, instantFromMs(clock.now() + 90 * day));
  expect(await stored()).toBe(2);
  await forgetShown(db, instantFromMs(clock.now() + 90 * day + 1));
  expect(await stored()).toBe(0);
});
