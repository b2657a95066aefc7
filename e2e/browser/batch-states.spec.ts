/** States that only a rare course of things leads to: what the server answers about one batch is written over with them. */
import { expect, type Locator } from '@playwright/test';
import { test } from './desk-test.ts';
import { atRest, placed } from './placed-batch.ts';
import { cell, RED, rowsOf } from './screen.ts';

/** `tookS`: until its completion; `updatedAfterS`: until its last update, where there is no completion. */
type State = {
  status: string;
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

async function expectTones(rows: Locator, states: readonly { tone: string }[]) {
  for (const [index, { tone }] of states.entries())
    await expect(cell(rows.nth(index), 'Status').locator('[data-tone]').first()).toHaveAttribute('data-tone', tone);
}

test('shows each state of a batch and of an order by its badge, how long a batch took, and each kind of error', async ({
  page,
  product,
  set,
}) => {
  const { id } = await atRest(product, await placed(product, set.opportunityId));
  // What the stream brings would take the place of what is made up here.
  await page.routeWebSocket('**/api/v1/stream', () => {});
  await page.route(/\/arbitrage\/batches(\?|\/[^/]+\/orders$)/, async (route) => {
    if (route.request().isNavigationRequest()) return await route.continue();
    const { data } = await (await route.fetch()).json();
    const states = route.request().url().endsWith('/orders')
      ? ORDERS.map(({ status, error }) => ({ status, error }))
      : BATCHES.map((state) => ({ status: state.status, ...timesOf(state) }));
    const rows = states.map((state, index) => ({ ...data[0], is_final: false, ...state, id: numbered(id, index) }));
    await route.fulfill({ json: { data: rows, count: rows.length } });
  });
  await page.goto('/batches');
  const batches = rowsOf(page, 'Batch Orders');
  await expect(cell(batches, 'Execution Time')).toHaveText(BATCHES.map(({ reads }) => reads));
  await expectTones(batches, BATCHES);

  await page.goto(`/batches/${id}/orders`);
  const orders = rowsOf(page, 'Orders');
  await expect(cell(orders, 'Error')).toHaveText(ORDERS.map(({ says }) => says));
  await expectTones(orders, ORDERS);
  await expect(cell(orders.nth(3), 'Error').locator('[data-tone]')).toHaveCSS('color', RED);
  await cell(orders.nth(3), 'Error').getByRole('button').hover();
  await expect(page.getByRole('tooltip')).toHaveText('The chain undid it');
});
