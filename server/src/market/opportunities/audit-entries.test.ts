import { asc, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openSite, type Site } from './routes.fixture.ts';
import { opportunities } from './table.ts';

const OPPORTUNITIES = '/arbitrage/opportunities';
const legs = (id: string) => [{ leg: 1, markets: [{ id, outcome: 'Yes' }] }];

function entries({ desk }: Site) {
  return desk.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq));
}

function csv(ids: readonly string[]): string {
  const cells = ids.map((id) => `"${JSON.stringify(legs(id)).replaceAll('"', '""')}"`);
  return ['market_combinations', ...cells].join('\n');
}

describe('the audit log of opportunities', () => {
  it('says who made and deleted which, as it was, and nothing of what was refused', async () => {
    await using site = await openSite();
    const request = { market_combinations: legs('rain'), target_price: 0.96, source: 'me' };
    const { json } = await site.call('POST', OPPORTUNITIES, request);
    const { id } = json as { id: string };
    expect(await site.call('POST', OPPORTUNITIES, request)).toMatchObject({ status: 409 });
    expect(await site.call('DELETE', `${OPPORTUNITIES}/${id}`)).toMatchObject({ status: 200 });
    expect(await site.call('DELETE', `${OPPORTUNITIES}/${id}`)).toMatchObject({ status: 404 });
    const row = { id, ...request, active: true, created_at: '2026-01-01T00:00:00.001Z' };
    expect(await entries(site)).toMatchObject([
      { action: 'opportunity.created', object: id, actor: 'operator@example.com', before: null, after: row },
      { action: 'opportunity.deleted', object: id, actor: 'operator@example.com', before: row, after: null },
    ]);
  });

  it('says of an import what became of its rows, part by part of a long one', async () => {
    await using site = await openSite();
    await site.upload('few.csv', `${csv(['a', 'b', 'a'])}\nnonsense`);
    await site.upload('same.csv', csv(['a', 'b']));
    const many = Array.from({ length: 251 }, (_, nth) => `m${nth}`);
    await site.upload('many.csv', csv(['a', ...many.slice(0, 249)]));
    await site.upload('more.csv', csv(many));
    const imported = { action: 'opportunities.imported', actor: 'operator@example.com', before: null };
    const entry = (file: string, [created, duplicates, errors]: [number, number, number]) => ({
      ...imported,
      object: file,
      after: { file, created, duplicates, errors },
    });
    expect(await entries(site)).toMatchObject([
      entry('few.csv', [2, 1, 1]),
      entry('same.csv', [0, 2, 0]),
      entry('many.csv', [249, 1, 0]),
      entry('more.csv', [1, 249, 0]),
      entry('more.csv', [2, 249, 0]),
    ]);
  });

  it('says who asked for a check that the venue answered, and for background work once while it lasts', async () => {
    await using site = await openSite();
    const { venue } = site.desk;
    venue.list('rain');
    const { id } = await site.desk.add(['rain Yes']);
    venue.answers = false;
    expect(await site.call('POST', `/arbitrage/check/${id}`)).toMatchObject({ status: 503 });
    venue.answers = true;
    expect(await site.call('POST', `/arbitrage/check/${id}`)).toMatchObject({ status: 200 });
    const asked = Promise.withResolvers<void>();
    venue.venue.catalogue.marketsById = () => asked.promise.then(() => new Map());
    for (const path of ['check-all?active_only=true', 'update-prices', 'check-all?active_only=false', 'update-prices'])
      expect(await site.call('POST', `/arbitrage/${path}`)).toMatchObject({ status: 200 });
    asked.resolve();
    const action = { actor: 'operator@example.com', before: null, object: null, after: null };
    expect(await entries(site)).toMatchObject([
      { ...action, action: 'opportunity.checked', object: id },
      { ...action, action: 'opportunities.checked', after: { active_only: true } },
      { ...action, action: 'prices.updated' },
    ]);
  });

  it('stands with the action or not at all', async () => {
    await using site = await openSite();
    const { db } = site.desk.test.runtime;
    await db.execute(sql`alter table audit_log rename to gone`);
    const request = { market_combinations: legs('rain') };
    expect(await site.call('POST', OPPORTUNITIES, request)).toMatchObject({ status: 500 });
    expect(await site.upload('few.csv', csv(['a', 'b']))).toMatchObject({ status: 500 });
    expect(await db.$count(opportunities)).toBe(0);
    const kept = await site.desk.add(['rain Yes']);
    expect(await site.call('DELETE', `${OPPORTUNITIES}/${kept.id}`)).toMatchObject({ status: 500 });
    expect(await db.$count(opportunities)).toBe(1);
    expect(await site.call('POST', `/arbitrage/check/${kept.id}`)).toMatchObject({ status: 500 });
    expect((await site.desk.stored(kept.id)).updatedAt).toBe(kept.updatedAt);
    for (const path of ['check-all', 'update-prices'])
      expect(await site.call('POST', `/arbitrage/${path}`)).toMatchObject({ status: 500 });
    await db.execute(sql`alter table gone rename to audit_log`);
    for (const [path, message] of [
      ['check-all', 'Arbitrage check scheduled'],
      ['update-prices', 'Market price update scheduled'],
    ])
      expect(await site.call('POST', `/arbitrage/${path}`)).toMatchObject({ json: { message } });
  });
});
