/** What every list can do: be found in, look as the user likes it, and have things done with several of its rows. */
import { cancelBatch, exportBatches, listBatches, readBatchOrders, retryBatch } from '@dutchbook/contract/batches.ts';
import { exportNotifications, listNotifications } from '@dutchbook/contract/notifications.ts';
import {
  deleteOpportunity,
  exportCsv,
  listOpportunities,
  updateOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { exportOrders, listOrders } from '@dutchbook/contract/orders.ts';
import { exportRelations } from '@dutchbook/contract/relations.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, expectCells, expectRoomFor, rowsOf, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const LIST = 'Arbitrage Opportunities';
const MANY = 60;

const [MODEL] = recorded(listOpportunities).data;
if (MODEL === undefined) throw new Error('no opportunity was recorded');

const idOf = (nth: number) => `${nth.toString(16).padStart(8, '0')}${MODEL.id.slice(8)}`;
const shortIdOf = (nth: number) => nth.toString(16).padStart(8, '0');

/** Sixty, the first of them inactive. */
let rows: (typeof MODEL)[];

beforeEach(() => {
  rows = Array.from({ length: MANY }, (_, nth) => ({ ...MODEL, id: idOf(nth), active: nth > 0, triggered: false }));
  server.answer(listOpportunities, ({ query }) => {
    const skip = Number(query.skip);
    return { data: rows.slice(skip, skip + Number(query.limit)), count: rows.length };
  });
});

const lastQuery = () => server.askedFor(listOpportunities).at(-1)?.query;
const box = (nth: number) => page.getByRole('checkbox', { name: new RegExp(`^Select .+ \\(${shortIdOf(nth)}\\)$`) });
const bar = page.getByRole('region', { name: 'Selected opportunities' });
const headings = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(({ textContent }) => textContent.replace(/[↑↓]/, ''));

async function inViewMenu(role: 'menuitem' | 'menuitemcheckbox' | 'menuitemradio', name: string) {
  if (page.getByRole('menu').query() === null) await button('View').click();
  await page.getByRole(role, { name }).click();
}

test('a list is found in by a text and by what a set pays at least, once the user leaves the field', async () => {
  const { address, back } = await open('/arbitrage?page=2');
  await expect.element(box(10)).toBeVisible();
  await typeInto(page.getByLabelText('Find'), '  port meridian ');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/arbitrage?q=port+meridian');
  expect(lastQuery()).toMatchObject({ q: 'port meridian', skip: '0' });
  await typeInto(page.getByLabelText('Least Profit %'), 'much');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Enter a number')).toBeVisible();
  await typeInto(page.getByLabelText('Least Profit %'), '1.5');
  await typeInto(page.getByLabelText('Least $ per Set'), '0.02');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(lastQuery)
    .toMatchObject({ q: 'port meridian', min_profit_percentage: '1.5', min_profit_usd: '0.02' });
  await expect.poll(address).toContain('minProfitUsd=0.02');
  back();
  await expect.poll(() => page.getByLabelText('Least $ per Set').element()).toHaveValue('');
  expect(page.getByLabelText('Find').element()).toHaveValue('port meridian');
});

test('a list that is searched says for what, over the rows that stand there meanwhile', async () => {
  await open('/arbitrage');
  await expect.element(box(0)).toBeVisible();
  const answers: (() => void)[] = [];
  server.answer(listOpportunities, async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return { data: rows.slice(0, 1), count: 1 };
  });
  await typeInto(page.getByLabelText('Find'), 'port meridian');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status').getByText('Searching for “port meridian”…')).toBeVisible();
  expect(rowsOf(LIST).length).toBe(10);
  for (const answer of answers) answer();
  await expect.poll(() => rowsOf(LIST).length).toBe(1);
  await expect.element(page.getByText('Searching for “port meridian”…')).not.toBeInTheDocument();
});

test.each([
  ['/batches', listBatches],
  ['/orders', listOrders],
  ['/notifications', listNotifications],
] as const)('%s is found in by a text', async (path, endpoint) => {
  server.answer(endpoint as typeof listBatches, { data: [], count: 0 });
  await open(path);
  await typeInto(page.getByLabelText('Find'), 'mayor');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => server.askedFor(endpoint).at(-1)?.query.q).toBe('mayor');
  await expect.element(page.getByText(/None match these filters/)).toBeVisible();
});

