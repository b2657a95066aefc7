/** Finishing the set of a batch that has no retry left, or that was canceled. */
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { batches } from '../../orders/table.ts';
import { halfBought } from './half-bought.fixture.ts';
import { ended, pass, until } from './runner.fixture.ts';

type Half = Awaited<ReturnType<typeof halfBought>>;

const change = ({ test, batchId }: Half, values: Partial<typeof batches.$inferInsert>) =>
  test.runtime.db.update(batches).set(values).where(eq(batches.id, batchId));

const UP_TO = usdFromText('2.40');
const MISSING = sharesFromText('6');

describe('finishing the set', () => {
  it('is possible where the retries are used up, and counts as none', async () => {
    await using half = await halfBought();
    await change(half, { retryCount: 3 });
    expect(await half.retry()).toMatchObject({
      reason: 'The batch is partial_completed and has used all 3 of its retries.',
    });
    half.fillOnly(MISSING);
    expect((await half.retry(UP_TO))?.kind).toBe('requested');
    half.placing.wake(half.batchId);
    const { batch } = await until(half.test, half.batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', unhedged: null, retryCount: 3 });
    expect(half.venue.posted).toHaveLength(3);
  });

  it('is possible after a cancellation, which a retry is not', async () => {
    await using half = await halfBought();
    await change(half, { status: 'canceled', cancelRequestedAt: half.test.runtime.clock.now() });
    expect(await half.retry()).toMatchObject({ reason: 'The batch is canceled and cannot be retried.' });
    half.fillOnly(MISSING);
    expect((await half.retry(UP_TO))?.kind).toBe('requested');
    half.placing.wake(half.batchId);
    expect((await until(half.test, half.batchId, ended)).batch).toMatchObject({ status: 'completed', unhedged: null });
  });

  it('leaves a canceled batch canceled where it is refused, and nothing of it is bought automatically', async () => {
    await using half = await halfBought({ automatic: true });
    await change(half, { status: 'canceled', cancelRequestedAt: half.test.runtime.clock.now() });
    await half.retry(usdFromText('1'));
    half.placing.wake(half.batchId);
    const { batch } = await until(half.test, half.batchId, ended);
    expect(batch).toMatchObject({
      status: 'canceled',
      lastError: expect.stringMatching(/up to \$1\.00 was confirmed/),
    });
    await pass(half.test, 60_000);
    expect(half.venue.posted).toHaveLength(2);
    half.fillOnly(MISSING);
    expect((await half.retry(UP_TO))?.kind).toBe('requested');
  });

  it('is refused while the batch is bought, and once shares of it were sold', async () => {
    await using half = await halfBought();
    await change(half, { status: 'processing' });
    expect(await half.retry(UP_TO)).toMatchObject({ reason: 'The batch is processing and cannot be finished.' });
    await change(half, { status: 'canceled', saleUnderWay: true });
    expect(await half.retry(UP_TO)).toMatchObject({
      reason: 'The batch is canceled and cannot be finished: shares of it are being sold.',
    });
  });
});
