/** A process that does not know yet that another one has disarmed trading: what it holds says armed throughout. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { batches } from '../../orders/table.ts';
import { disarm } from '../../trading-controls/arming.ts';
import { openTradingControls } from '../../trading-controls/controls.ts';
import { ensureControls } from '../../trading-controls/store.ts';
import { tradingControls } from '../../trading-controls/table.ts';
import { halfBought } from './half-bought.fixture.ts';
import { ended, pass, recordedBatch, SIZE, start, until } from './runner.fixture.ts';
import { scriptedTrading } from './scripted-trading.fixture.ts';

const BY = {
  actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};

/** As a person does it in another process. */
async function disarmElsewhere({ runtime }: TestRuntime): Promise<void> {
  const controls = await openTradingControls(runtime, 'polymarket');
  controls.stop();
  await disarm(runtime, [controls], BY);
}

/** Only the row that all processes read: the end of no batch is asked for. */
async function disarmUnseen({ runtime }: TestRuntime): Promise<void> {
  await ensureControls(runtime.db, runtime.config.venueMode, 'polymarket');
  await runtime.db.update(tradingControls).set({ armed: false });
}

/** Does `work` once, before the venue is asked for `call` the first time. */
function before(
  venue: ReturnType<typeof scriptedTrading>,
  call: 'signOrder' | 'lookupOrder',
  work: () => Promise<void>,
) {
  const { trading } = venue.venue;
  if (trading === null) throw new Error('the scripted venue trades');
  const asked = trading[call].bind(trading) as (...args: unknown[]) => Promise<never>;
  let done: Promise<void> | null = null;
  const answer = async (...args: unknown[]) => {
    done ??= work();
    await done;
    return await asked(...args);
  };
  Object.assign(trading, { [call]: answer });
}

describe('once trading is disarmed in another process', () => {
  it('nothing that was signed is sent, and the batch ends with that reason', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    before(venue, 'signOrder', () => disarmUnseen(test));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, attempts } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'canceled', lastError: 'Canceled: trading was disarmed.', totalOrders: 0 });
    expect(attempts.map(({ status, sentAt }) => [status, sentAt])).toEqual([
      ['failed', null],
      ['failed', null],
    ]);
    expect(venue.posted).toEqual([]);
    await placing.stop();
  });

  it('nothing is retried by itself', async () => {
    await using half = await halfBought({ automatic: true });
    await disarmElsewhere(half.test);
    half.fillOnly(SIZE);
    await pass(half.test, 30_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'partial_completed', retryCount: 0 });
    expect(half.venue.posted).toHaveLength(2);
  });

  it('a retry that a person asked for is refused', async () => {
    await using half = await halfBought();
    await disarmElsewhere(half.test);
    expect(await half.retry()).toEqual({ kind: 'refused', reason: 'Trading is disarmed.' });
  });

  it('no copy is posted of an order that the venue does not have', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'unknown', reason: 'timed out' }));
    before(venue, 'lookupOrder', () => disarmUnseen(test));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ batch }) => batch.cancelRequestedAt !== null);
    await pass(test, 5000);
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it.each([
    ['is marked anew and leaves', false, 'completed', 2],
    ['does not leave', true, 'canceled', 0],
  ] as const)('what was marked as sent and waited half a second %s, disarmed %s', async (_, disarmed, ends, posted) => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    let lateMs = 0;
    let meanwhile = Promise.resolve();
    const standStill = (point: string) => {
      if (point !== 'marked_sent' || lateMs > 0) return;
      lateMs = 600;
      if (disarmed) meanwhile = disarmUnseen(test);
    };
    const transaction: typeof runtime.db.transaction = async (work) => {
      await meanwhile;
      return await runtime.db.transaction(work);
    };
    const stopped = {
      ...runtime,
      db: Object.assign(Object.create(runtime.db), { transaction }),
      clock: { now: () => (runtime.clock.now() + lateMs) as Instant },
      pass: standStill,
    };
    const venue = scriptedTrading(runtime);
    const { placing } = await start(test, venue, { runtime: stopped });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    expect((await until(test, batchId, ended)).batch.status).toBe(ends);
    expect(venue.posted).toHaveLength(posted);
    expect(lateMs).toBe(600);
    await placing.stop();
  });
});

describe('a batch whose end a person has asked for', () => {
  it('is not bought again by itself when a fill of it is undone, and is by that person', async () => {
    await using half = await halfBought({ automatic: true });
    await half.test.runtime.db
      .update(batches)
      .set({ cancelRequestedAt: half.test.runtime.clock.now() })
      .where(eq(batches.id, half.batchId));
    half.fillOnly(SIZE);
    await pass(half.test, 30_000);
    expect((await half.snapshot())?.batch.status).toBe('partial_completed');
    expect(half.venue.posted).toHaveLength(2);
    expect((await half.retry())?.kind).toBe('requested');
  });
});