test('a page has as many rows as the user likes, also the next time, and keeps the first one in sight', async () => {
  const { address } = await open('/arbitrage?page=3');
  await expect.element(page.getByText('21–30 of 60')).toBeVisible();
  await page.getByLabelText('Rows per page').selectOptions('25');
  await expect.element(page.getByText('1–25 of 60')).toBeVisible();
  expect(address()).toBe('/arbitrage');
  expect(lastQuery()).toMatchObject({ skip: '0', limit: '25' });
  await button('Next').click();
  await expect.element(page.getByText('26–50 of 60')).toBeVisible();
  await open('/arbitrage');
  await expect.element(page.getByText('1–25 of 60')).toBeVisible();
  await expect.poll(() => rowsOf(LIST).length).toBe(25);
});

test('columns come and go, and rows are tight or wide, also the next time', async () => {
  await open('/arbitrage');
  await expect.element(box(0)).toBeVisible();
  const whole = headings();
  const wide = rowsOf(LIST)[0]?.offsetHeight ?? 0;
  await inViewMenu('menuitemcheckbox', 'Target Price');
  await inViewMenu('menuitemcheckbox', 'Status');
  await expect.poll(headings).toEqual(whole.filter((name) => name !== 'Target Price' && name !== 'Status'));
  await inViewMenu('menuitemradio', 'Compact');
  await expect.poll(() => rowsOf(LIST)[0]?.offsetHeight).toBeLessThan(wide - 10);
  await expectAccessible('the menu of how a list looks');
  await userEvent.keyboard('{Escape}');
  await open('/arbitrage');
  await expect.element(box(0)).toBeVisible();
  expect(headings()).not.toContain('Status');
  expect(rowsOf(LIST)[0]?.offsetHeight).toBeLessThan(wide - 10);
  await inViewMenu('menuitemcheckbox', 'Status');
  await expect.poll(headings).toContain('Status');
});

/** As many as were asked for, all alike. */
const alike = <Row extends { id: string }>([row]: Row[]) => ({
  data: Array.from({ length: 25 }, (_, nth) => ({ ...(row as Row), id: idOf(nth) })),
  count: MANY,
});

test.each([
  ['/arbitrage', LIST, 'opportunities'],
  ['/batches', 'Batch Orders', 'batches'],
  ['/orders', 'Orders', 'orders'],
  ['/notifications', 'Notifications', 'notifications'],
] as const)('in compact 15 rows and more of %s stand whole on a screen of 1440 by 900', async (path, label, list) => {
  Object.assign(rows[3] ?? {}, { triggered: true, flags: ['augmented_event'] });
  server.answer(listBatches, alike(recorded(listBatches).data));
  server.answer(listOrders, alike(recorded(readBatchOrders).data));
  server.answer(listNotifications, alike(recorded(listNotifications).data));
  localStorage.setItem('lists', JSON.stringify({ density: 'compact', lists: { [list]: { pageSize: 25 } } }));
  await page.viewport(1440, 900);
  await open(path);
  await expect.poll(() => rowsOf(label).length).toBe(25);
  // What loads has as many rows, and what stands above may keep a place that it leaves once it is known.
  const isOnScreen = (row: HTMLElement) =>
    row.closest('[data-loading]') === null && row.getBoundingClientRect().bottom <= 900;
  await expect.poll(() => rowsOf(label).filter(isOnScreen).length).toBeGreaterThanOrEqual(15);
  await expectRoomFor(label);
});

test('a search has a name, by which it is found again, and is deleted', async () => {
  const { address } = await open('/arbitrage?active=true&sortBy=profit_percentage');
  await inViewMenu('menuitem', 'Save This View…');
  const name = page.getByRole('dialog', { name: 'Save View' }).getByLabelText('Name');
  await button('Save').click();
  await expect.element(page.getByText('Name is required')).toBeVisible();
  await typeInto(name, 'Best of all');
  await button('Save').click();
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull();

  const later = await open('/arbitrage?triggered=true');
  await inViewMenu('menuitem', 'Best of all');
  await expect.poll(later.address).toBe(address());
  expect(lastQuery()).toMatchObject({ active: 'true', sort_by: 'profit_percentage' });
  await inViewMenu('menuitem', 'Delete View “Best of all”');
  await button('Undo').click();
  await inViewMenu('menuitem', 'Delete View “Best of all”');
  await button('View').click();
  await expect.element(page.getByRole('menuitem', { name: 'Save This View…' })).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Best of all' }).query()).toBeNull();
});

