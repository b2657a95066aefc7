import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { opportunities } from '../../../market/opportunities/table.ts';
import { halfBought } from './half-bought.fixture.ts';
import { pass } from './runner.fixture.ts';

describe('what is switched on and off since a batch was placed', () => {
  it.each([
    ['by hand', false],
    ['by itself', true],
  ])('sends nothing %s while orders are only simulated, of a batch that is not', async (_who, automatic) => {
    await using half = await halfBought({ automatic });
    const { test, venue, batchId, placing } = half;
    half.settings.ORDER_SIMULATION_ENABLED = true;
    if (!automatic) await half.retry();
    placing.wake(batchId);
    await pass(test, 10_000);
    expect((await half.snapshot())?.batch).toMatchObject({
      status: 'partial_completed',
      lastError: 'Not retried: Orders are only simulated now, and those of this batch are not.',
    });
    expect(venue.posted).toHaveLength(2);
    half.settings.ORDER_SIMULATION_ENABLED = false;
    half.fillOnly(sharesFromText('6'));
    if (!automatic) await half.retry();
    placing.wake(batchId);
    await pass(test, 30_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'completed', retryCount: 1 });
  });

  it('does not buy by itself what was found and not bought at all, where that is not placed automatically', async () => {
    await using half = await halfBought({ automatic: true, first: SHARES_ZERO, second: SHARES_ZERO });
    const { test, venue } = half;
    await test.runtime.db.update(opportunities).set({ relationId: test.runtime.random.uuid() });
    half.offerAt(0.45);
    await pass(test, 10_000);
    expect((await half.snapshot())?.batch).toMatchObject({
      status: 'failed',
      lastError: 'Not retried: Found opportunities are not placed automatically, which a superuser can switch on.',
    });
    expect(venue.posted).toHaveLength(2);
  });

  it('completes by itself what was found and half bought', async () => {
    await using half = await halfBought({ automatic: true });
    const { test } = half;
    await test.runtime.db.update(opportunities).set({ relationId: test.runtime.random.uuid() });
    half.fillOnly(sharesFromText('6'));
    await pass(test, 10_000);
    expect((await half.snapshot())?.batch).toMatchObject({ status: 'completed', retryCount: 1 });
  });
});
