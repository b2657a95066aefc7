import { randomUUID } from 'node:crypto';
import { BATCH_RESULT_SORTS } from '@dutchbook/contract/batch-results.ts';
import { type listMissed, MISSED_SORTS, MISSED_STEPS, type readFunnel } from '@dutchbook/contract/report.ts';
import { DEFAULT_SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { NOT_ASKED } from '@dutchbook/engine/relation/why-not-taken.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { missedTriggers } from '../../market/prices/table.ts';
import { openRelationAging } from '../../market/relations/retention.ts';
import { relationHits } from '../../market/relations/table.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { batches } from '../../trading/orders/table.ts';
import { openReportAging } from './aging.ts';
import { reasonOf } from './reasons.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { batchResults } from './table.ts';

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

it.each(['Rain in May · No on all #”.', 'Rain at St', 'Rain in May · No on all #”, and # more.'])(
  'leaves the name of a batch out of a reason: %s',
  (name) => {
    expect(
      reasonOf(`Leg # would trade with our own order to buy at #.## that has not ended, of the batch “${name}`),
    ).toBe('A leg would trade with our own order to buy at # that has not ended');
  },
);

const stepsOf = ({ steps }: Funnel) =>
  steps.map(({ step, count, usd, lost_usd: lost, first_reason: first }) => [step, count, usd, lost, first]);

it('goes from what was seen to cash, and each step loses what the next one lacks', async () => {
  await using site = await openFunnel();
  const funnel = await site.ask<Funnel>('funnel');
  expect(stepsOf(funnel)).toEqual([
    ['seen', 14, 56.125, 0, null],
    ['triggered', 9, 50.625, 5.5, 'It was over before it was stored as an opportunity'],
    ['allowed', 5, 28.625, 22, 'A batch of this opportunity is still active'],
    ['placed', 3, 4, 24.625, 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)'],
    ['filled', 2, 2.5, 1.5, 'Orders were not filled in full'],
    ['locked', 2, 2.25, 0.25, 'Prices moved while orders were on their way'],
    ['cash', 1, 1.25, 1, 'Not lost: locked in sets that are not cash yet'],
  ]);
  expect(funnel.smaller).toEqual([{ bounded_by: null, count: 1, usd: 8.5 }]);
  expect(funnel.missed).toEqual([
    {
      reached: 'allowed',
      reason: 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)',
      example: null,
      count: 2,
      usd: 16.125,
    },
    {
      ...{ reached: 'triggered', reason: 'A batch of this opportunity is still active', count: 2, usd: 16 },
      example: null,
    },
    // Of several, the one that would have made most says its figures.
    {
      ...{ reached: 'triggered', reason: 'A leg is short of # shares', count: 2, usd: 6 },
      example: 'Leg 1 is short of 4.5 shares.',
    },
    { reached: 'seen', reason: 'It was over before it was stored as an opportunity', example: null, count: 1, usd: 3 },
    { reached: 'seen', reason: 'A superuser has to approve the relation first', example: null, count: 1, usd: 1 },
    {
      ...{ reached: 'seen', reason: 'It makes $# at its best size, and the least profit is $#', count: 2, usd: 1 },
      example: 'It makes $0.75 at its best size, and the least profit is $1',
    },
    {
      reached: 'seen',
      reason: 'Its profit did not reach the trigger (MIN_PROFIT_TRIGGER_THRESHOLD)',
      example: null,
      count: 1,
      usd: 0.5,
    },
  ]);
});

type Rows = { data: Record<string, unknown>[]; count: number };