test('several rows are changed one after another, none of which moves, and what failed stays selected with its reason', async () => {
  server.answer(updateOpportunity, ({ params }) =>
    params.opportunity_id === idOf(2)
      ? refusal(409, 'It is being bought')
      : ({
          ...recorded(listOpportunities).data[0],
          positions: [],
          relation_basis: null,
          max_profitable_size: null,
          blockers: [],
        } as never),
  );
  await open('/arbitrage');
  await expect.element(box(0)).toBeVisible();
  const places = () => rowsOf(LIST).map((row) => row.getBoundingClientRect().y);
  const before = places();
  for (const nth of [0, 1, 2]) await box(nth).click();
  await expect.element(bar).toMatchTextContent(/^3 selected/);
  expect(places()).toEqual(before);
  // The first is inactive by now, and cannot be deactivated.
  await expect.element(bar.getByRole('button', { name: 'Deactivate 2' })).toBeVisible();
  await expectAccessible('a list with selected rows');
  await bar.getByRole('button', { name: 'Deactivate 2' }).click();
  await expect.element(toast('1 of 2 opportunities not deactivated: It is being bought')).toBeVisible();
  await expect.element(page.getByText('1 opportunities deactivated')).toBeVisible();
  expect(server.askedFor(updateOpportunity).map(({ params, body }) => [params.opportunity_id, body])).toEqual([
    [idOf(1), { active: false }],
    [idOf(2), { active: false }],
  ]);
  await expect.element(bar).toMatchTextContent(/^1 selected/);
  await expect.element(box(2)).toBeChecked();
  await bar.getByRole('button', { name: 'Clear Selection' }).click();
  await expect.element(bar).not.toBeInTheDocument();
});

