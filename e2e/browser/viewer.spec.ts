/** A viewer, who may look and change nothing: made by a superuser, shown all that happens, refused with the reason. */
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { expect, type Page } from '@playwright/test';
import { signedInCaller } from '../product/product.ts';
import { test } from './browser.fixture.ts';
import { bought } from './placed-batch.ts';
import { cell, rowsOf } from './screen.ts';
import { signIn } from './sign-in.ts';

const LOOKS_ONLY = 'Viewers can look, but not change anything.';
const CREDENTIALS = { username: 'viewer@example.com', password: 'a long enough password' };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page) => rowsOf(page, 'Users').filter({ hasText: CREDENTIALS.username });

async function addViewer(page: Page): Promise<void> {
  await page.goto('/admin');
  await button(page, 'Add User').click();
  const form = page.getByRole('dialog', { name: 'Add User' });
  await form.getByPlaceholder('Email').fill(CREDENTIALS.username);
  for (const field of await form.getByPlaceholder('Password').all()) await field.fill(CREDENTIALS.password);
  await form.getByRole('checkbox', { name: 'Is viewer?' }).check();
  await expect(form.getByRole('checkbox', { name: 'Is superuser?' })).toBeDisabled();
  await form.getByRole('checkbox', { name: 'Is active?' }).check();
  await button(page, 'Save').click();
  await expect(cell(rowOf(page), 'Role')).toHaveText('Viewer');
}

async function makeOperator(page: Page): Promise<void> {
  await rowOf(page).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Edit User' }).click();
  await page.getByRole('checkbox', { name: 'Is viewer?' }).uncheck();
  await button(page, 'Save').click();
  await expect(cell(rowOf(page), 'Role')).toHaveText('User');
}

test('a viewer sees an opportunity and a batch, places nothing and reads why, until a superuser lets them', async ({
  page,
  product,
  set,
  browser,
}) => {
  const batch = await bought(product, set);
  await addViewer(page);

  const theirs = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const viewer = await theirs.newPage();
  await signIn(viewer, { ...product, credentials: CREDENTIALS });
  await viewer.goto(`${product.url}/arbitrage/${set.opportunityId}`);
  await expect(viewer.getByText(LOOKS_ONLY)).toBeVisible();
  await expect(button(viewer, 'Place Order')).toBeDisabled();
  await expect(button(viewer, 'Place Order')).toHaveAccessibleDescription(LOOKS_ONLY);
  for (const name of ['Check Prices', 'Edit', 'Delete']) await expect(button(viewer, name)).toBeDisabled();
  await button(viewer, 'Simulate Order').click();
  await expect(viewer.getByRole('dialog', { name: 'Simulate Order' }).getByText('Total Cost')).toBeVisible();
  await viewer.keyboard.press('Escape');

  await viewer.goto(`${product.url}/batches/${batch.id}`);
  await expect(rowsOf(viewer, 'Orders')).toHaveCount(3);
  const sale = button(viewer, 'Sell All Orders');
  await expect(sale).toBeDisabled();
  await expect(viewer.getByRole('group', { name: LOOKS_ONLY }).filter({ has: sale })).toHaveAttribute(
    'title',
    LOOKS_ONLY,
  );
  // A call past the page is refused in the same words, and the session goes on.
  const caller = await signedInCaller(product.url, CREDENTIALS);
  const placing = { params: { opportunity_id: set.opportunityId }, query: {} };
  expect(await caller.call(placeOrder, placing)).toMatchObject({ status: 409, detail: LOOKS_ONLY });

  await makeOperator(page);
  await viewer.reload();
  await expect(sale).toBeEnabled();
  await expect(viewer.getByText(LOOKS_ONLY)).toHaveCount(0);
  await theirs.close();
});
