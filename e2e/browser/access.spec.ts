import { expect } from '@playwright/test';
import { activate, tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { cell, rowsOf } from './screen.ts';

test.use({ signedIn: false });

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
