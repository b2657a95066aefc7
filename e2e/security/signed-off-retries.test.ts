/** Batches whose retry, or missing legs, would spend more than one person may, in the whole product. */
import { batches } from '@dutchbook/server/trading/orders/table.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Person } from './scene.fixture.ts';
import { actionsOn, anHourAgo, askedIn, openDesk, quote } from './signed-off.fixture.ts';

describe('a batch that takes more than one person may spend', () => {
  it('is also a retry of one that exceeds it with what the same person asked for', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada } = desk;
    const { id: batchId } = await scene.batch('refused');
    await desk.product.runtime.db.update(batches).set(anHourAgo);
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 8 });
    expect((await desk.place(olga, await scene.opportunity())).status).toBe(200);
    const retry = (by: Person) => call(by, 'POST', `/arbitrage/batches/${batchId}/retry`);
    askedIn(await retry(olga));
    expect((await retry(ada)).status).toBe(200);
    await desk.product.untilIdle();
    expect((await call(ada, 'GET', `/arbitrage/batches/${batchId}`)).body.status).toBe('completed');
    askedIn(await desk.place(ada, await scene.opportunity()));
  });

  it('is not retried once it is another than they have seen', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada, ben } = desk;
    const { id: batchId } = await scene.batch('refused');
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 4 });
    const id = askedIn(await call(olga, 'POST', `/arbitrage/batches/${batchId}/retry`));
    await desk.product.runtime.db.update(batches).set({ retryCount: 1 }).where(eq(batches.id, batchId));
    expect((await desk.approve(ben, id)).body).toMatchObject({
      ...{ state: 'failed', outcome: 'The batch was changed after it was asked for.' },
    });
    expect((await call(olga, 'GET', `/arbitrage/batches/${batchId}`)).body.status).toBe('failed');
  });

  it('is retried once under one idempotency key', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada, ben } = desk;
    const { id: batchId } = await scene.batch('refused');
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 4 });
    const retry = () =>
      call(olga, 'POST', `/arbitrage/batches/${batchId}/retry`, undefined, { 'idempotency-key': 'K1' });
    const id = askedIn(await retry());
    expect(askedIn(await retry())).toBe(id);
    expect((await desk.approve(ben, id)).body.state).toBe('approved');
    await desk.product.untilIdle();
    expect(await retry()).toMatchObject({ status: 200, body: { id: batchId, status: 'completed', retry_count: 1 } });
  });

  it('is retried by hand with a second person, up to what they have seen', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada, ben } = desk;
    const { id: batchId } = await scene.batch('refused');
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 4 });
    const retry = () => call(olga, 'POST', `/arbitrage/batches/${batchId}/retry`);
    const asked = await retry();
    expect(asked.body.detail).toMatch(
      /: Retry batch “.+”: buy Yes “.+” and No “.+” for about \$4\.50, which brings it to up to \$4\.\d\d\.$/,
    );
    const id = askedIn(asked);
    expect((await call(olga, 'GET', `/arbitrage/batches/${batchId}`)).body.status).toBe('failed');
    expect((await desk.approve(ben, id)).body).toMatchObject({
      ...{ state: 'approved', outcome: 'The batch is being retried.', batch_id: batchId },
    });
    await desk.product.untilIdle();
    expect((await call(olga, 'GET', `/arbitrage/batches/${batchId}`)).body.status).toBe('completed');
    expect(await actionsOn(desk, batchId)).toContain(`batch.retried ${olga.email}, signed off by ${ben.email}`);
  });

  it('has its set finished with a second person, for what was confirmed', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada, ben } = desk;
    const { id: batchId } = await scene.batch('half');
    const read = async () => (await call(olga, 'GET', `/arbitrage/batches/${batchId}`)).body;
    const { unhedged } = (await read()) as { unhedged: { can_finish: boolean; finish: { at_most_usd: number } } };
    expect(unhedged.can_finish).toBe(true);
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 4 });
    const path = `/arbitrage/batches/${batchId}/finish-set?up_to_usd=${unhedged.finish.at_most_usd}`;
    const id = askedIn(await call(olga, 'POST', path));
    expect(await read()).toMatchObject({ status: 'partial_completed' });
    expect((await desk.approve(ben, id)).body).toMatchObject({ state: 'approved', batch_id: batchId });
    await desk.product.untilIdle();
    expect(await read()).toMatchObject({ status: 'completed', unhedged: null });
    expect(await actionsOn(desk, batchId)).toContain(`batch.retried ${olga.email}, signed off by ${ben.email}`);
  });

  it('is not retried for more than they have seen', async () => {
    await using desk = await openDesk(400);
    const { scene, call, olga, ada, ben } = desk;
    const { id: batchId } = await scene.batch('refused');
    await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: 4 });
    const id = askedIn(await call(olga, 'POST', `/arbitrage/batches/${batchId}/retry`));
    const { data } = (await call(olga, 'GET', `/arbitrage/batches/${batchId}/orders`)).body;
    quote(desk, (data as { market_id: string }[])[0]?.market_id, '0.53', '0.52');
    expect((await desk.approve(ben, id)).body).toMatchObject({ state: 'approved' });
    await desk.product.untilIdle();
    expect((await call(olga, 'GET', `/arbitrage/batches/${batchId}`)).body).toMatchObject({
      status: 'failed',
      last_error: expect.stringMatching(
        /Not retried: .*takes up to \$4\.90, and needs a second person above \$4\.\d\d/,
      ),
    });
  });
});
