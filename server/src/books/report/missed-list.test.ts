import { type listMissed, MISSED_SORTS, MISSED_STEPS } from '@dutchbook/contract/report.ts';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { missedTriggers } from '../../market/prices/table.ts';
import { type Funnel, missed, OPPORTUNITY, openFunnel, RELATION } from './funnel.fixture.ts';

type List = z.input<typeof listMissed.reply>;

const sumOf = (rows: readonly { usd: number }[]) => rows.reduce((sum, { usd }) => sum + usd, 0);
/** Expects the list behind a figure to add up to it. */
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
