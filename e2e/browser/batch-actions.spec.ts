import { cancelBatch, listBatches, retryBatch } from '@dutchbook/contract/batches.ts';
import { expect, type Page, type Request } from '@playwright/test';
import { CHEAP_ASK, LOW_BID } from '../product/three-way.ts';
import { activate, chooseByArrows, expectAccessible } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { batchWhen, placed, refused, withoutAutomation } from './placed-batch.ts';
import { cell, figure, rowsOf, toast, watchRefresh } from './screen.ts';

let automate: () => Promise<void>;

test.beforeAll(async ({ product }) => {
  automate = await withoutAutomation(product);
});

test.afterAll(() => automate());

const status = (page: Page) => figure(page, 'Batch Information', 'Status');
const orders = (page: Page) => rowsOf(page, 'Orders');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cancel Batch' });
const pathOf = (request: Request) => new URL(request.url()).pathname.replace('/api/v1', '');
const keyOf = (request: Request) => request.headers()['idempotency-key'];

/** The calls of `page` whose path ends with `ending`, as they are made. */
function callsOf(page: Page, ending: string): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => void (pathOf(request).endsWith(ending) && calls.push(request)));
  return calls;
}

/** Answers the calls whose path ends with `ending` one after another: refused with a status, or not at all. The rest goes through. */
async function spoil(page: Page, ending: string, ...answers: (number | 'lost')[]) {
  await page.route(`**/api/v1/**${ending}`, (route) => {
    const answer = answers.shift();
    if (answer === undefined) return route.continue();
    if (answer === 'lost') return route.abort('failed');
    return route.fulfill({ status: answer, json: { detail: 'It is too late for that.' } });
  });
}

test('retries a batch once however often the button is pressed, and reads it again two seconds later', async ({
  page,
  product,
  set,
}) => {
  const failed = await refused(product, set.opportunityId);
  expect(failed.can_retry).toBe(true);
  await page.goto(`/batches/${failed.id}`);
  await expect(status(page)).toHaveText('Failed');
  await expect(cell(orders(page), 'Status')).toContainText(['Rejected', 'Rejected', 'Rejected']);
  const retries = callsOf(page, '/retry');
  const readAgain = watchRefresh(page, /\/retry$/, `/arbitrage/batches/${failed.id}`);
  await button(page, 'Retry Batch').dblclick();
  await expect(toast(page, 'Batch retry initiated successfully')).toBeVisible();
  await readAgain();
  await expect(status(page)).toHaveText('Completed');
  await expect(cell(orders(page), 'Status')).toContainText(['Filled', 'Filled', 'Filled']);
  await expect(cell(orders(page), 'Status')).toContainText(['2 attempts', '2 attempts', '2 attempts']);
  await expect(figure(page, 'Batch Information', 'Retries')).toHaveText('1/3');
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Retry requested');
  await expect(button(page, 'Retry Batch')).toHaveCount(0);
  expect(retries).toHaveLength(1);
  expect(retries.map(keyOf)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});

test('asks again without a pointer, under the same key when the answer was lost, and says why a retry or a cancellation is refused', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  mayBeRefused('without an answer');
  const failed = await refused(product, set.opportunityId);
  const retries = callsOf(page, '/retry');
  await spoil(page, '/retry', 409, 'lost');
  await page.goto('/batches');
  const row = rowsOf(page, 'Batch Orders').filter({ has: page.getByTitle(failed.id, { exact: true }) });
  const retry = async () => {
    await activate(page, row.getByRole('button').last());
    await chooseByArrows(page, 'Retry Batch');
  };
  await retry();
  await expect(toast(page, /Failed to retry batch.*It is too late for that\./)).toBeVisible();
  await retry();
  await expect(toast(page, /it is not known whether the batch is retried/)).toBeVisible();
  await retry();
  await expect(toast(page, 'Batch retry initiated successfully')).toBeVisible();
  await expect(cell(row, 'Status')).toHaveText('Completed');
  await expect(cell(row, 'Retries')).toHaveText('1/3');
  const [rejected, lost, done] = retries.map(keyOf);
  expect(lost, 'another request than the one that was refused').not.toBe(rejected);
  expect(done, 'the request whose answer was lost').toBe(lost);
});

