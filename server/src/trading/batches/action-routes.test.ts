import { priceFromText } from '@dutchbook/units/price.ts';
import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { storeOpportunities } from '../../market/opportunities/stored.fixture.ts';
import { recordedBatch, SIZE, snapshotOf } from '../execution/runner/runner.fixture.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { type ActionSite, openActionSite } from './actions.fixture.ts';

type Changed = Partial<typeof batches.$inferInsert>;

/** A batch whose opportunity exists, brought to the state that is given. */
async function batchLike({ test }: ActionSite, changed: Changed = {}): Promise<string> {
  const { db, random, clock } = test.runtime;
  const batchId = await recordedBatch(test);
  const now = clock.now();
  const opportunityId = changed.opportunityId ?? random.uuid();
  const opportunity = {
    id: opportunityId,
    marketCombinations: [],
    targetPrice: priceFromText('1'),
    active: true,
    contentHash: opportunityId,
    createdAt: now,
    updatedAt: now,
  };
  await storeOpportunities(db, [opportunity]);
  await db
    .update(batches)
    .set({ opportunityId, ...changed })
    .where(eq(batches.id, batchId));
  return batchId;
}

async function stored({ test }: ActionSite, batchId: string) {
  const state = await snapshotOf(test, batchId);
  if (state === null) throw new Error('the batch is not stored');
  return state.batch;
}

describe('retrying a batch', () => {
  it('records that it is wanted, once for each key, and calls the loop', async () => {
    await using site = await openActionSite();
    const ended = site.test.runtime.clock.now();
    const batchId = await batchLike(site, { status: 'failed', executionCompletedAt: ended, lastError: 'no money' });
    const retry = () => site.call('POST', `/arbitrage/batches/${batchId}/retry`, { key: 'once' });
    const first = await retry();
    expect(first).toMatchObject({ status: 200, body: { status: 'retry_pending', retry_count: 0, last_error: null } });
    expect(await retry()).toMatchObject({ status: 200, body: { id: batchId, retry_count: 0 } });
    expect(await stored(site, batchId)).toMatchObject({ executionCompletedAt: null, cancelRequestedAt: null });
    expect(site.woken).toEqual([batchId, batchId]);
    expect(await site.actions()).toEqual([['batch.retried', batchId]]);
    const other = await site.call('POST', `/arbitrage/batches/${batchId}/cancel`, { key: 'once' });
    expect(other).toMatchObject({ status: 422, body: { detail: [{ loc: ['header', 'idempotency-key'] }] } });
  });

  it('is refused with the state it is in, and leaves no trace', async () => {
    await using site = await openActionSite();
    const retry = async (batchId: string) => {
      const { status, body } = await site.call('POST', `/arbitrage/batches/${batchId}/retry`);
      return [status, body.detail];
    };
    expect(await retry(await batchLike(site))).toEqual([409, 'The batch is pending and cannot be retried.']);
    const worn = await batchLike(site, { status: 'failed', retryCount: 3 });
    expect(await retry(worn)).toEqual([409, 'The batch is failed and has used all 3 of its retries.']);
    const opportunityId = site.test.runtime.random.uuid();
    const old = await batchLike(site, { status: 'partial_completed', opportunityId });
    await batchLike(site, { opportunityId });
    expect(await retry(old)).toEqual([409, 'The opportunity has an active batch already.']);
    const failed = await batchLike(site, { status: 'failed' });
    site.controls.armed = false;
    expect(await retry(failed)).toEqual([409, 'Trading is disarmed.']);
    expect(await retry(site.test.runtime.random.uuid())).toEqual([404, 'Batch not found']);
    expect(await site.actions()).toEqual([]);
    expect(site.woken).toEqual([]);
  });

  it('is refused, and not offered, while shares of it are sold and after some were', async () => {
    await using site = await openActionSite();
    const batchId = await batchLike(site, { status: 'partial_completed' });
    const offered = async () => {
      const { body } = await site.call('GET', `/arbitrage/batches/${batchId}`);
      const listed = await site.call('GET', '/arbitrage/batches?can_retry=true');
      return [body.can_retry, body.is_final, listed.body.count];
    };
    const underWay = (saleUnderWay: boolean) =>
      site.test.runtime.db.update(batches).set({ saleUnderWay }).where(eq(batches.id, batchId));
    expect(await offered()).toEqual([true, false, 1]);
    await underWay(true);
    expect(await offered()).toEqual([false, false, 0]);
    await underWay(false);
    await sellSome(site, batchId);
    expect(await offered()).toEqual([false, true, 0]);
    expect(await site.call('POST', `/arbitrage/batches/${batchId}/retry`)).toMatchObject({
      status: 409,
      body: { detail: 'The batch is partial_completed and cannot be retried: shares of it were sold.' },
    });
  });
});