it('loses to size what all clips of a series were smaller by than its best hit, by what bounded the last', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const clips = [
    { id: SMALL, clipNumber: 1, sizeBoundedBy: 'clip' as const },
    { id: HALF, clipNumber: 2, sizeBoundedBy: 'loss allowance' as const },
  ];
  await db.insert(batches).values(
    clips.map((clip) => ({
      ...{
        opportunityId: OPPORTUNITY,
        status: 'completed' as const,
        expectedOrders: 2,
        orderSize: sharesFromText('5'),
      },
      ...{ seriesId: SMALL, targetPrice: priceFromText('1'), targetProfit: usdFromText('1'), automatic: true },
      ...{ simulated: false, settings: DEFAULT_SETTINGS, createdAt: AT, updatedAt: AT },
      ...clip,
    })),
  );
  const { smaller, steps } = await site.ask<Funnel>('funnel');
  // Ten dollars were there; the clips were to make 1.5 and 2.
  expect(smaller).toEqual([{ bounded_by: 'loss allowance', count: 1, usd: 6.5 }]);
  const smallerSince = async (day: string) => (await site.ask<Funnel>(`funnel?since=${day}`)).smaller;
  expect(await smallerSince('2026-01-02')).toEqual(smaller);
  expect(await smallerSince('2026-01-03')).toEqual([]);
  const [, second] = clips;
  const day = 24 * 3_600_000;
  const trigger = (at: number) =>
    db
      .update(batchResults)
      .set({ triggeredAt: instantFromMs(at) })
      .where(eq(batchResults.batchId, second?.id ?? ''));
  await trigger(AT + day);
  // The hit names the first clip, which is of the day before.
  expect(await smallerSince('2026-01-03')).toEqual([{ bounded_by: 'loss allowance', count: 1, usd: 8 }]);
  await trigger(AT);
  await db.update(batches).set({ settings: { ...DEFAULT_SETTINGS, CLIPS_MAX: 2 } });
  expect((await site.ask<Funnel>('funnel')).smaller).toEqual([{ bounded_by: 'clips', count: 1, usd: 6.5 }]);
  expect((await site.ask<Rows>('batches?series=one_row&sort_by=predicted_usd')).data[0]).toMatchObject({
    ...{ batch_id: SMALL, size_bounded_by: 'clips' },
  });
  await db.update(batches).set({ settings: DEFAULT_SETTINGS });
  // They are one of what was seen, as they were one of what paid.
  expect(steps.map(({ count }) => count)).toEqual([13, 8, 4, 2, 1, 1, 1]);
  expect(steps[0]).toMatchObject({ usd: 54.125 });
  const [series, ...others] = (await site.ask<Rows>('batches?series=one_row&sort_by=predicted_usd')).data;
  expect(series).toMatchObject({
    ...{ batch_id: SMALL, series_id: SMALL, clip_number: 1, clips: 2, size_bounded_by: 'loss allowance' },
    ...{ predicted_usd: 3.5, paid_usd: 1.25, locked_usd: 1, shortfall_usd: 1, capital_usd: 9 },
  });
  expect(others).toMatchObject([{ batch_id: BY_HAND, clips: 1, series_id: null, size_bounded_by: null }]);
  expect((await site.ask<Rows>('batches?series=one_row&limit=1&skip=1')).count).toBe(2);
  const clipsOf = await site.ask<Rows>(`batches?series_id=${SMALL}&sort_by=clip_number&sort_order=asc`);
  expect(clipsOf.data.map(({ batch_id: id, clips: many }) => [id, many])).toEqual([
    [SMALL, 1],
    [HALF, 1],
  ]);
  expect((await site.ask<Rows>('batches')).count).toBe(3);
});

it('loses to size too what the books of an opportunity offered that somebody had added', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const batch = {
    ...{
      opportunityId: OPPORTUNITY,
      status: 'completed' as const,
      expectedOrders: 2,
      automatic: true,
      simulated: false,
    },
    ...{ orderSize: sharesFromText('5'), targetPrice: priceFromText('1'), targetProfit: usdFromText('1') },
    ...{ settings: DEFAULT_SETTINGS, createdAt: AT, updatedAt: AT },
  };
  await db.insert(batches).values([
    // A hit of it offered ten dollars.
    { ...batch, id: SMALL, sizeBoundedBy: 'clip', offeredProfit: usdFromText('9') },
    { ...batch, id: HALF, sizeBoundedBy: 'cash', offeredProfit: usdFromText('7') },
    { ...batch, id: BY_HAND, sizeBoundedBy: null, offeredProfit: usdFromText('0.5') },
  ]);
  const { smaller, steps } = await site.ask<Funnel>('funnel');
  expect(smaller).toEqual([
    { bounded_by: 'clip', count: 1, usd: 8.5 },
    { bounded_by: 'cash', count: 1, usd: 5 },
  ]);
  expect(steps[0]).toMatchObject({ step: 'seen', usd: 56.125 + 5 });
});

