import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cellsOf, expectCells, expectRoomFor, RED, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

/** `tookS`: until its completion; `updatedAfterS`: until its last update, where there is no completion. */
type State = {
  status: ReturnType<typeof recorded<typeof readBatch>>['status'];
  tone: string;
  startedAgoS?: number;
  tookS?: number;
  updatedAfterS?: number;
  /** The execution time. */
  reads: RegExp;
};

const BATCHES: readonly State[] = [
  { status: 'pending', tone: 'pending', reads: /^Not started$/ },
  { status: 'processing', tone: 'active', startedAgoS: 90, reads: /^[12]m \d+s$/ },
  { status: 'completed', tone: 'success', startedAgoS: 7_200, tookS: 12, reads: /^12s$/ },
  { status: 'sold', tone: 'success', startedAgoS: 7_200, tookS: 125, reads: /^2m 5s$/ },
  { status: 'partial_completed', tone: 'warning', startedAgoS: 7_200, tookS: 3_900, reads: /^1h 5m$/ },
  { status: 'failed', tone: 'error', startedAgoS: 7_200, updatedAfterS: 30, reads: /^30s$/ },
  { status: 'canceled', tone: 'inactive', startedAgoS: 7_200, updatedAfterS: 45, reads: /^45s$/ },
  { status: 'retry_pending', tone: 'pending', startedAgoS: 90, reads: /^[12]m \d+s$/ },
];

const ORDERS = [
  { status: 'filled', tone: 'success', error: '[SUCCESS] Its price was rounded', says: 'Warning' },
  { status: 'partially_filled', tone: 'warning', error: '[PRICE_CHANGED_SUCCESS] It moved', says: 'Price Changed' },
  { status: 'canceled', tone: 'inactive', error: null, says: 'No' },
  { status: 'failed', tone: 'error', error: 'The chain undid it', says: 'Yes' },
  { status: 'rejected', tone: 'error', error: 'not enough balance', says: 'Yes' },
  { status: 'pending', tone: 'pending', error: null, says: 'No' },
  { status: 'open', tone: 'pending', error: null, says: 'No' },
  { status: 'processing', tone: 'active', error: null, says: 'No' },
] as const;

function timesOf({ startedAgoS, tookS, updatedAfterS = 0 }: State) {
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000).toISOString();
  return {
    execution_started_at: startedAgoS === undefined ? null : at(startedAgoS),
    execution_completed_at: startedAgoS === undefined || tookS === undefined ? null : at(startedAgoS - tookS),
    updated_at: at((startedAgoS ?? 0) - updatedAfterS),
  };
}

const numbered = (id: string, index: number) => `0000000${index}${id.slice(8)}`;

function expectTones(table: string, states: readonly { tone: string }[]) {
  const tones = cellsOf(table, 'Status').map((cell) => cell.querySelector('[data-tone]')?.getAttribute('data-tone'));
  expect(tones).toEqual(states.map(({ tone }) => tone));
}

test('shows each state of a batch and of an order by its badge, how long a batch took, and each kind of error', async () => {
  const batch = { ...recorded(readBatch), is_final: false, unhedged: null };
  const [order] = recorded(readBatchOrders).data;
  if (order === undefined) throw new Error('no order was recorded');
  server.answer(listBatches, () => ({
    data: BATCHES.map((state, index) => ({
      ...batch,
      ...timesOf(state),
      status: state.status,
      id: numbered(batch.id, index),
    })),
    count: BATCHES.length,
  }));
  server.answer(readBatchOrders, {
    data: ORDERS.map(({ status, error }, index) => ({ ...order, status, error, id: numbered(order.id, index) })),
    count: ORDERS.length,
  });
  await open('/batches');
  await expectCells('Batch Orders', 'Execution Time', ...BATCHES.map(({ reads }) => reads));
  expectTones('Batch Orders', BATCHES);

  await open(`/batches/${batch.id}/orders`);
  await expectCells('Orders', 'Error', ...ORDERS.map(({ says }) => says));
  expectTones('Orders', ORDERS);
  const undone = page.elementLocator(cellsOf('Orders', 'Error')[3] as Element);
  expect(getComputedStyle(undone.element().querySelector('[data-tone]') as Element).color).toBe(RED);
  await undone.getByRole('button').hover();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('The chain undid it');
});

