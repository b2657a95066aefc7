import { listBatches } from '@dutchbook/contract/batches.ts';
import { expect, type Page } from '@playwright/test';
import { CHEAP_ASK, LOW_BID, type ThreeWay } from '../product/three-way.ts';
import { tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { cell, figure, rowsOf, toast } from './screen.ts';

const SIMULATION = '**/api/v1/arbitrage/simulate-orders/**';

const ticketOf = (page: Page) => page.getByRole('dialog', { name: 'Place Order' });

async function openTicket(page: Page, { opportunityId }: Pick<ThreeWay, 'opportunityId'>) {
  await page.goto(`/arbitrage/${opportunityId}`);
  await page.getByRole('button', { name: 'Place Order' }).click();
}

/** Runs in the page: notes whether the button that places was ever blocked, or the plan not current. */
function watchTicket() {
  const look = () => {
    const confirm = [...document.querySelectorAll('[role=dialog] button')].find(
      ({ textContent }) => textContent === 'Confirm Order',
    );
    const isBlocked = confirm?.getAttribute('aria-disabled') !== 'false';
    const isFaded = document.querySelector('[role=dialog] [data-current=false]') !== null;
    if (isBlocked || isFaded) document.documentElement.dataset.blocked = `blocked ${isBlocked}, faded ${isFaded}`;
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}

test('says what would refuse an order before it is placed and why the server refused it, and loses nothing of what was typed', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(409);
  await openTicket(page, set);
  const dialog = ticketOf(page);
  await dialog.getByLabel('Order Size').fill('600');
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect(dialog.getByText(/leg 1.*short of 100 shares/i)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Confirm Order' })).toBeDisabled();
  await dialog.getByLabel('Order Size').fill('60');
  await dialog.getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect(dialog.getByText('60.00 sh')).toBeVisible();
  const [thin = ''] = set.tokenIds;
  await product.exchange.setBook(thin, [{ price: '0.2', size: '500' }], [{ price: '0.25', size: '50' }]);
  await dialog.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(toast(page, 'Failed to place order')).toContainText(/leg 1.*short of 10 shares/i);
  await expect(dialog.getByLabel('Order Size')).toHaveValue('60');
  await expect(page).toHaveURL(`/arbitrage/${set.opportunityId}`);
  const { reply } = await product.caller.call(listBatches, { query: { opportunity_id: set.opportunityId } });
  expect(reply.count).toBe(0);
});

test('keeps what an order would buy up to date without being asked, and leaves the person where they were', async ({
  page,
  product,
  set,
}) => {
  await openTicket(page, set);
  const dialog = ticketOf(page);
  const confirm = dialog.getByRole('button', { name: 'Confirm Order' });
  await expect(dialog).toContainText('Quoted Price 0.7500');
  await tabTo(page, confirm);
  await page.evaluate(watchTicket);
  const [moved = ''] = set.tokenIds;
  for (const price of ['0.26', '0.27', '0.28', '0.25']) {
    await product.exchange.setBook(moved, [LOW_BID], [{ ...CHEAP_ASK, price }]);
    await expect(dialog).toContainText(`Quoted Price 0.${Number(price) * 100 + 50}00`);
    await expect(cell(rowsOf(page, 'Planned orders'), 'Limit Price').first()).toHaveText(`${price}00`);
  }
  await expect(confirm).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.dataset.blocked ?? 'never')).toBe('never');
});

test('places what was shown, though the price has moved since, and says that it has', async ({
  page,
  product,
  set,
}) => {
  await openTicket(page, set);
  const dialog = ticketOf(page);
  await expect(dialog).toContainText('Quoted Price 0.7500');
  const size = /Size\s*(\d+)\.00 sh/.exec((await dialog.textContent()) ?? '')?.[1];
  await page.route(SIMULATION, () => {});
  const [moved = ''] = set.tokenIds;
  await product.exchange.setBook(moved, [LOW_BID], [{ ...CHEAP_ASK, price: '0.26' }]);
  await expect(figure(page, 'Price Information', 'Current Price')).toContainText('0.7600');
  const sent = page.waitForRequest(/\/place-order\//);
  await dialog.getByRole('button', { name: 'Confirm Order' }).click();
  const asked = new URL((await sent).url()).searchParams;
  expect(Object.fromEntries(asked)).toEqual({ order_size: size, quoted_price: '0.75' });
  await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
  await expect(cell(rowsOf(page, 'Orders'), 'Error').first()).toHaveText('Price Changed');
});