it('lists series as one row each by every sort, either way, from page to page', async () => {
  await using site = await openFunnel();
  for (const sort of BATCH_RESULT_SORTS) {
    const read = async (order: string, page = '') => {
      const query = `series=one_row&sort_by=${sort}&sort_order=${order}${page}`;
      return (await site.ask<{ data: { batch_id: string }[] }>(`batches?${query}`)).data;
    };
    for (const order of ['asc', 'desc']) {
      const all = await read(order);
      expect(all, sort).toHaveLength(3);
      expect([...(await read(order, '&limit=2')), ...(await read(order, '&skip=2'))], sort).toEqual(all);
    }
  }
});

it('counts at a venue the batches with orders there, and what was missed of its events', async () => {
  await using site = await openReportSite({ VENUE: 'simulated' });
  const { db } = site.test.runtime;
  const at = async (tokens: string[]) => await recordedBatch(site.test, {}, tokens);
  const batchIds = [await at(['101', '102']), await at(['kalshi:101', 'kalshi:102']), await at(['103', 'kalshi:103'])];
  await db.insert(batchResults).values(batchIds.map((id) => result(id, AT)));
  await db.insert(missedTriggers).values([missed('8', {}), missed('2', { eventId: idAt('kalshi', 'rain') })]);
  const seenAndPlaced = async (venue: string) =>
    (await site.ask<Funnel>(`funnel?venue=${venue}`)).steps
      .filter(({ step }) => step === 'seen' || step === 'placed')
      .map(({ count, usd }) => [count, usd]);
  expect(await seenAndPlaced('polymarket')).toEqual([
    [3, 8.2],
    [2, 0.2],
  ]);
  expect(await seenAndPlaced('kalshi')).toEqual([
    [3, 2.2],
    [2, 0.2],
  ]);
  expect((await site.ask<{ batches: number }>('summary?venue=kalshi')).batches).toBe(2);
});

it.each([
  ['event_id=rain', 5, 34.5],
  ['event_id=cup', 9, 21.625],
  ['structure=exactly_one', 9, 21.625],
  ['structure=', 5, 34.5],
  ['source=found', 9, 21.625],
  ['source=import', 4, 18.5],
  ['source=', 1, 16],
  // Nothing was missed by hand.
  ['automatic=false', 1, 0.5],
  ['automatic=true', 13, 55.625],
  ['since=2026-01-02&until=2026-01-02', 14, 56.125],
  ['since=2026-01-03', 0, 0],
])('begins with what matches %s', async (query, count, usd) => {
  await using site = await openFunnel();
  const [seen] = stepsOf(await site.ask<Funnel>(`funnel?${query}`));
  expect(seen).toEqual(['seen', count, usd, 0, null]);
});

type List = z.input<typeof listMissed.reply>;

const sumOf = (rows: readonly { usd: number }[]) => rows.reduce((sum, { usd }) => sum + usd, 0);
/** Those are `figure`, one by one. */
const expectBehind = ({ data, count }: List, figure: { count: number; usd: number }) => {
  expect([data.length, count, sumOf(data)]).toEqual([figure.count, figure.count, figure.usd]);
};

