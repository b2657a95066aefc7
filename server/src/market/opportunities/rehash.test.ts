import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { pricePoints } from './history/table.ts';
import { contentHash } from './identity.ts';
import { openSite, type Site } from './routes.fixture.ts';
import { listOpportunities } from './store.ts';
import { storeOpportunities } from './stored.fixture.ts';
import { opportunities } from './table.ts';

const REHASH = '/arbitrage/opportunities/update-content-hashes';
const DAY_MS = 86_400_000;
const START = instantFromIso('2025-01-01T00:00:00Z');

const legs = (...pairs: string[]): MarketCombinations =>
  pairs.map((pair, index) => {
    const [id = '', outcome = ''] = pair.split(' ');
    return { leg: index + 1, markets: [{ id, outcome }] };
  });
const RAIN_SNOW = contentHash(legs('rain Yes', 'snow Yes'));

/** Stores a row as an older version may have left it, each a second younger than the one before. */
async function store({ desk }: Site, rows: { legs: MarketCombinations; hash: string; active?: boolean }[]) {
  const { runtime } = desk.test;
  const stored = rows.map((row, index) => ({
    id: runtime.random.uuid(),
    createdAt: (START + 1000 * index) as Instant,
    updatedAt: (START + 1000 * index) as Instant,
    marketCombinations: row.legs,
    targetPrice: priceFromText('1'),
    active: row.active ?? true,
    triggered: row.active ?? true,
    contentHash: row.hash,
  }));
  await storeOpportunities(runtime.db, stored.toReversed());
  return stored.map(({ id }) => id);
}

/** Oldest first. */
async function rowsOf({ desk }: Site) {
  const page = { skip: 0, limit: 1000, sortBy: 'created_at', sortOrder: 'asc' } as const;
  const { rows } = await listOpportunities(desk.test.runtime.db, {}, page);
  return rows.map(({ active, triggered, contentHash: hash }) => ({ active, triggered, hash }));
}

describe('content hashes computed again', () => {
  it('let the oldest of those that are the same keep the hash, and deactivate the others when asked to', async () => {
    await using site = await openSite();
    const ids = await store(site, [
      { legs: legs('snow YES', 'rain Yes'), hash: 'by an older rule' },
      { legs: legs('rain Yes', 'snow Yes'), hash: RAIN_SNOW },
      { legs: legs('rain Yes', 'snow yes'), hash: 'by another', active: false },
      { legs: legs('rain Yes'), hash: contentHash(legs('rain Yes')) },
    ]);
    expect(await site.call('POST', REHASH)).toMatchObject({
      status: 200,
      json: {
        message: '3 content hashes updated, 2 duplicates, 0 deactivated',
        updated: 3,
        duplicates: 2,
        deactivated: 0,
      },
    });
    const once = await rowsOf(site);
    expect(once.map(({ active }) => active)).toEqual([true, true, false, true]);
    expect(once[0]?.hash).toBe(RAIN_SNOW);
    expect(once.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    expect(await site.call('POST', `${REHASH}?handle_duplicates=true`)).toMatchObject({
      json: { message: '0 content hashes updated, 2 duplicates, 1 deactivated', updated: 0, deactivated: 1 },
    });
    const twice = await rowsOf(site);
    expect(twice.map(({ active, triggered }) => [active, triggered])).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(twice.map(({ hash }) => hash)).toEqual(once.map(({ hash }) => hash));
    expect(site.desk.published.filter(({ type }) => type === 'opportunity').map(({ id }) => id)).toContain(ids[1]);
    const entries = await site.desk.test.runtime.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'opportunities.rehashed'));
    expect(entries.map(({ actor, after }) => ({ actor, after }))).toEqual([
      { actor: 'operator@example.com', after: { updated: 3, duplicates: 2, deactivated: [] } },
      { actor: 'operator@example.com', after: { updated: 0, duplicates: 2, deactivated: [ids[1]] } },
    ]);
    const again = { market_combinations: legs('rain Yes', 'snow Yes') };
    expect(await site.call('POST', '/arbitrage/opportunities', again)).toMatchObject({
      status: 409,
      json: { detail: expect.stringMatching(/exists already: “.+”$/) },
    });
  });

  it('end the triggers of those they deactivate in the history as well', async () => {
    await using site = await openSite();
    const { db, clock } = site.desk.test.runtime;
    const [, repeated = ''] = await store(site, [
      { legs: legs('rain Yes'), hash: contentHash(legs('rain Yes')) },
      { legs: legs('rain Yes'), hash: 'by an older rule' },
    ]);
    const targetPrice = priceFromText('1');
    const rise = { targetPrice, triggered: true, isEdge: true, currentPrice: null, profitPercentage: null };
    await db
      .insert(pricePoints)
      .values({ ...rise, opportunityId: repeated, at: instantFromMs(clock.now() - 9 * DAY_MS) });
    expect(await site.call('POST', `${REHASH}?handle_duplicates=true`)).toMatchObject({ json: { deactivated: 1 } });
    const points = await db.select().from(pricePoints).orderBy(asc(pricePoints.at));
    expect(points).toMatchObject([
      { opportunityId: repeated, triggered: true, isEdge: true },
      { opportunityId: repeated, triggered: false, isEdge: true, at: clock.now() },
    ]);
  });

  it('are exchanged where two rows hold each other’s, and more of them than one statement takes', async () => {
    await using site = await openSite();
    const many = Array.from({ length: 1001 }, (_, nth) => legs(`m${nth} Yes`));
    const hashes = many.map(contentHash);
    await store(
      site,
      many.map((own, nth) => ({ legs: own, hash: hashes[(nth + 1) % hashes.length] ?? '' })),
    );
    expect(await site.call('POST', `${REHASH}?handle_duplicates=true`)).toMatchObject({
      json: { message: '1001 content hashes updated, no duplicates', duplicates: 0, deactivated: 0 },
    });
    const { desk } = site;
    const stored = await desk.test.runtime.db.select().from(opportunities);
    expect(stored.filter((row) => row.contentHash !== contentHash(row.marketCombinations))).toEqual([]);
    expect(new Set(stored.map(({ active }) => active))).toEqual(new Set([true]));
  });
});
