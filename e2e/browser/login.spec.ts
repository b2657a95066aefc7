import { expect, type Page } from '@playwright/test';
import { test } from './desk-test.ts';
import { toast } from './screen.ts';

test.use({ signedIn: false });

const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const logIn = (page: Page) => page.getByRole('button', { name: 'Log In' });

async function storedToken(page: Page): Promise<string | undefined> {
  const { origins } = await page.context().storageState();
  return origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'access_token')?.value;
}

async function expectLoggedOut(page: Page) {
  await expect(page).toHaveURL('/login');
  await expect(logIn(page)).toBeVisible();
  expect(await storedToken(page)).toBeUndefined();
}

test('leads to the login whoever has no session, from every page of the desk', async ({ page }) => {
  for (const path of ['/', '/arbitrage', '/batches?page=2', '/arbitrage/some-id', '/batches/some-id']) {
    await page.goto(path);
    await expectLoggedOut(page);
  }
});

test('says once what is wrong with a field when it is left', async ({ page }) => {
  await page.goto('/login');
  await email(page).focus();
  await password(page).focus();
  await expect(page.getByText('Username is required')).toHaveCount(1);
  await email(page).focus();
  await expect(page.getByText('Password is required')).toHaveCount(1);
  await email(page).fill('nobody');
  await email(page).blur();
  await expect(page.getByText('Invalid email address')).toHaveCount(1);
  await expect(page.getByText('Username is required')).toHaveCount(0);
  await email(page).fill('nobody@example.com');
  await email(page).blur();
  await expect(page.getByText('Invalid email address')).toHaveCount(0);
});

test('says what is missing when an empty form is sent, and goes to the first such field', async ({ page }) => {
  await page.goto('/login');
  await expect(logIn(page)).toBeEnabled();
  await logIn(page).click();
  await expect(page.getByText('Username is required')).toHaveCount(1);
  await expect(page.getByText('Password is required')).toHaveCount(1);
  await expect(email(page)).toBeFocused();
});

test('tells a wrong password, and keeps what was typed', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(400);
  await page.goto('/login');
  await email(page).fill(product.credentials.username);
  await password(page).fill('not the password');
  await logIn(page).click();
  await expect(toast(page, 'Something went wrong!')).toContainText('Incorrect email or password');
  await expect(email(page)).toHaveValue(product.credentials.username);
  await expectLoggedOut(page);
});

test('shows a password on request', async ({ page }) => {
  await page.goto('/login');
  await password(page).fill('open sesame');
  await expect(password(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show what is typed' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
});

test('keeps the session until it is ended, and then everything is behind the login again', async ({
  page,
  product,
}) => {
  await page.goto('/login');
  await email(page).fill(product.credentials.username);
  await password(page).fill(product.credentials.password);
  await logIn(page).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hi, ${product.credentials.username}`);
  expect(await storedToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

  await page.goto('/login');
  await expect(page).toHaveURL('/');

  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expectLoggedOut(page);
  await page.goto('/arbitrage');
  await expectLoggedOut(page);
});

for (const { what, token, status } of [
  { what: 'a token the server does not accept', token: 'not.a.token', status: 403 },
  { what: 'an empty token', token: '', status: 401 },
]) {
  test(`ends the session of ${what}`, async ({ page, mayBeRefused }) => {
    mayBeRefused(status);
    await page.goto('/login');
    await expect(logIn(page)).toBeVisible();
    await page.evaluate((stored) => localStorage.setItem('access_token', stored), token);
    const refused = page.waitForResponse((response) => response.status() === status);
    await page.goto('/arbitrage');
    await refused;
    await expectLoggedOut(page);
  });
}

test('an unknown address leads to a page that says so, and back', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('404', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
  await expect(page.getByText('The page you are looking for was not found.')).toBeVisible();
  const back = page.getByRole('link', { name: 'Go Back' });
  await expect(back).toHaveAttribute('href', '/');
  await back.click();
  await expect(page).toHaveURL('/login');
});
