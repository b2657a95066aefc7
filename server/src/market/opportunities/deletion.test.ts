import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { pricePoints } from './history/table.ts';
import { openSite } from './routes.fixture.ts';
import { opportunities, opportunityCounts } from './table.ts';

const COMBINATIONS = [{ leg: 1, markets: [{ id: 'yes-or-no', outcome: 'Yes' }] }];

describe('an opportunity that was deleted', () => {
  it('comes back whole, with its prices and their history, and is counted again', async () => {
    await using site = await openSite();
    const { db } = site.desk.test.runtime;
    const id = await added(site);
    const points = () => db.select().from(pricePoints).orderBy(asc(pricePoints.at));
    const before = [await read(site, id), await points()];
    expect(before[1]).not.toHaveLength(0);
    const counted = await site.call('GET', '/arbitrage/opportunities');
    expect((await site.call('DELETE', `/arbitrage/opportunities/${id}`)).status).toBe(200);
    expect((await site.call('GET', `/arbitrage/opportunities/${id}`)).status).toBe(404);
    expect(await points()).toEqual([]);

    const restored = await site.call('POST', `/arbitrage/opportunities/${id}/restore`);
    expect([restored.status, restored.json]).toEqual([200, { message: 'Opportunity restored' }]);
    expect([await read(site, id), await points()]).toEqual(before);
    expect((await site.call('GET', '/arbitrage/opportunities')).json).toMatchObject({
      count: (counted.json as { count: number }).count,
    });
    expect((await db.select().from(opportunityCounts)).reduce((sum, { total }) => sum + total, 0)).toBe(1);
    expect((await site.call('POST', `/arbitrage/opportunities/${id}/restore`)).status).toBe(404);
  });

  it('stays away where one with the same positions was added meanwhile', async () => {
    await using site = await openSite();
    const id = await added(site);
    await site.call('DELETE', `/arbitrage/opportunities/${id}`);
    await added(site);
    const refused = await site.call('POST', `/arbitrage/opportunities/${id}/restore`);
    expect([refused.status, refused.json]).toEqual([
      409,
      { detail: 'An opportunity with these positions was added meanwhile' },
    ]);
  });

  it('comes back inactive where discovery had found it, and not beside another of its relation', async () => {
    await using site = await openSite();
    const { db, random } = site.desk.test.runtime;
    const relationId = random.uuid();
    const found = { relationId, direction: 'yes' as const };
    const id = await added(site);
    await db.update(opportunities).set(found).where(eq(opportunities.id, id));
    await site.call('DELETE', `/arbitrage/opportunities/${id}`);
    expect((await site.call('POST', `/arbitrage/opportunities/${id}/restore`)).status).toBe(200);
    expect(await read(site, id)).toMatchObject({ active: false });

    await site.call('DELETE', `/arbitrage/opportunities/${id}`);
    const another = await added(site, [{ leg: 1, markets: [{ id: 'yes-or-no', outcome: 'No' }] }]);
    await db.update(opportunities).set(found).where(eq(opportunities.id, another));
    expect((await site.call('POST', `/arbitrage/opportunities/${id}/restore`)).status).toBe(409);
  });
});

type Site = Awaited<ReturnType<typeof openSite>>;

async function added(site: Site, combinations: unknown = COMBINATIONS): Promise<string> {
  const reply = await site.call('POST', '/arbitrage/opportunities', { market_combinations: combinations });
  expect(reply.status).toBe(200);
  return (reply.json as { id: string }).id;
}

async function read(site: Site, id: string) {
  const { market_combinations, target_price, active, source, content_hash, created_at, updated_at, current_price } = (
    await site.call('GET', `/arbitrage/opportunities/${id}`)
  ).json as Record<string, unknown>;
  return { market_combinations, target_price, active, source, content_hash, created_at, updated_at, current_price };
}
