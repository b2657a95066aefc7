import { listRelationHits } from '@dutchbook/contract/discovery/hits.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { listChosenSizes } from '@dutchbook/contract/placing.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { cellsOf, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';

const card = (name: string) => page.getByRole('region', { name, exact: true });

test('shows the five that pay most dollars now, as prices move', async () => {
  const [model] = recorded(listOpportunities).data;
  if (model === undefined) throw new Error('no opportunity was recorded');
  const data = Array.from({ length: 5 }, (_, nth) => ({
    ...model,
    id: `${nth.toString(16).padStart(8, '0')}${model.id.slice(8)}`,
    target_price: 1,
    current_price: 0.95,
    fees_per_set: 0.0012,
    profit_percentage: 5 - nth,
    profit_usd: 4.88,
    max_profitable_size: 100,
    outdated: null,
  }));
  const chosen = (bound: 'minimum' | 'cash', allowed: boolean) => ({ order_size: 12, bounded_by: bound, allowed });
  server.answer(listChosenSizes, {
    data: data.slice(0, 2).map(({ id }, nth) => ({
      opportunity_id: id,
      chosen_size: nth === 0 ? chosen('minimum', true) : chosen('cash', false),
    })),
  });
  server.answer(listOpportunities, { data, count: 26 });
  await open('/');
  // None moves under the pointer.
  await page.getByRole('heading', { level: 1 }).hover();
  const best = 'Best opportunities';
  await expect
    .poll(() => cellsOf(best, '$ Now').map(({ textContent }) => textContent))
    .toEqual(data.map(() => '↑+$4.88'));
  await expect
    .element(card('Best Opportunities'))
    .toMatchTextContent(/Policy: 12\.00 sh, bounded by the smallest order that a market takes/);
  expect(rowsOf(best)[1]?.textContent).toContain('Policy: nothing, over the free cash');
  const whole = 'Policy: nothing, even the smallest size, 12.00 sh, is more than the free cash allows';
  expect(rowsOf(best)[1]?.querySelector(`[title="${whole}"]`)).not.toBeNull();
  expect(server.askedFor(listOpportunities)[0]?.query).toMatchObject({
    active: 'true',
    sort_by: 'profit_usd',
    sort_order: 'desc',
    limit: '5',
  });
  tell('opportunities', 'opportunity', data[1]?.id ?? '', {
    ...{ ...data[1], current_price: 1.01, profit_percentage: -1.1, profit_usd: -0.0112 },
  });
  // What loses is none of the best.
  await expect.poll(() => rowsOf(best).length).toBe(data.length - 1);
  expect(cellsOf(best, '$ Now').map(({ textContent }) => textContent)).not.toContain('↓-$0.01');
  expect(rowsOf(best)[0]?.querySelector('a')?.getAttribute('href')).toBe(`/arbitrage/${data[0]?.id}`);
  // None is listed as active beside a count of none.
  server.answer(listOpportunities, { data: [], count: 0 });
  server.answer(readOverview, { ...recorded(readOverview), active_opportunities: 0 });
  tell('opportunities', 'opportunity', data[0]?.id ?? '', { ...data[0], active: false });
  await expect.element(card('Best Opportunities')).toMatchTextContent(/None is watched now/);
});

test('shows the five relations nearest to paying, as prices move', async () => {
  const { data } = recorded(listRelations);
  const five = data.slice(0, 5);
  server.answer(listRelations, { data: five, count: 31 });
  await open('/');
  await page.getByRole('heading', { level: 1 }).hover();
  const nearest = 'Nearest Relations';
  await expect.poll(() => cellsOf(nearest, 'Distance')[2]?.textContent).toMatch(/^1\.6 c away after fees/);
  expect(server.askedFor(listRelations)[0]?.query).toEqual({
    ...{ skip: '0', limit: '5', sort_by: 'distance', sort_order: 'asc', pairs: 'left_out', complete_first: 'false' },
  });
  const third = five[2];
  tell('relations', 'relation', third?.id ?? '', { ...third, distance: -0.012, limited_by: null });
  await expect.poll(() => cellsOf(nearest, 'Distance')[0]?.textContent).toBe('↑ pays 1.2 c after fees');
  expect(rowsOf(nearest)[0]?.querySelector('a')?.getAttribute('href')).toBe(`/discover/${third?.id}`);
  await expectAccessible('a dashboard with relations');
});

test('shows what was found last where nothing is active', async () => {
  const { data } = recorded(listOpportunities);
  const gone = data.map((row) => ({
    ...row,
    relation_id: row.relation_id ?? crypto.randomUUID(),
    active: false,
    outdated: { as_of: row.created_at },
  }));
  server.answer(listOpportunities, ({ query }) =>
    query.active === 'false' ? { data: gone, count: gone.length } : { data: [], count: 0 },
  );
  const [hit] = recorded(listRelationHits).data;
  const [first, second] = gone;
  if (hit === undefined || first === undefined || second === undefined) throw new Error('hits and rows were recorded');
  const ended = { ...hit, opportunity_id: first.id, ended_at: hit.last_at, batch_id: null, profit_usd: 77, size: 120 };
  server.answer(listRelationHits, { data: [ended], count: 1 });
  await open('/');
  await expect.element(card('Best Opportunities')).toMatchTextContent(/None is watched now\. Found last:/);
  await expect.poll(() => cellsOf('Last opportunities', 'Paid at Best')[0]?.textContent).toBe('$77.00');
  const [, other] = cellsOf('Last opportunities', 'Paid at Best');
  expect(other?.textContent, 'what is not known to have paid').toBe('–');
  const [sets] = cellsOf('Last opportunities', 'Sets');
  expect(sets?.textContent).toBe('120.00');
  expect(rowsOf('Last opportunities')[0]?.querySelector('[data-sign]')).toBeNull();
  expect(rowsOf('Last opportunities')[0]?.textContent).toMatch(/Paid until/);
});

test('says what stands where nothing is watched', async () => {
  server.answer(listRelations, { data: [], count: 0 });
  server.answer(listOpportunities, { data: [], count: 0 });
  await open('/');
  await expect.element(card('Best Opportunities')).toMatchTextContent(/None is watched now/);
  await expect.element(card('Nearest Relations')).toMatchTextContent('No relation is watched yet.');
});
