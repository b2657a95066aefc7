import { randomUUID } from 'node:crypto';
import type { readFunnel } from '@dutchbook/contract/report.ts';
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { openRelationAging } from '../relations/retention.ts';
import { relationHits } from '../relations/table.ts';
import { openReportAging } from './aging.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { batchResults, missedTriggers } from './table.ts';

type Funnel = z.input<typeof readFunnel.reply>;

const AT = instantFromIso('2026-01-02T10:00:00Z');
const RELATION = '10000000-0000-4000-8000-000000000000';
const SMALL = 'b0000000-0000-4000-8000-000000000001';
const HALF = 'b0000000-0000-4000-8000-000000000002';
const BY_HAND = 'b0000000-0000-4000-8000-000000000003';

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
const missed = (profit: string, fields: Partial<typeof missedTriggers.$inferInsert>) => ({
  id: randomUUID(),
  at: AT,
  opportunityId: RELATION,
  source: 'import',
  eventId: 'rain',
  profit: usdFromText(profit),
  refusal: null,
  ...fields,
});

const OPPORTUNITY = '40000000-0000-4000-8000-000000000000';
const TRIGGERED = { opportunityId: OPPORTUNITY, triggered: true };

async function openFunnel(): Promise<ReportSite> {
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
    hit('0.125', TRIGGERED),
    // Of what pays still, and of which nothing is known, nothing is told.
    hit('64', { endedAt: null }),
    // What was bought counts by its batch, which two of them name.
    hit('10', { ...TRIGGERED, batchId: SMALL }),
    hit('6', { ...TRIGGERED, batchId: SMALL }),
  ]);
  await db
    .insert(missedTriggers)
    .values([
      missed('8', { refusal: `Batch ${SMALL} of this opportunity is still active.` }),
      missed('8', { refusal: `Batch ${HALF} of this opportunity is still active.` }),
      missed('16', { source: null }),
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

const stepsOf = ({ steps }: Funnel) =>
  steps.map(({ step, count, usd, lost_usd: lost, first_reason: first }) => [step, count, usd, lost, first]);

it('goes from what was seen to cash, and each step loses what the next one lacks', async () => {
  await using site = await openFunnel();
  const funnel = await site.ask<Funnel>('funnel');
  expect(stepsOf(funnel)).toEqual([
    ['seen', 14, 56.125, 0, null],
    ['triggered', 9, 50.625, 5.5, 'It was over before it was stored as an opportunity'],
    ['allowed', 5, 28.625, 22, 'Batch N of this opportunity is still active'],
    ['placed', 3, 4, 24.625, 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)'],
    ['filled', 2, 2.5, 1.5, 'Orders were not filled in full'],
    ['locked', 2, 2.25, 0.25, 'Prices moved while orders were on their way'],
    ['cash', 1, 1.25, 1, 'It is not paid out yet'],
  ]);
  expect(funnel.missed).toEqual([
    { reason: 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)', count: 2, usd: 16.125 },
    { reason: 'Batch N of this opportunity is still active', count: 2, usd: 16 },
    { reason: 'Leg N is short of N shares', count: 2, usd: 6 },
    { reason: 'It was over before it was stored as an opportunity', count: 1, usd: 3 },
    { reason: 'A superuser has to approve the relation first', count: 1, usd: 1 },
    { reason: 'It makes $N at its best size, and the least profit is $N', count: 2, usd: 1 },
    { reason: 'Its profit did not reach the trigger (MIN_PROFIT_TRIGGER_THRESHOLD)', count: 1, usd: 0.5 },
  ]);
});

it.each([
  ['event_id=rain', 5, 34.5],
  ['event_id=cup', 9, 21.625],
  ['structure=exactly_one', 9, 21.625],
  ['structure=', 5, 34.5],
  ['source=found', 9, 21.625],
  ['source=import', 4, 18.5],
  ['source=', 1, 16],
  // Nobody has missed anything by hand.
  ['automatic=false', 1, 0.5],
  ['automatic=true', 13, 55.625],
  ['since=2026-01-02&until=2026-01-02', 14, 56.125],
  ['since=2026-01-03', 0, 0],
])('begins with what matches %s', async (query, count, usd) => {
  await using site = await openFunnel();
  const [seen] = stepsOf(await site.ask<Funnel>(`funnel?${query}`));
  expect(seen).toEqual(['seen', count, usd, 0, null]);
});

it.each([
  ['placed', '', [SMALL, HALF, BY_HAND]],
  ['filled', 'reached=filled', [SMALL, HALF]],
  ['locked', 'reached=locked', [SMALL, HALF]],
  ['cash', 'reached=cash', [SMALL]],
])('lists the batches that came to %s', async (name, query, ids) => {
  await using site = await openFunnel();
  const { steps } = await site.ask<Funnel>('funnel');
  const { data, count } = await site.ask<{ data: { batch_id: string }[]; count: number }>(`batches?${query}`);
  expect(new Set(data.map(({ batch_id: id }) => id))).toEqual(new Set(ids));
  expect(count).toBe(steps.find(({ step }) => step === name)?.count);
});

it('forgets triggers that were missed when it forgets hits', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const age = openReportAging(openRelationAging());
  const day = 86_400_000;
  await age(db, (AT + HISTORY_DAYS * day) as Instant, new AbortController().signal);
  expect(await db.$count(missedTriggers)).toBe(3);
  await age(db, (AT + HISTORY_DAYS * day + 1) as Instant, new AbortController().signal);
  expect([await db.$count(missedTriggers), await db.$count(relationHits)]).toEqual([0, 0]);
});
