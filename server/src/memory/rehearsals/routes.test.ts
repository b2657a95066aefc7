import * as contract from '@dutchbook/contract/rehearsals.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { finish, takeNext } from './rehearsal-lease.ts';
import { NOTHING_FOUND } from './result.fixture.ts';
import { registerRehearsals } from './routes.ts';
import { rehearsals } from './table.ts';

async function openRehearsals(site: TestApp) {
  registerRehearsals(site.app, site.test.runtime);
  const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
  const create = (body: Record<string, unknown>) => ask(site, headers, 'POST', '/rehearsals/', body);
  return { headers, create };
}

const HOUR = { from: '2025-12-31T23:00:00Z' };
const SETTINGS = { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 } };

describe('rehearsals over HTTP', () => {
  it('takes settings, limits and discovery settings, answers at once, and writes down who asked', async () => {
    await using site = await openTestApp();
    const { create, headers } = await openRehearsals(site);
    const changes = {
      ...SETTINGS,
      limits: { per_day_usd: null, per_batch_usd: 12.5 },
      discovery: { min_profit_usd: 2 },
    };
    const [status, created] = await create({ ...HOUR, changes, assume_placing: true });
    expect([status, created]).toEqual([
      200,
      {
        ...{ id: expect.any(String), created_at: '2026-01-01T00:00:00.000Z', created_by: 'root@example.com' },
        ...{ state: 'queued', from: '2025-12-31T23:00:00.000Z', until: '2026-01-01T00:00:00.000Z', changes },
        ...{ assume_placing: true, progress: 0, error: null, ended_at: null, result: null },
      },
    ]);
    expect(await ask(site, headers, 'GET', '/rehearsals/')).toEqual([200, { data: [created], count: 1 }]);
    const [entry] = await site.test.runtime.db.select().from(auditLog).where(eq(auditLog.action, 'rehearsal.created'));
    expect(entry).toMatchObject({ actor: 'root@example.com', after: { ...changes, assume_placing: true } });
  });

  it.each([
    [{ from: '2026-01-01T00:00:00Z' }, 'from', 'A rehearsal begins before it ends'],
    [{ ...HOUR, until: '2026-01-01T00:00:01Z' }, 'until', 'A rehearsal ends now at the latest'],
    [{ from: '2025-12-24T23:59:59Z' }, 'from', 'A rehearsal spans 7 days at most'],
  ])('refuses the span %j', async (span, field, msg) => {
    await using site = await openTestApp();
    const { create } = await openRehearsals(site);
    expect(await create({ ...span, changes: {} })).toEqual([
      422,
      { detail: [expect.objectContaining({ loc: ['body', field], msg })] },
    ]);
  });

  it('judges values by the rules by which they are saved', async () => {
    await using site = await openTestApp();
    const { create } = await openRehearsals(site);
    const changes = { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0 }, limits: { per_day_usd: 0.5 } };
    const [status, reply] = await create({ ...HOUR, changes });
    expect(status).toBe(422);
    expect(JSON.stringify(reply)).toContain('MIN_PROFIT_TRIGGER_THRESHOLD must be at least 0.1');
    expect(JSON.stringify(reply)).toContain('Limit per day must be at least 1');
  });

  it('lets ten wait, and one more once one of them has been canceled', async () => {
    await using site = await openTestApp();
    const { create, headers } = await openRehearsals(site);
    const ids: string[] = [];
    for (let nth = 0; nth < contract.REHEARSALS_WAITING_MAX; nth += 1) {
      const [, made] = await create({ ...HOUR, changes: SETTINGS });
      ids.push((made as { id: string }).id);
    }
    const [status, refused] = await create({ ...HOUR, changes: SETTINGS });
    expect([status, refused]).toEqual([409, { detail: '10 rehearsals wait already. Cancel one, or try again later.' }]);
    const cancel = () => ask(site, headers, 'POST', `/rehearsals/${ids[0]}/cancel`);
    expect((await cancel())[1]).toMatchObject({ state: 'canceled', ended_at: '2026-01-01T00:00:00.000Z' });
    expect((await create({ ...HOUR, changes: SETTINGS }))[0]).toBe(200);
    expect((await cancel())[0]).toBe(200);
  });

  it('keeps fifty, and removes the oldest that have ended', async () => {
    await using site = await openTestApp();
    const { create, headers } = await openRehearsals(site);
    const { runtime, time } = site.test;
    const ids: string[] = [];
    for (let nth = 0; nth <= contract.REHEARSALS_KEPT_MAX; nth += 1) {
      const [, made] = await create({ ...HOUR, changes: SETTINGS });
      ids.push((made as { id: string }).id);
      await ask(site, headers, 'POST', `/rehearsals/${ids.at(-1)}/cancel`);
      await time.advance(1);
    }
    const kept = await runtime.db.select({ id: rehearsals.id }).from(rehearsals);
    expect(kept.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
  });

  it('serves what was found, and the differences in their order; what has ended cannot be canceled', async () => {
    await using site = await openTestApp();
    const { create, headers } = await openRehearsals(site);
    const { runtime } = site.test;
    const [, made] = await create({ ...HOUR, changes: SETTINGS });
    const { id } = made as { id: string };
    await takeNext(runtime, 'one worker');
    const differences = ['Cup', 'League'].map((title) => ({
      ...{ opportunity_id: runtime.random.uuid(), title, present_triggers: 1, proposed_triggers: 2, moments: [] },
      ...{ present_batches: 0, proposed_batches: 1, profit_usd: { touch: 2.5, measured: 2, pessimistic: -1 } },
    }));
    const found = { result: { ...NOTHING_FOUND, differences: 2 }, differences };
    await finish(runtime.db, 'another worker', id, runtime.clock.now(), found);
    expect((await ask(site, headers, 'GET', `/rehearsals/${id}`))[1]).toMatchObject({ state: 'running', result: null });
    await finish(runtime.db, 'one worker', id, runtime.clock.now(), found);
    expect((await ask(site, headers, 'GET', `/rehearsals/${id}`))[1]).toMatchObject({
      state: 'done',
      result: found.result,
    });
    const path = `/rehearsals/${id}/differences`;
    expect(await ask(site, headers, 'GET', path)).toEqual([200, { data: differences, count: 2 }]);
    expect(await ask(site, headers, 'GET', `${path}?venue=kalshi`)).toEqual([200, { data: [], count: 0 }]);
    expect((await ask(site, headers, 'GET', `${path}?skip=1&limit=1`))[1]).toEqual({
      data: [differences[1]],
      count: 2,
    });
    expect((await ask(site, headers, 'POST', `/rehearsals/${id}/cancel`))[0]).toBe(409);
    expect((await ask(site, headers, 'DELETE', `/rehearsals/${id}`))[0]).toBe(200);
    for (const gone of [`/rehearsals/${id}`, path]) expect((await ask(site, headers, 'GET', gone))[0]).toBe(404);
  });
});