test('what was deactivated is activated again at a press', async () => {
  server.answer(updateOpportunity, ({ params, body }) => {
    const row = rows.find(({ id }) => id === params.opportunity_id) ?? MODEL;
    Object.assign(row, body);
    return { ...row, positions: [], relation_basis: null, max_profitable_size: null, blockers: [] } as never;
  });
  await open('/arbitrage');
  for (const nth of [1, 2]) await box(nth).click();
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  await expect.element(page.getByText('2 opportunities deactivated')).toBeVisible();
  expect(rows.filter(({ active }) => !active)).toHaveLength(3);
  await expectAccessible('what can be taken back');
  await button('Undo').click();
  await expect.element(page.getByText('2 opportunities activated')).toBeVisible();
  expect(rows.filter(({ active }) => !active)).toHaveLength(1);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('deletes a whole page once that is confirmed, waits where the server wants that, and stops on request', async () => {
  server.answer(deleteOpportunity, ({ params }) => {
    if (server.askedFor(deleteOpportunity).length === 2) return refusal(429, 'Too many', { 'retry-after': '1' });
    if (params.opportunity_id === idOf(3)) return refusal(429, 'Too many', { 'retry-after': '3600' });
    rows = rows.filter(({ id }) => id !== params.opportunity_id);
    return { message: 'deleted' };
  });
  await open('/arbitrage');
  await box(0).click();
  await bar.getByRole('button', { name: 'Select All 10' }).click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete' });
  await expect.element(question).toMatchTextContent('Delete 10 opportunities? Their batches are kept.');
  await question.getByRole('button', { name: 'Back' }).click();
  expect(server.askedFor(deleteOpportunity)).toEqual([]);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.element(bar).toMatchTextContent('Delete: 3 of 10');
  await bar.getByRole('button', { name: 'Stop' }).click();
  await expect.element(page.getByText('3 opportunities deleted')).toBeVisible();
  await expectCells(LIST, 'ID', ...Array.from({ length: 10 }, (_, nth) => shortIdOf(nth + 3)));
  const asked = server.askedFor(deleteOpportunity).map(({ params }) => params.opportunity_id);
  expect(asked.slice(0, 4)).toEqual([idOf(0), idOf(1), idOf(1), idOf(2)]);
  expect(new Set(asked.slice(4))).toEqual(new Set([idOf(3)]));
});

test('another page begins with nothing selected', async () => {
  await open('/arbitrage');
  await box(1).click();
  await expect.element(bar).toBeVisible();
  await button('Next').click();
  await expect.element(page.getByText('11–20 of 60')).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
});

test('several batches are retried or canceled, each that can be, under a key of its own', async () => {
  const [model] = recorded(listBatches).data;
  if (model === undefined) throw new Error('no batch was recorded');
  const data = [
    { ...model, id: idOf(0), can_retry: true, is_active: false },
    { ...model, id: idOf(1), can_retry: false, is_active: true, cancel_requested: false },
    { ...model, id: idOf(2), can_retry: true, is_active: false },
  ];
  server.answer(listBatches, { data, count: 3 });
  server.answer(retryBatch, model);
  server.answer(cancelBatch, model);
  await open('/batches');
  for (const nth of [0, 1, 2]) await box(nth).click();
  const batches = page.getByRole('region', { name: 'Selected batches' });
  await batches.getByRole('button', { name: 'Cancel 1' }).click();
  await page.getByRole('dialog', { name: 'Cancel' }).getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('1 batches canceled')).toBeVisible();
  for (const nth of [0, 2]) await box(nth).click();
  await batches.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog', { name: 'Retry' }).getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByText('2 batches retried')).toBeVisible();
  expect(server.askedFor(cancelBatch).map(({ params }) => params.batch_id)).toEqual([idOf(1)]);
  const retries = server.askedFor(retryBatch);
  expect(retries.map(({ params }) => params.batch_id)).toEqual([idOf(0), idOf(2)]);
  expect(new Set(retries.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test.each([
  ['/batches?status=failed', exportBatches, 'batches', { status: 'failed' }],
  ['/orders?side=sell&hasError=true', exportOrders, 'orders', { side: 'sell', has_error: 'true' }],
  ['/notifications?status=sent', exportNotifications, 'notifications', { status: 'sent' }],
  [
    '/discover?state=void&minProfitUsd=2',
    exportRelations,
    'relations',
    { state: 'void', min_profit_usd: '2', pairs: 'left_out' },
  ],
] as const)('%s is downloaded as far as its filters let it through', async (path, endpoint, what, query) => {
  server.answer(listOrders, { data: recorded(readBatchOrders).data, count: 3 });
  server.answer(endpoint as typeof exportOrders, new Response('"id"\r\n', { headers: { 'content-type': 'text/csv' } }));
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await open(path);
  await button('Export CSV').click();
  await expect.poll(() => saved).toEqual([expect.stringMatching(`^${what}_\\d{4}-\\d\\d-\\d\\d\\.csv$`)]);
  expect(server.askedFor(endpoint)[0]?.query).toEqual(query);
  server.answer(endpoint as typeof exportOrders, refusal(503, 'Not now'));
  await button('Export CSV').click();
  await expect.element(toast('Error exporting CSV: Not now')).toBeVisible();
});

test('selected rows are downloaded by themselves', async () => {
  server.answer(exportCsv, new Response('"id"\r\n', { headers: { 'content-type': 'text/csv' } }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await open('/arbitrage');
  for (const nth of [1, 3]) await box(nth).click();
  await bar.getByRole('button', { name: 'Export CSV' }).click();
  await expect.element(page.getByText('2 opportunities exported')).toBeVisible();
  expect(server.askedFor(exportCsv)[0]?.query).toEqual({ ids: `${idOf(1)},${idOf(3)}` });
  expect(click).toHaveBeenCalledOnce();
});

test('the orders of all batches stand in one list, narrowed by what is chosen, and lead to their batches', async () => {
  const orders = recorded(readBatchOrders).data.map((order) => ({ ...order, size_bounded_by: 'day limit' as const }));
  server.answer(listOrders, ({ query }) => {
    const kept = orders.filter(({ side }) => query.side === undefined || side === query.side);
    return { data: kept, count: kept.length };
  });
  const { address } = await open('/orders?unknown=false');
  await expectCells(
    'Orders',
    'Batch',
    ...orders.map(
      ({ batch_id }) => `Mayor of MeridianYes on all 3${batch_id.slice(0, 8)}bounded by the limit of the day`,
    ),
  );
  expect(server.askedFor(listOrders)[0]?.query).toMatchObject({ unknown: 'false', sort_by: 'created_at', limit: '10' });
  // Most are of another day.
  await expectCells('Orders', 'Status', ...orders.map(() => /updated [A-Z][a-z]{2} \d+, /));
  await expectAccessible('all orders');
  await page.getByLabelText('Status').selectOptions('filled');
  await page.getByLabelText('Error').selectOptions('true');
  await typeInto(page.getByLabelText('Market ID'), '0xabc ');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => server.askedFor(listOrders).at(-1)?.query)
    .toMatchObject({ status: 'filled', has_error: 'true', market_id: '0xabc', unknown: 'false' });
  expect(address()).toBe('/orders?status=filled&marketId=0xabc&hasError=true&unknown=false');
  await page.getByLabelText('Side').selectOptions('sell');
  await expect.element(page.getByText('No orders found.')).toBeVisible();
  await button('Show All').click();
  await expect.poll(address).toBe('/orders');
  await expect.poll(() => rowsOf('Orders').length).toBe(orders.length);

  // A batch that moves has its orders read again.
  const [batch] = recorded(listBatches).data;
  const before = server.askedFor(listOrders).length;
  tell('batches', 'batch', batch?.id ?? '', batch);
  await expect.poll(() => server.askedFor(listOrders).length).toBeGreaterThan(before);
  await userEvent.keyboard('j');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/batches/${orders[0]?.batch_id}`);
});