test('is called what its opportunity was, as heading, title of the tab and in the list, its id beside it', async () => {
  const batch = recorded(readBatch);
  const name = batch.name ?? '';
  const unnamed = { ...batch, id: crypto.randomUUID(), name: null };
  server.answer(listBatches, { data: [batch, unnamed], count: 2 });
  await open('/batches');
  const list = page.getByRole('table', { name: 'Batch Orders' });
  await expectCells(
    'Batch Orders',
    'Opportunity ID',
    /^Mayor of MeridianYes on all 3/,
    batch.opportunity_id.slice(0, 8),
  );
  await expect.element(list.getByRole('button', { name: batch.opportunity_id.slice(0, 8) })).toBeVisible();
  for (const path of [`/batches/${batch.id}`, `/batches/${batch.id}/orders`]) {
    await open(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(name);
    await expect.poll(() => document.title.replace(/^\(\d+\) /, '')).toBe(`${name} · Dutchbook`);
  }
  await expect.element(page.getByTitle(`Copy ${batch.id}`).first()).toBeVisible();
});

test('says of a clip which one of its series it is and what bounded it, and leads to it and to the first', async () => {
  const batch = recorded(readBatch);
  const clip = { ...batch, series_id: batch.id, order_size: 50, size_bounded_by: 'loss allowance' as const };
  const second = { ...clip, id: crypto.randomUUID(), clip_number: 2, clips_max: 2 };
  server.answer(listBatches, { data: [second, { ...clip, clip_number: 1, clips_max: 2 }], count: 2 });
  await open('/batches?each=true');
  const bounded = '50.00 sh, bounded by the loss allowance of a clip';
  const last = `${bounded}; the last that “Most clips in a row” allowed`;
  await expectCells(
    'Batch Orders',
    'Opportunity ID',
    new RegExp(`Clip 2, after clip 1.*${last}$`),
    new RegExp(`Clip 1[^,].*${bounded}$`),
  );
  await page.viewport(1024, 800);
  await expectRoomFor('Batch Orders');
  const row = page.getByRole('row').nth(1);
  await expect.element(row.getByTitle(batch.id)).toHaveAttribute('href', `/batches/${batch.id}`);
  await expect
    .element(row.getByRole('link', { name: 'Clip 2', exact: true }))
    .toHaveAttribute('href', `/batches/${second.id}`);
  await open('/batches?firstClips=true');
  await expect.poll(() => server.askedFor(listBatches).at(-1)?.query).toMatchObject({ first_clips: 'true' });
});

test('folds the batches of an opportunity into a row of their sums, which opens; single batches are one press away', async () => {
  const batch = { ...recorded(readBatch), actual_profit_usd: 0.4, unhedged: null };
  const folded = {
    count: 175,
    simulated: 3,
    statuses: [
      { status: 'completed' as const, count: 170 },
      { status: 'failed' as const, count: 5 },
    ],
    total_orders: 340,
    expected_orders: 350,
    retry_count: 2,
    cost_usd: 4_812.5,
    target_profit_usd: 80,
    actual_profit_usd: 75.5,
    paid_usd: 25.25,
    locked_usd: 50.25,
    at_risk_usd: 0,
    first_at: '2026-01-01T00:00:00.000Z',
  };
  const single = { ...batch, id: crypto.randomUUID(), opportunity_id: crypto.randomUUID() };
  const clips = [1, 2].map((nth) => ({ ...batch, id: `0000000${nth}${batch.id.slice(8)}` }));
  server.answer(listBatches, ({ query }) => {
    if (query.opportunity_id !== undefined) return { data: clips, count: 175 };
    if (query.folded !== 'true') return { data: [...clips, single], count: 3 };
    return {
      data: [
        { ...batch, folded },
        { ...single, folded: { ...folded, count: 1 } },
      ],
      count: 2,
    };
  });
  const { address } = await open('/batches?status=completed');
  const all = batch.opportunity_id;
  await expectCells('Batch Orders', 'Status', /^170 Completed5 Failed$/, /^Processing$/);
  await expectCells('Batch Orders', 'Opportunity ID', /175 batches since .*cost \$4,812\.503 simulated$/, /^Mayor/);
  await expectCells('Batch Orders', 'Actual Profit', /75\.50\$25\.25 paid\$50\.25 locked$/, /0\.40$/);
  await expectCells('Batch Orders', 'Orders', /^340\/350$/, /^3\/3$/);
  await expectCells('Batch Orders', 'ID', `${batch.id.slice(0, 8)}newest`, single.id.slice(0, 8));
  await expect.element(page.getByTitle(batch.id)).toHaveAttribute('href', `/batches/${batch.id}`);
  // What is done with several rows is done with batches.
  await expect.poll(() => page.getByRole('checkbox').elements().length).toBe(1);
  await page.getByRole('button', { name: /175 batches/ }).click();
  await expect.poll(() => rowsOf('Batch Orders').length).toBe(4);
  expect(server.askedFor(listBatches).at(-1)?.query).toMatchObject({ opportunity_id: all, status: 'completed' });
  await expect
    .element(page.getByRole('link', { name: 'All 175' }))
    .toHaveAttribute('href', `/batches?opportunityId=${all}&each=true`);
  await page.getByRole('button', { name: /175 batches/ }).click();
  await expect.poll(() => rowsOf('Batch Orders').length).toBe(2);
  await page.getByRole('button', { name: 'Single Batches' }).click();
  await expect.poll(address).toBe('/batches?status=completed&each=true');
  await expect.poll(() => rowsOf('Batch Orders').length).toBe(3);
  expect(server.askedFor(listBatches).at(-1)?.query).toMatchObject({ folded: 'false' });
  await page.getByRole('button', { name: 'One Row per Opportunity' }).click();
  await expect.poll(address).toBe('/batches?status=completed');
  await page.viewport(390, 844);
  const counted = page.getByText('170 Completed', { exact: true });
  await expect.element(counted).toBeVisible();
  expect(counted.element().getBoundingClientRect().height, 'a count and its status on one line').toBeLessThan(26);
  expect(counted.element().scrollWidth, 'and whole').toBe(counted.element().clientWidth);
});
