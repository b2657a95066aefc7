import { type Batch, listBatches } from '@dutchbook/contract/batches.ts';
import { placeOrder } from '@dutchbook/contract/opportunities.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect } from '@playwright/test';
import { eventually } from '../world/eventually.ts';
import { activate, expectAccessible, expectAccessibleEverywhere, PHONE, tabTo } from './accessibility.ts';
import { test } from './desk-test.ts';
import { cell, rowsOf } from './screen.ts';
import type { StartedProduct } from './started-product.ts';

/** Buys 12 sets of the opportunity and answers the batch once it has come to rest. */
async function bought({ caller }: StartedProduct, opportunityId: string): Promise<Batch> {
  const params = { opportunity_id: opportunityId };
  const placed = await caller.call(placeOrder, { params, query: { order_size: sharesFromNumber(12) } });
  expect(placed.detail).toBe('');
  return await eventually('the batch completed', async () => {
    const { reply } = await caller.call(listBatches, { query: { opportunity_id: opportunityId } });
    return reply.data.find(({ is_active }) => !is_active) ?? null;
  });
}

test('every page is accessible in light and dark, on a desk and on a phone', async ({
  page,
  product,
  set,
  mayBeRefused,
}) => {
  mayBeRefused(404);
  const batch = await bought(product, set.opportunityId);
  for (const [path, sign] of [
    ['/', 'Welcome back'],
    ['/arbitrage', '0.7500'],
    ['/arbitrage?active=false', 'No arbitrage opportunities found.'],
    [`/arbitrage/${set.opportunityId}`, 'Blockers'],
    ['/batches', '3/3'],
    [`/batches/${batch.id}`, '12.00 / 12.00'],
    ['/batches/none', 'Error loading batch'],
    ['/notifications', 'The profit has come up to'],
    ['/no/such/page', 'Oops!'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(sign).first()).toBeVisible();
    // The tests ask for reduced motion.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length), `${path} moves`).toBe(0);
    await expectAccessibleEverywhere(page, path);
  }
});

test('dialogs, menus and the drawer are accessible in light and dark', async ({ page, set }) => {
  await page.goto('/arbitrage');
  await page.getByTestId('user-menu').click();
  await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible();
  await expectAccessible(page, 'user menu');
  await page.keyboard.press('Escape');
  await rowsOf(page, 'Arbitrage Opportunities').first().getByRole('button').last().click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await expectAccessible(page, 'row menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await expect(page.getByRole('dialog', { name: 'Import CSV' })).toBeVisible();
  await expectAccessible(page, 'import dialog');
  await page.goto(`/arbitrage/${set.opportunityId}`);
  for (const title of ['Simulate Order', 'Place Order']) {
    await page.getByRole('button', { name: title }).click();
    const planned = page.getByRole('dialog', { name: title }).getByRole('table').locator('tbody tr');
    await expect(planned).toHaveCount(3);
    await expectAccessibleEverywhere(page, `${title} dialog`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByText('Logged in as admin@example.com')).toBeVisible();
  await expectAccessible(page, 'drawer');
});

test.describe('without a session', () => {
  test.use({ signedIn: false });

  test('the pages before the login are accessible in light and dark, with messages and on a phone', async ({
    page,
  }) => {
    for (const [path, button, problem] of [
      ['/login', 'Log In', 'Username is required'],
      ['/signup', 'Sign Up', 'Full Name is required'],
      ['/recover-password', 'Continue', 'Email is required'],
      ['/reset-password?token=invalid', 'Reset Password', 'Password is required'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: button }).click();
      await expect(page.getByText(problem, { exact: true })).toBeVisible();
      await expectAccessibleEverywhere(page, `${path} with messages`);
    }
    await page.goto('/reset-password');
    await expect(page.getByRole('link', { name: 'Ask for a New Email' })).toBeVisible();
    await expectAccessible(page, 'a useless link');
  });

  test('an operator signs in, opens an opportunity, simulates and places it without a pointer', async ({
    page,
    product,
    set,
  }) => {
    await page.goto('/login');
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(product.credentials.username);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(product.credentials.password);
    await page.keyboard.press('Enter');
    await activate(page, page.getByRole('navigation').getByRole('link', { name: 'Arbitrage' }));
    await activate(page, page.getByTitle(set.opportunityId, { exact: true }));

    const simulate = page.getByRole('button', { name: 'Simulate Order' });
    await activate(page, simulate);
    const simulation = page.getByRole('dialog', { name: 'Simulate Order' });
    await expect(simulation.getByLabel('Order Size')).toBeFocused();
    await expect(simulation.getByRole('table')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(simulate).toBeFocused();

    await activate(page, page.getByRole('button', { name: 'Place Order' }));
    const ticket = page.getByRole('dialog', { name: 'Place Order' });
    await expect(ticket.getByLabel('Order Size')).toBeFocused();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await expect(ticket.getByText('12.00 sh')).toBeVisible();
    await activate(page, ticket.getByRole('button', { name: 'Confirm Order' }));
    await expect(page).toHaveURL(/\/batches\/[0-9a-f-]{36}$/);
    await expect(cell(rowsOf(page, 'Orders'), 'Status')).toContainText(['Filled', 'Filled', 'Filled']);
  });
});