it.each([
  ['', 7],
  ['event_id=rain', 2],
  ['event_id=cup', 6],
  ['structure=exactly_one', 6],
  ['structure=', 2],
  ['source=found', 6],
  ['source=import', 1],
  ['source=', 1],
  ['automatic=false', 0],
  ['automatic=true', 7],
  ['operator_id=25cd5b87-7736-4471-83cc-07b6cc8ce996', 0],
  ['since=2026-01-02&until=2026-01-02', 7],
  ['since=2026-01-03', 0],
])('lists what is behind each figure of what was missed that matches %s', async (query, reasons) => {
  await using site = await openFunnel();
  const { steps, missed } = await site.ask<Funnel>(`funnel?${query}`);
  const list = (more: string) => site.ask<List>(`missed?${query}&${more}`);
  expect(missed.length).toBe(reasons);
  for (const row of missed)
    expectBehind(await list(`reached=${row.reached}&reason=${encodeURIComponent(row.reason)}`), row);
  const placed = steps.find(({ step }) => step === 'placed')?.count ?? 0;
  for (const [nth, step] of MISSED_STEPS.entries()) {
    const [came, next] = [steps[nth]?.count ?? 0, steps[nth + 1]?.count ?? 0];
    const stopped = missed.filter(({ reached }) => reached === step);
    expectBehind(await list(`reached=${step}`), { count: came - next, usd: sumOf(stopped) });
    const beyond = missed.filter(({ reached }) => MISSED_STEPS.indexOf(reached) >= nth);
    expectBehind(await list(`came_to=${step}`), { count: came - placed, usd: sumOf(beyond) });
  }
});

it('lists what was missed with its whole reason and the way to what it was', async () => {
  await using site = await openFunnel();
  const { data } = await site.ask<List>('missed?reason=A%20leg%20is%20short%20of%20%23%20shares&sort_by=usd');
  expect(data.map(({ id, ...row }) => row)).toEqual([
    {
      ...{ at: '2026-01-02T10:00:00.000Z', subject: 'Who wins the cup?', event_id: 'cup', usd: 4, size: 0 },
      ...{ reason: 'Leg 1 is short of 4.5 shares.', relation_id: RELATION, opportunity_id: OPPORTUNITY },
    },
    expect.objectContaining({ usd: 2, reason: 'Leg 2 is short of 11 shares. Trading is disarmed.' }),
  ]);
  const brought = await site.ask<List>('missed?structure=&sort_by=subject&sort_order=asc');
  expect(brought.data.map(({ subject, size, relation_id: relation }) => [subject, size, relation])).toEqual([
    // Kept before titles and sizes were.
    ['rain', null, null],
    ['rain', null, null],
    ['Rain in May', 12, null],
  ]);
});

it.each(MISSED_SORTS)('sorts what was missed by %s, either way, from page to page', async (sort) => {
  await using site = await openFunnel();
  const read = async (order: string, page: string) =>
    (await site.ask<List>(`missed?sort_by=${sort}&sort_order=${order}${page}`)).data;
  for (const order of ['asc', 'desc']) {
    const all = await read(order, '');
    expect([...(await read(order, '&limit=6')), ...(await read(order, '&skip=6&limit=6'))]).toEqual(all);
    const values = all.map((row) => row[sort]).filter((value) => value !== null);
    const sorted = values.toSorted((a, b) => compare(a, b) * (order === 'asc' ? 1 : -1));
    expect(values).toEqual(sorted);
    expect(all.slice(values.length).every((row) => row[sort] === null)).toBe(true);
  }
});

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en');
}

it('refuses a reason that the funnel cannot have given', async () => {
  await using site = await openFunnel();
  expect((await site.askRaw(`missed?reason=${'x'.repeat(301)}`)).status).toBe(422);
  expect(await site.ask<List>(`missed?reason=${'x'.repeat(300)}`)).toEqual({ data: [], count: 0 });
});

it('has behind a reason of any length what it is made of', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  await db
    .insert(missedTriggers)
    .values([
      missed('1', { eventId: 'long', refusal: `${'Wide 7 '.repeat(60)}🌧` }),
      missed('2', { eventId: 'long', refusal: `${'x'.repeat(299)}🌧🌧. The rest.` }),
    ]);
  const { missed: reasons } = await site.ask<Funnel>('funnel?event_id=long');
  expect(reasons.length).toBe(2);
  for (const row of reasons)
    expectBehind(await site.ask<List>(`missed?event_id=long&reason=${encodeURIComponent(row.reason)}`), row);
});

it.each([
  ['placed', '', [SMALL, HALF, BY_HAND]],
  ['filled', 'reached=filled', [SMALL, HALF]],
  ['locked', 'reached=locked', [SMALL, HALF]],
  ['cash', 'reached=cash', [SMALL]],
])('lists the batches that reached %s', async (name, query, ids) => {
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