test('cancels a running batch from its row once that is confirmed, and keeps what was filled', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await product.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const running = await placed(product, set.opportunityId);
  await batchWhen(product, running, 'it is filled in part', ({ unhedged }) => unhedged !== null);
  await spoil(page, '/cancel', 409);
  await page.goto('/batches?isActive=true');
  const row = rowsOf(page, 'Batch Orders').filter({ has: page.getByTitle(running.id, { exact: true }) });
  const menu = row.getByRole('button').last();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Cancel Batch' }).click();
  await expect(dialog(page)).toContainText('What has been filled is kept.');
  await expect(dialog(page)).toContainText(/\$\d\.\d\d can be lost/);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(menu).toBeFocused();
  await page.goto('/batches');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Cancel Batch' }).click();
  const cancels = callsOf(page, '/cancel');
  await dialog(page).getByRole('button', { name: 'Cancel Batch' }).click();
  await expect(toast(page, /Failed to cancel batch.*It is too late for that\./)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel Batch' }).dblclick();
  await expect(toast(page, 'Batch canceled successfully')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(cell(row, 'Status')).toHaveText('Canceled');
  expect(cancels).toHaveLength(2);
  expect(new Set(cancels.map(keyOf)).size, 'a refusal ends a request').toBe(2);
  await page.goto(`/batches/${running.id}`);
  await expect(cell(orders(page), 'Status')).toContainText(['Partially filled', 'Filled', 'Filled']);
  await expect(cell(orders(page), 'Filled / Size').first()).toHaveText('6.00 / 12.00');
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Cancel requested');
});

test('tells of what is at risk as soon as it is, also while a cancellation is being asked for in the list', async ({
  page,
  product,
  set,
}) => {
  // Nothing is filled until the question stands there, and then half of one position and all of the others.
  for (const { id } of set.markets) await product.exchange.delayMatching(id, 15_000);
  await product.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const running = await placed(product, set.opportunityId);
  await page.goto('/batches');
  const row = rowsOf(page, 'Batch Orders').filter({ has: page.getByTitle(running.id, { exact: true }) });
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Cancel Batch' }).click();
  await expect(dialog(page)).toContainText('What has been filled is kept.');
  expect(await dialog(page).textContent()).not.toContain('can be lost');
  await expect(dialog(page)).toContainText(/\$\d\.\d\d can be lost/);
  for (const { id } of set.markets) await product.exchange.delayMatching(id, 0);
  await dialog(page).getByRole('button', { name: 'Cancel Batch' }).click();
  await expect(cell(row, 'Status')).toContainText('Canceled');
});

test('says what is unhedged since when and at what cost, and that it is being canceled until it is', async ({
  page,
  product,
  set,
}) => {
  await product.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const running = await placed(product, set.opportunityId);
  await page.goto(`/batches/${running.id}`);
  const exposure = page.getByRole('region', { name: 'Unhedged Exposure' });
  await expect(cell(rowsOf(page, 'Unhedged positions'), 'Shares')).toHaveText(['6.00', '6.00']);
  await expect(exposure.getByRole('definition').first()).toHaveText(/^\$3\.\d\dlost if the rest never fills/);
  await expect(figure(page, 'Unhedged Exposure', 'Cost of unwinding now')).toHaveText(/^\$0\.\d\d(Cheaper)?$/);
  await expect(figure(page, 'Unhedged Exposure', 'Unhedged for')).toHaveText(/^(\d+m )?\d+s/);
  await expect(figure(page, 'Unhedged Exposure', 'Unhedged for').getByRole('time')).toHaveText(/:\d\d/);
  // The books move, and no button is pressed.
  for (const tokenId of set.tokenIds.slice(1))
    await product.exchange.setBook(tokenId, [{ price: '0.05', size: '500' }], []);
  await expect(figure(page, 'Unhedged Exposure', 'Cost of unwinding now')).toHaveText(/^\$2\.\d\d(Cheaper)?$/);

  await product.exchange.fault({ name: 'restart_425', times: 10_000 });
  await activate(page, button(page, 'Cancel Batch'));
  await activate(page, dialog(page).getByRole('button', { name: 'Cancel Batch' }));
  await expect(button(page, 'Canceling…')).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Canceling…')).toHaveCount(2);
  await expect(dialog(page)).toHaveCount(0);
  await expect(button(page, 'Canceling…')).toBeFocused();
  await product.exchange.clearFaults();
  await expect(status(page)).toHaveText('Canceled');
  await expect(page.getByText('Canceling…')).toHaveCount(0);
  await expect(exposure, 'what is held stays at risk').toBeVisible();
});

test('a list of what is unhedged takes in a batch that becomes it long after it was placed', async ({
  page,
  product,
  set,
}) => {
  const { caller, exchange } = product;
  const failed = await refused(product, set.opportunityId);
  await page.goto(`/batches?unhedged=true&opportunityId=${set.opportunityId}`);
  await expect(page.getByText('No batch orders found.')).toBeVisible();
  // It is published when it is taken up again, and only seconds later anything of it is filled.
  for (const { id } of set.markets) await exchange.delayMatching(id, 2_000);
  await exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  const params = { batch_id: failed.id };
  expect((await caller.call(retryBatch, { params })).detail).toBe('');
  await expect(rowsOf(page, 'Batch Orders').getByTitle(failed.id, { exact: true })).toBeVisible();
  for (const { id } of set.markets) await exchange.delayMatching(id, 0);
  expect((await caller.call(cancelBatch, { params })).detail).toBe('');
});

test('shows an order whose outcome is unknown as neither placed nor failed, with what was asked, until the venue has answered', async ({
  page,
  product,
  set,
}) => {
  await product.exchange.fault({ name: 'drop_response', before: true, times: 10_000 });
  const unknownBatch = await placed(product, set.opportunityId);
  await batchWhen(product, unknownBatch, 'its orders are unknown', ({ orders_in_doubt }) => orders_in_doubt === 3);
  await page.goto('/batches');
  const row = rowsOf(page, 'Batch Orders').filter({ has: page.getByTitle(unknownBatch.id, { exact: true }) });
  await expect(cell(row, 'Status')).toHaveText('Processing3 unknown');
  await row.getByTitle(unknownBatch.id, { exact: true }).click();
  await expect(page.getByText('3 unknown')).toBeVisible();
  await expect(cell(orders(page), 'Status')).toContainText([/^Unknownsince/, /^Unknownsince/, /^Unknownsince/]);
  await expect(status(page)).toHaveText('Processing');
  const panel = page.getByRole('region', { name: 'Unknown Orders' });
  const [first] = set.markets;
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await expect(panel.getByRole('listitem').first()).toContainText(`${first?.question}`);
  await expect(panel.getByRole('listitem').first()).toContainText('Buy 12.00 Yes at 0.2500');
  await expect(panel.getByRole('listitem').first()).toContainText(
    /Does the venue have order 0x[0-9a-f]{8}…[0-9a-f]{6}\?/,
  );
  await expect(panel.getByText('It does not have the order')).toHaveCount(3);
  await cell(orders(page), 'Status').first().getByRole('button').hover();
  await expect(page.getByRole('tooltip')).toContainText('It does not have the order');
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await expect(timeline).toContainText('Outcome unknown');
  await expect(timeline).not.toContainText('Acknowledged');
  await expectAccessible(page, 'unknown orders');
  await page.getByRole('link', { name: 'Orders on Their Own Page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(unknownBatch.name ?? '');
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await page.goBack();
  await expect(status(page)).toHaveText('Processing');
  await activate(page, button(page, 'Reconcile'));
  await expect(toast(page, /Order statuses updated|has not answered about every order/)).toBeVisible();
  await product.exchange.clearFaults();
  await expect(panel).toHaveCount(0);
  await expect(status(page)).toHaveText('Completed');
  await expect(cell(orders(page), 'Status')).toContainText(['Filled', 'Filled', 'Filled']);
  await expect(timeline).toContainText('Acknowledged');
});

test('places an order once however often it is confirmed', async ({ page, set }) => {
  const placings = callsOf(page, `/place-order/${set.opportunityId}`);
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await button(page, 'Place Order').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm Order' }).dblclick();
  await expect(toast(page, 'Order placed successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  await expect(status(page)).toHaveText('Completed');
  expect(placings.map(keyOf)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});

test('an order whose answer is lost stays as it was sent, and is the same one when it is confirmed again', {
  tag: '@journey',
}, async ({ page, product: { caller, exchange }, set, mayBeRefused }) => {
  mayBeRefused('without an answer');
  const placings = callsOf(page, `/place-order/${set.opportunityId}`);
  const simulations = callsOf(page, `/simulate-orders/${set.opportunityId}`);
  await page.clock.install();
  await page.goto(`/arbitrage/${set.opportunityId}`);
  await button(page, 'Place Order').click();
  const ticket = page.getByRole('dialog', { name: 'Place Order' });
  const confirm = ticket.getByRole('button', { name: 'Confirm Order' });
  const price = figure(page, 'Price Information', 'Current Price');
  const size = ticket.getByLabel('Order Size');
  const ask = async (typed: string) => {
    await size.fill(typed);
    await size.press('Enter');
  };
  const first = async (askPrice: string) =>
    exchange.setBook(set.tokenIds[0] ?? '', [LOW_BID], [{ ...CHEAP_ASK, price: askPrice }]);
  await expect(ticket).toContainText('Quoted Price 0.7500');
  await page.route('**/place-order/**', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await confirm.click();
  await expect(ticket).toContainText('it is not known whether the order was placed. Confirm again');
  await expectAccessible(page, 'an order whose answer was lost');
  await page.unroute('**/place-order/**');

  const asked = simulations.length;
  await first('0.26');
  await expect(price).toContainText('0.7600');
  await page.clock.fastForward(10_000);
  await ask('40');
  await expect(ticket).toContainText('This would be another one');
  await expect(confirm).toBeDisabled();
  await expect(confirm).toHaveAccessibleDescription(/not known whether the first order was placed/);
  expect(
    simulations.slice(asked).map(({ url }) => url),
    'no other than was asked for',
  ).toHaveLength(1);

  await first('0.25');
  await expect(price).toContainText('0.7500');
  await ask('');
  await expect(ticket).toContainText('Confirm again');
  await confirm.click();
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  const [lost, again, ...more] = placings;
  expect(more).toEqual([]);
  expect(again?.url()).toBe(lost?.url());
  expect(again && keyOf(again)).toBe(lost && keyOf(lost));
  const { reply } = await caller.call(listBatches, { query: { opportunity_id: set.opportunityId } });
  expect(reply.count).toBe(1);
});
