import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { cupOf, openDiscoveryDesk } from '../discovery/discovery.fixture.ts';
import { listHits } from './hits.ts';
import { openRelationAging } from './retention.ts';
import { relationDistances, relationHits, relations } from './table.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNBROKEN = new AbortController().signal;

describe('the history of relations', () => {
  it('keeps every distance of a day, the nearest of each hour before, and nothing that is too old', async () => {
    await using desk = await openDiscoveryDesk();
    const { id, db, now } = await openCup(desk);
    const ages = [HISTORY_DAYS * DAY + HOUR, 2 * DAY, 2 * DAY - 10 * MINUTE, 2 * DAY - 20 * MINUTE, HOUR, 10 * MINUTE];
    const distances = [1, 30, 10, 20, 5, 4];
    await db.delete(relationDistances);
    await db.insert(relationDistances).values(
      ages.map((age, index) => ({
        relationId: id,
        at: instantFromMs(now - age),
        distance: (distances[index] ?? 0) as Usd,
        profit: 0 as Usd,
      })),
    );
    const age = openRelationAging();
    await age(db, now, UNBROKEN);
    await age(db, now, UNBROKEN);
    const left = await db.select().from(relationDistances).orderBy(asc(relationDistances.at));
    expect(left.map(({ distance }) => distance)).toEqual([10, 5, 4]);
  });

  it('forgets hits and relations that are long over, and no relation that a user has rejected', async () => {
    await using desk = await openDiscoveryDesk();
    const { id, db, now } = await openCup(desk);
    const long = instantFromMs(now - HISTORY_DAYS * DAY - HOUR);
    const hit = (at: Instant) => ({
      id: desk.runtime.random.uuid(),
      relationId: id,
      direction: 'yes' as const,
      firstAt: at,
      lastAt: at,
      endedAt: at,
      net: 0 as Usd,
      profit: 0 as Usd,
      size: 0 as never,
    });
    await db.insert(relationHits).values([hit(long), hit(now)]);
    const age = openRelationAging();
    await age(db, now, UNBROKEN);
    expect((await listHits(db, {}, { skip: 0, limit: 10 })).rows).toMatchObject([{ firstAt: now }]);

    await db.update(relations).set({ endedAt: long, state: 'rejected' }).where(eq(relations.id, id));
    await age(db, now, UNBROKEN);
    expect(await db.$count(relations, eq(relations.id, id))).toBe(1);
    await db.update(relations).set({ state: 'approved' }).where(eq(relations.id, id));
    await age(db, now, UNBROKEN);
    expect(await db.$count(relations, eq(relations.id, id))).toBe(0);
    expect(await db.$count(relationHits)).toBe(0);
  });
});

/** Half past twelve, so that the minutes around it lie in the same hours on every run. */
async function openCup(desk: Awaited<ReturnType<typeof openDiscoveryDesk>>) {
  desk.desk.events = [cupOf(['a', 'b', 'c'])];
  const discovery = await desk.start();
  await desk.pass();
  await discovery.stop();
  const [cup] = await desk.relations('exactly_one');
  const { db, clock } = desk.runtime;
  const now = clock.now();
  return { id: cup?.id ?? '', db, now: instantFromMs(now - (now % DAY) + DAY / 2 + 30 * MINUTE) };
}
