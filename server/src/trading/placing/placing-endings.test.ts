import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openTestWorld, type TestWorld, testDatabases } from '../../world/test-world.ts';
import type { BatchState } from './batch-state.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './placing.fixture.ts';

const PART = sharesFromText('4');
const ONE = sharesFromText('1');

/** A batch of which the venue has refused every order, and the first of them. */
async function refused(test: TestWorld, { venue, placing }: Awaited<ReturnType<typeof start>>) {
  venue.onPost(() => ({ kind: 'refused', reason: 'not enough balance / allowance' }));
  const batchId = await recordedBatch(test);
  placing.wake(batchId);
  const { attempts } = await until(test, batchId, ended);
  const [first] = attempts;
  if (!first) throw new Error('there is no attempt');
  return { batchId, first };
}

/** A batch until time is up: one order filled, of the other, `held` by the venue, a part; both have been read. */
async function partFilled(test: TestWorld, { venue, placing }: Awaited<ReturnType<typeof start>>) {
  venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : PART));
  const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
  placing.wake(batchId);
  const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 2);
  const held = venue.orders.get(attempts[1]?.orderHash ?? '');
  if (!held) throw new Error('there is no second order');
  return { batchId, held };
}

describe.each(testDatabases)('how orders end, on %s', (kind) => {
  it('ends an order whose trades had failed to settle before they were first read', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      const outcome = venue.take(order);
      if (venue.orders.size === 1) venue.settle(order.orderHash, 'failed');
      return outcome;
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-4') });
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'filled']);
    await placing.stop();
  });

  it('ends an order that the venue forgot when it canceled it, once time is up', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : sharesFromText('0')));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 1);
    venue.orders.delete(attempts[1]?.orderHash ?? '');
    await pass(test, 36_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ status }) => status)).toEqual(['filled', 'canceled']);
    await placing.stop();
  });

  it('ends an order of which the venue only remembers the trades, once time is up', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const { batchId, held } = await partFilled(test, { venue, placing });
    held.status = 'matched';
    await pass(test, 36_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART]);
    await placing.stop();
  });

  it.each([
    ['already canceled', 'refused'],
    ['canceled now', 'done'],
  ] as const)(
    'waits for the last trades of such an order before it ends it, where the venue calls it %s',
    async (_name, cancels) => {
      await using test = await openTestWorld(kind);
      const { venue, placing } = await start(test);
      const { batchId, held } = await partFilled(test, { venue, placing });
      held.status = 'matched';
      venue.cancels = cancels;
      await pass(test, 40_000);
      expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
      held.fills = held.fills.flatMap((fill) => [fill, { ...fill, tradeId: test.world.dice.uuid(), size: ONE }]);
      const { batch, orders } = await until(test, batchId, ended);
      expect(batch.status).toBe('partial_completed');
      expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART + ONE]);
      await placing.stop();
    },
  );

  it('does not believe in fewer shares than the venue had matched before it forgot the order', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const { batchId, held } = await partFilled(test, { venue, placing });
    const late = held.fills.map((fill) => ({ ...fill, tradeId: test.world.dice.uuid(), size: ONE }));
    const counted = ({ attempts: all }: BatchState) => all[1]?.matchedSize === PART + ONE;
    held.matchedMore = ONE;
    await until(test, batchId, counted);
    held.matchedMore = sharesFromText('0');
    held.status = 'matched';
    await pass(test, 60_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    held.fills = [...held.fills, ...late];
    const { orders } = await until(test, batchId, ended);
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART + ONE]);
    await placing.stop();
  });

  it('asks on while the venue does not answer, even after time is up', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : PART));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    venue.answers = false;
    await pass(test, 60_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    venue.answers = true;
    expect((await until(test, batchId, ended)).batch.status).toBe('partial_completed');
    await placing.stop();
  });

  it('never shows a batch as complete beside a trade of it that has failed, even where the process ends right after', async () => {
    await using test = await openTestWorld(kind);
    const world = { ...test.world, pass: test.world.pass };
    const { venue, placing } = await start(test, undefined, { world });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ended);
    for (const [nth, hash] of [...venue.orders.keys()].entries())
      venue.settle(hash, nth === 0 ? 'failed' : 'confirmed');
    world.pass = (point) => {
      if (point === 'fills_recorded') throw new Error('the process ends here');
    };
    const hasFailed = ({ fills }: BatchState) => fills.some(({ settlement }) => settlement === 'failed');
    const { batch, orders } = await until(test, batchId, hasFailed);
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-4') });
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'filled']);
    await placing.stop();
  });

  it('revives an order that was given up when the venue speaks of it after all', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    venue.take(first, sharesFromText('3'));
    for (const fill of venue.orders.get(first.orderHash)?.fills ?? []) venue.user().onFill(fill);
    const { orders, batch } = await until(test, batchId, ({ fills }) => fills.length > 0);
    expect(orders[0]).toMatchObject({ status: 'partially_filled', filledSize: sharesFromText('3') });
    expect(batch.unhedged?.positions).toMatchObject([{ shares: sharesFromText('3') }]);
    await placing.stop();
  });

  it.each([
    ['while it ran', false],
    ['before it started again', true],
  ])('finds the trades of an order that was given up, though nobody spoke of them, from %s', async (_when, anew) => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    if (anew) await placing.stop();
    venue.take(first);
    const running = anew ? (await start(test, venue)).placing : placing;
    await pass(test, 35_000);
    const { batch, orders } = await until(test, batchId, ({ fills }) => fills.length > 0);
    expect(orders[0]).toMatchObject({ status: 'filled', filledSize: SIZE });
    expect(batch).toMatchObject({ status: 'partial_completed', unhedged: { positions: [{ shares: SIZE }] } });
    await running.stop();
  });

  it('takes off the book what was given up and stands there all the same, though nobody spoke of it while it ran', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    await placing.stop();
    venue.take(first, sharesFromText('3'));
    const next = await start(test, venue);
    const isCanceled = ({ attempts: all }: BatchState) => all.some(({ status }) => status === 'canceled');
    const { orders, batch } = await until(test, batchId, isCanceled);
    expect(venue.orders.get(first.orderHash)?.status).toBe('canceled');
    expect(orders[0]).toMatchObject({ status: 'partially_filled', filledSize: sharesFromText('3') });
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-1.2') });
    await next.placing.stop();
  });
});
