import { expect } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { button, expectLoggedOut, field, logIn, storedToken } from './entry.ts';
import { toast } from './screen.ts';

test.use({ signedIn: false });

const ENTRY = ['/login', '/signup', '/recover-password', '/reset-password', '/reset-password?token=any'];
const DESK = [
  '/',
  '/arbitrage',
  '/batches?page=2',
  '/arbitrage/some-id',
  '/batches/some-id',
  '/batches/some-id/orders',
  '/notifications',
  '/notifications/some-id',
  '/items',
  '/settings',
  '/admin',
  '/admin/system-settings',
];

test('tells a wrong password, keeps what was typed, and leads to sign-up and recovery', async ({
  page,
  product,
  mayBeRefused,
}) => {
  mayBeRefused(400);
  await page.goto('/login');
  await logIn(page, { username: product.credentials.username, password: 'not the password' });
  const said = toast(page, 'Something went wrong!');
  await expect(said).toContainText('Incorrect email or password');
  const { x = 0, y = 0, width = 0 } = (await said.boundingBox()) ?? {};
  expect({ top: y < 100, end: x + width > 1200 }).toEqual({ top: true, end: true });
  await expect(field(page, 'Email')).toHaveValue(product.credentials.username);
  await expectLoggedOut(page);

  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(page).toHaveURL('/recover-password');
  await page.goBack();
  // A field that is left empty says so, and its message does not push the link from under the pointer.
  await field(page, 'Password').focus();
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL('/signup');
});

test('everything but the pages before the login needs a session, and those are closed to who has one', {
  tag: '@journey',
}, async ({ page, product }) => {
  for (const path of DESK) {
    await page.goto(path);
    await expectLoggedOut(page);
  }
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expectLoggedOut(page);
  await page.context().addCookies([{ name: 'proxy', value: 'sticky', url: product.url }]);
  const [opening, reading] = [page.waitForRequest('**/login/access-token'), page.waitForRequest('**/users/me')];
  await logIn(page, product.credentials);
  await expect(page).toHaveURL('/');
  const [opened, read] = [await (await opening).allHeaders(), await (await reading).allHeaders()];
  expect([opened.cookie, read.cookie], 'calls carry what a proxy has set').toEqual(['proxy=sticky', 'proxy=sticky']);
  expect(opened).not.toHaveProperty('authorization');
  expect(read.authorization).toBe(`Bearer ${await storedToken(page)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hi, ${product.credentials.username}`);
  expect(await storedToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  for (const path of ENTRY) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
  }
});

test('a token that the server does not accept ends the session, and says so once', async ({ page, mayBeRefused }) => {
  for (const { token, status } of [
    { token: 'not.a.token', status: 403 },
    { token: '', status: 401 },
  ]) {
    // Whichever of its first calls the page sends before the stream has been refused.
    mayBeRefused(status);
    await page.goto('/login');
    await expect(button(page, 'Log In')).toBeVisible();
    await page.evaluate((stored) => localStorage.setItem('access_token', stored), token);
    await page.goto('/arbitrage');
    await expectLoggedOut(page);
    await expect(toast(page, 'Something went wrong!')).toContainText(
      /Could not validate credentials|Not authenticated/,
    );
    await expect(toast(page, 'Something went wrong!')).toHaveCount(1);
  }
});
