/** What stands around every page: the entries, the menus, the way out, and the page for what is not there. */
import { expect, type Page } from '@playwright/test';
import { PHONE } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { expectLoggedOut } from './entry.ts';
import { addPerson, signInAs } from './people.ts';
import { toast } from './screen.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const ENTRIES = [
  'Dashboard',
  'Arbitrage',
  'Discover',
  'Batch Orders',
  'Orders',
  'Portfolio',
  'Report',
  'Ledger',
  'Notifications',
  'Items',
  'Settings',
];
const ADD_CODE = /\/assets\/add-opportunity-dialog-[\w-]+\.js(\?|$)/;

test('leads everywhere from the sidebar, and superusers to the administration', async ({ page, product }) => {
  await page.goto('/');
  const entries = navigation(page).getByRole('link');
  await expect(entries).toHaveText([...ENTRIES, 'Admin']);
  for (const [entry, address] of [
    ['Arbitrage', '/arbitrage'],
    ['Discover', '/discover'],
    ['Batch Orders', '/batches'],
    ['Portfolio', '/portfolio'],
    ['Report', '/report'],
    ['Ledger', '/ledger'],
    ['Notifications', '/notifications'],
    ['Items', '/items'],
    ['Settings', '/settings'],
    ['Admin', '/admin'],
    ['Dashboard', '/'],
  ] as const) {
    await entries.filter({ hasText: entry }).click();
    await expect(page).toHaveURL(address);
    await expect(entries.filter({ hasText: entry })).toHaveAttribute('aria-current', 'page');
  }
  const person = await addPerson(product);
  await page.evaluate((token) => localStorage.setItem('access_token', token), person.caller.token);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hi, ${person.user.email}`);
  await expect(entries).toHaveText(ENTRIES);
});

test('opens the profile and logs out from the user menu, and in every other tab', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  await signInAs(page, await addPerson(product));
  await page.goto('/');
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page).toHaveURL('/settings');
  const other = await page.context().newPage();
  await other.goto('/arbitrage');
  await expect(other.getByRole('heading', { name: 'Arbitrage Opportunities' })).toBeVisible();
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expectLoggedOut(page);
  await expectLoggedOut(other);
  await page.goto('/arbitrage');
  await expectLoggedOut(page);
});

test('on a phone a drawer says who is logged in, and leads on', async ({ page, product }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/');
  await expect(navigation(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Disarm' })).toBeVisible();
  const { height } = (await page.getByRole('banner').boundingBox()) ?? {};
  expect(height, 'the top bar takes two rows').toBeLessThan(85);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(drawer.getByText(`Logged in as ${product.credentials.username}`)).toBeVisible();
  await expect(drawer.getByRole('link')).toHaveText([...ENTRIES, 'Admin']);
  await drawer.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');
  await expect(drawer).toBeHidden();
});

test('an unknown address leads to a page that says so, and back', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('404', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
  await expect(page.getByText('The page you are looking for was not found.')).toBeVisible();
  const back = page.getByRole('link', { name: 'Go Back' });
  await expect(back).toHaveAttribute('href', '/');
  await back.click();
  await expect(page).toHaveURL('/');
});

test('a tab that was open over an update loads the new page, and no other reloads', async ({ page, mayBeRefused }) => {
  mayBeRefused(404);
  await page.goto('/');
  await expect(navigation(page).getByRole('link', { name: 'Admin' })).toBeVisible();
  let isMissing = true;
  await page.route(/\/assets\/items-[\w-]+\.js(\?|$)/, (route) =>
    isMissing ? route.fulfill({ status: 404 }) : route.continue(),
  );
  const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/');
  const items = navigation(page).getByRole('link', { name: 'Items' });
  await items.click();
  await expect(page).toHaveURL('/items');
  expect(await (await asked).text()).toContain('/assets/index-');
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute('data-before', 'yes'));
  await navigation(page).getByRole('link', { name: 'Arbitrage' }).click();
  const add = page.getByRole('button', { name: 'Add Opportunity' });
  await page.route(ADD_CODE, (route) => route.fulfill({ status: 404 }));
  await add.click();
  await expect(toast(page, 'This part of the page could not be loaded.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Arbitrage Opportunities' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-before', 'yes');

  await page.route('/', (route) => {
    isMissing = false;
    return route.fulfill({
      contentType: 'text/html',
      body: '<script src="/assets/index-of-another-build.js"></script>',
    });
  });
  await items.click();
  await expect(page.locator('html')).not.toHaveAttribute('data-before', 'yes');
  await items.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Items Management');
});

test('on paper stands what is to be read, and nothing that is pressed', async ({ page, set }) => {
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  for (const path of [
    '/',
    '/arbitrage',
    `/arbitrage/${set.opportunityId}`,
    '/batches',
    '/orders',
    '/portfolio',
    '/notifications',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(navigation(page)).toBeHidden();
    await expect(
      page.getByRole('button', { name: /^(Add Opportunity|Place Order|Export CSV|View|Apply)$/ }),
    ).toHaveCount(0);
    await expect(page.locator('h1')).toHaveCSS('color', 'rgb(0, 0, 0)');
  }
  await page.goto('/arbitrage');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Actions' })).toHaveCount(0);
});
