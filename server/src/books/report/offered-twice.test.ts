import { randomUUID } from 'node:crypto';
import type { RelationKind } from '@dutchbook/engine/relation/relation.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { relationHits } from '../../market/relations/table.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';

const AT = instantFromIso('2026-01-02T10:00:00Z');
const secondsLater = (seconds: number) => (AT + seconds * 1000) as Instant;

async function addRelation({ test }: ReportSite, kind: RelationKind): Promise<string> {
  const id = randomUUID();
  const members = JSON.stringify(['1', '2', '3'].map((marketId) => ({ eventId: 'gust', marketId, role: 'member' })));
  await test.runtime.db.execute(sql`
    insert into relations (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title, members, read_from,
      is_complete, completeness, is_void_safe, fingerprint, snapshot, trusted)
    values (${id}, now(), now(), ${kind}, ${kind}, 'declared', 'proposed', 'gust', 'Strongest gust', ${kind}, ${members}, '[]',
      true, '', true, '', '{}', '{}')`);
  return id;
}

it('counts shares that two relations of the same markets offer once, where they need no approval', async () => {
  await using site = await openReportSite();
  const most = await addRelation(site, 'at_most_one');
  const exactly = await addRelation(site, 'exactly_one');
  const hit = (relationId: string, profit: string, fields: Partial<typeof relationHits.$inferInsert> = {}) => ({
    ...{ id: randomUUID(), relationId, direction: 'no' as const, firstAt: AT, lastAt: AT, endedAt: secondsLater(5) },
    ...{ net: USD_ZERO, profit: usdFromText(profit), size: SHARES_ZERO, obstacle: 'Its kind is switched off' },
    ...fields,
  });
  const later = { firstAt: secondsLater(60), lastAt: secondsLater(61), endedAt: secondsLater(61) };
  await site.test.runtime.db.insert(relationHits).values([
    hit(most, '1'),
    hit(exactly, '1', { obstacle: 'A superuser has to approve the relation first' }),
    // Bought by way of the other: not missed at all.
    hit(most, '16', { ...later, batchId: randomUUID() }),
    hit(exactly, '16', later),
    // Only the one that is proven to come true offers these.
    hit(exactly, '2', { direction: 'yes' }),
    hit(exactly, '4', { firstAt: secondsLater(600), lastAt: secondsLater(601), endedAt: secondsLater(601) }),
  ]);
  const { steps, missed } = await site.ask<{ steps: object[]; missed: { count: number; usd: number }[] }>('funnel');
  expect(steps[0]).toMatchObject({ step: 'seen', count: 3, usd: 7 });
  expect(missed).toMatchObject([{ count: 3, usd: 7 }]);
});
