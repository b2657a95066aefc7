import { describe, expect, it, vi } from 'vitest';
import type { CrashPoint } from '../../../platform/runtime/crash-point.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { ended, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

/** Starts a batch runner whose trading is disarmed when it passes `point`. */
async function startDisarmedAt(test: TestRuntime, point: CrashPoint) {
  const controls = scriptedControls();
  const pass = (passed: CrashPoint) => {
    if (passed === point) controls.halt();
  };
  return { controls, ...(await start(test, undefined, { runtime: { ...test.runtime, pass }, controls })) };
}

describe('a batch whose trading is disarmed', () => {
  it.each(['lease_taken', 'orders_signed', 'attempts_committed', 'marked_sent'] as const)(
    'is canceled as disarmed and sends nothing when that happens at %s',
    async (point) => {
      await using test = await openTestRuntime();
      const { venue, placing } = await startDisarmedAt(test, point);
      const batchId = await recordedBatch(test);
      placing.wake(batchId);
      const { batch, orders } = await until(test, batchId, ended);
      expect(batch).toMatchObject({ status: 'canceled', totalOrders: 0 });
      expect(batch.lastError).toMatch(/trading (was|is) disarmed/i);
      expect(orders.every(({ status }) => status === 'failed' || status === 'canceled')).toBe(true);
      expect(venue.posted).toEqual([]);
      await placing.stop();
    },
  );

  it('is followed to its end when the venue has accepted its orders already', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await startDisarmedAt(test, 'venue_answered');
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, SIZE]);
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it('has orders whose outcome is unknown looked up, and not posted again', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await startDisarmedAt(test, 'venue_answered');
    venue.onPost(() => ({ kind: 'unknown', reason: 'timed out' }));
    const { trading } = venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const lookups = vi.spyOn(trading, 'lookupOrder');
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, () => lookups.mock.calls.length >= 4);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });
});
