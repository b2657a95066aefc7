import { randomUUID } from 'node:crypto';
import type { readFunnel } from '@dutchbook/contract/report.ts';
import { NOT_ASKED } from '@dutchbook/engine/relation/why-not-taken.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { missedTriggers } from '../../market/prices/table.ts';
import { relationHits } from '../../market/relations/table.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { batchResults } from './table.ts';

export type Funnel = z.input<typeof readFunnel.reply>;

export const AT = instantFromIso('2026-01-02T10:00:00Z');
export const RELATION = '10000000-0000-4000-8000-000000000000';
export const SMALL = 'b0000000-0000-4000-8000-000000000001';
export const HALF = 'b0000000-0000-4000-8000-000000000002';
export const BY_HAND = 'b0000000-0000-4000-8000-000000000003';

async function openRelation({ test }: ReportSite): Promise<void> {
  await test.runtime.db.execute(sql`
    insert into relations (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title, members, read_from,
      is_complete, completeness, is_void_safe, fingerprint, snapshot, trusted)
    values (${RELATION}, now(), now(), 'cup', 'exactly_one', 'declared', 'approved', 'cup', 'Who wins the cup?', 'The cup', '[]', '[]',
      true, '', true, '', '{}', '{}')`);
}

const hit = (profit: string, fields: Partial<typeof relationHits.$inferInsert>) => ({
  id: randomUUID(),
  relationId: RELATION,
  direction: 'yes' as const,
  firstAt: AT,
  lastAt: AT,
  endedAt: AT,
  net: 0 as Usd,
  profit: usdFromText(profit),
  size: 0 as (typeof relationHits.$inferInsert)['size'],
  ...fields,
});
export const missed = (
  profit: string,
  fields: Partial<typeof missedTriggers.$inferInsert>,
): typeof missedTriggers.$inferInsert => ({
  id: randomUUID(),
  at: AT,
  opportunityId: RELATION,
  source: 'import',
  eventId: 'rain',
  profit: usdFromText(profit),
  refusal: null,
  ...fields,
});

export const OPPORTUNITY = '40000000-0000-4000-8000-000000000000';
const TRIGGERED = { opportunityId: OPPORTUNITY, triggered: true };

export async function openFunnel(): Promise<ReportSite> {
  const site = await openReportSite();
  const { db } = site.test.runtime;
  const operator = await site.addUser();
  await openRelation(site);
  await db.insert(relationHits).values([
    hit('1', { obstacle: 'A superuser has to approve the relation first' }),
    hit('0.25', { obstacle: 'It makes $0.25 at its best size, and the least profit is $1' }),
    hit('0.75', { obstacle: 'It makes $0.75 at its best size, and the least profit is $1' }),
    hit('3', {}),
    hit('0.5', { opportunityId: OPPORTUNITY }),
    hit('2', { ...TRIGGERED, refusal: 'Leg 2 is short of 11 shares. Trading is disarmed.' }),
    hit('4', { ...TRIGGERED, refusal: 'Leg 1 is short of 4.5 shares.' }),
    hit('0.125', { ...TRIGGERED, refusal: NOT_ASKED }),
    // It pays still, and more of it may be bought.
    hit('128', { ...TRIGGERED, endedAt: null }),
    // Of what pays still, and of which nothing is known, nothing is shown.
    hit('64', { endedAt: null }),
    // What was bought counts by its batch, which two of them name.
    hit('10', { ...TRIGGERED, batchId: SMALL }),
    hit('6', { ...TRIGGERED, batchId: SMALL }),
  ]);
  await db
    .insert(missedTriggers)
    .values([
      missed('8', { refusal: 'A batch of this opportunity is still active.' }),
      missed('8', { refusal: 'A batch of this opportunity is still active.' }),
      missed('16', { source: null, eventTitle: 'Rain in May', size: sharesFromText('12') }),
    ]);
  const usd = usdFromText;
  await db.insert(batchResults).values([
    // Planned 1.5, brought 1.25, all of it paid.
    result(SMALL, AT, {
      ...{ structure: 'exactly_one', source: 'found', predictedProfit: usd('1.5'), paidProfit: usd('1.25') },
      ...{ movedInFlight: usd('0.25'), lockDay: '2026-01-02', cashDay: '2026-01-03' },
    }),
    // Half of it filled, of which nothing is paid yet.
    result(HALF, AT, {
      ...{ source: 'import', eventId: 'rain', predictedProfit: usd('2'), shortfall: usd('1') },
      ...{ lockedProfit: usd('1'), locked: usd('9'), lockDay: '2026-01-02' },
    }),
    // Nothing of it filled.
    result(BY_HAND, AT, {
      ...{ operatorId: operator.id, automatic: false, source: 'import', eventId: 'rain' },
      ...{ predictedProfit: usd('0.5'), shortfall: usd('0.5'), filledShares: 0 as never, filledLegs: 0, fillCount: 0 },
    }),
  ]);
  return site;
}
