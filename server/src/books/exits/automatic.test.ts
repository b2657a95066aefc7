import { eq, ne, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import { chainSubmissions } from '../../trading/chain-steps/table.ts';
import { batches } from '../../trading/orders/table.ts';
import { type ExitSite, openExitSite } from './exits.fixture.ts';

let site: ExitSite;
beforeEach(async () => {
  site = await openExitSite();
});
afterEach(() => site[Symbol.asyncDispose]());

async function batchOf(id: string) {
  return (await site.call('GET', `/arbitrage/batches/${id}`)).body;
}

describe('automatic exits', () => {
  const settings = '/system-settings/exits';
  const change = (form: Record<string, unknown>) => ask(site, site.superuser, 'PUT', settings, form);

  it('are off until a superuser switches them on, which is audited', async () => {
    await site.boughtPairs('10');
    await site.untilIdle();
    expect(site.chain.submitted).toEqual([]);
    expect(await ask(site, site.superuser, 'GET', settings)).toMatchObject([
      200,
      { auto_cash_now: false, auto_cash_now_min_usd: 1, auto_redeem: false, changed_at: null, changed_by: null },
    ]);
    expect(await change({ auto_cash_now: true })).toMatchObject([
      200,
      { auto_cash_now: true, changed_by: 'boss@example.com' },
    ]);
    expect((await change({ auto_cash_now_min_usd: 0 }))[0]).toBe(422);
    expect((await change({ else: true }))[0]).toBe(422);
    expect(await site.actions()).toEqual([['exits.changed', 'simulated']]);
  });

  it('convert what brings the least dollars that are set, of all batches in one submission', async () => {
    const batches = [await site.boughtPairs('10'), await site.boughtPairs('10', {}, 'snow')];
    await site.boughtPairs('4', {}, 'hail');
    await change({ auto_cash_now: true, auto_cash_now_min_usd: 5 });
    await site.untilIdle();
    await site.untilIdle();
    expect(await Promise.all(batches.map(batchOf))).toMatchObject([{ status: 'sold' }, { status: 'sold' }]);
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({
      count: 1,
      data: [{ automatic: true, requested_by: null, expected_usd: 20, steps: [{ kind: 'merge' }, { kind: 'merge' }] }],
    });
    expect((await site.actions()).at(-1)).toEqual(['chain.cash_now', null]);
  });

  it('convert 150 markets in a day with no more than the 100 submissions that the venue takes', async () => {
    await change({ auto_cash_now: true });
    const markets = Array.from({ length: 150 }, (_, nth) => `market ${nth}`);
    for (const market of markets.slice(0, 100)) await site.boughtPairs('10', {}, market);
    await site.untilIdle();
    // One after the other, as they become final.
    for (const market of markets.slice(100)) {
      await site.boughtPairs('10', {}, market);
      await site.test.time.leap(8_000, 2_000);
    }
    await site.untilIdle();
    const { db } = site.test.runtime;
    const unsold = () => db.$count(batches, ne(batches.status, 'sold'));
    expect(await unsold()).toBe(2);
    await db.update(chainSubmissions).set({ createdAt: sql`${chainSubmissions.createdAt} - interval '30 minutes'` });
    await site.untilIdle();
    expect(await unsold()).toBe(0);
    const { quota } = (await site.call('GET', '/chain-submissions?limit=1')).body as { quota: { used: number } };
    // A hundred at once are two of them; each of the next ones is one, until half of the day's are used.
    expect(quota).toMatchObject({ used: 51, allowed: 100 });
  });

  it('leave a batch alone that is still completed by itself', async () => {
    const ended = { executionCompletedAt: site.test.runtime.clock.now() };
    const batchId = await site.boughtPairs('10', { ...ended, status: 'partial_completed' });
    await change({ auto_cash_now: true });
    await site.untilIdle();
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({ count: 0 });
    await site.test.runtime.db.update(batches).set({ retryCount: 3 }).where(eq(batches.id, batchId));
    await site.untilIdle();
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({ count: 1 });
  });

  it('do nothing while trading is disarmed', async () => {
    await site.boughtPairs('10');
    await change({ auto_cash_now: true, auto_redeem: true });
    site.controls.armed = false;
    await site.untilIdle();
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({ count: 0 });
  });
});