describe('a retry of a batch of which nothing more is bought', () => {
  it.each([
    [{ goneSize: SIZE }, 'shares of it have left the account'],
    [{ resolvedValue: priceFromText('1') }, 'a market of it has resolved'],
  ])('is neither offered nor taken: %j', async (changed, reason) => {
    await using site = await openActionSite();
    const batchId = await batchLike(site, { status: 'partial_completed' });
    const first = and(eq(batchOrders.batchId, batchId), eq(batchOrders.leg, 1));
    await site.test.runtime.db.update(batchOrders).set(changed).where(first);
    const { body } = await site.call('GET', `/arbitrage/batches/${batchId}`);
    const listed = await site.call('GET', '/arbitrage/batches?can_retry=true');
    expect([body.can_retry, body.is_final, listed.body.count]).toEqual([false, true, 0]);
    expect(await site.call('POST', `/arbitrage/batches/${batchId}/retry`)).toMatchObject({
      status: 409,
      body: { detail: `The batch is partial_completed and cannot be retried: ${reason}.` },
    });
  });
});

/** What a sale of the shares of the batch's first order leaves behind. */
async function sellSome({ test }: ActionSite, batchId: string): Promise<void> {
  const first = and(eq(batchOrders.batchId, batchId), eq(batchOrders.leg, 1));
  await test.runtime.db.update(batchOrders).set({ soldSize: SIZE }).where(first);
}

describe('canceling a batch', () => {
  it('answers with what became of it, also while disarmed, and is asked for once', async () => {
    await using site = await openActionSite();
    site.controls.armed = false;
    const batchId = await batchLike(site, { status: 'processing' });
    const early = await site.call('POST', `/arbitrage/batches/${batchId}/cancel`);
    expect(early).toMatchObject({ status: 200, body: { status: 'processing', cancel_requested: true } });
    const asked = (await stored(site, batchId)).cancelRequestedAt;

    const { db } = site.test.runtime;
    site.onWake((id) => db.update(batches).set({ status: 'canceled' }).where(eq(batches.id, id)));
    const again = await site.call('POST', `/arbitrage/batches/${batchId}/cancel`, { key: 'again' });
    expect(again).toMatchObject({ status: 200, body: { status: 'canceled', is_final: true } });
    expect((await stored(site, batchId)).cancelRequestedAt).toBe(asked);
    expect(await site.call('POST', `/arbitrage/batches/${batchId}/cancel`, { key: 'again' })).toEqual(again);
    expect(await site.call('POST', `/arbitrage/batches/${batchId}/cancel`)).toMatchObject({
      status: 409,
      body: { detail: 'The batch is canceled and cannot be canceled.' },
    });
    expect(await site.actions()).toEqual([['batch.canceled', batchId]]);
  });
});

describe('asking the venue again', () => {
  it('counts the orders that show something else, and says when not all was answered', async () => {
    await using site = await openActionSite();
    const { db } = site.test.runtime;
    const asked = await batchLike(site, { status: 'processing' });
    const other = await batchLike(site, { status: 'processing' });
    const over = await batchLike(site, { status: 'failed' });
    const answer = async (id: string) => {
      if (id !== asked) return;
      await db.update(batchOrders).set({ status: 'open', leg: 7 }).where(eq(batchOrders.batchId, id));
      await db.update(batches).set({ pollRequestedAt: null }).where(eq(batches.id, id));
    };
    site.onWake(answer);
    expect(await site.call('POST', `/arbitrage/batches/${asked}/reconcile`)).toEqual({
      status: 200,
      body: { message: 'Order statuses updated', updated: 2 },
    });
    expect(await site.call('POST', '/arbitrage/orders/update-status')).toEqual({
      status: 200,
      body: { message: 'The venue has not answered about every order yet', updated: 0 },
    });
    expect(site.woken.toSorted()).toEqual([asked, asked, other].toSorted());
    const { opportunityId } = await stored(site, over);
    const nothing = await site.call('POST', `/arbitrage/orders/update-status?opportunity_id=${opportunityId}`);
    expect(nothing.body).toEqual({ message: 'Order statuses updated', updated: 0 });
  });
});
