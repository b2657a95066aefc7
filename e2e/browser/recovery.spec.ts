import { readMe } from '@dutchbook/contract/current-user.ts';
import { expect } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { button, field, logIn } from './entry.ts';
import { linkMailedTo } from './kept-mail.ts';
import { addPerson } from './people.ts';
import { toast } from './screen.ts';

test.use({ signedIn: false });

const SENT = 'Password recovery email sent successfully.';

test('answers the same for an email with an account and for one without', async ({ page, product }) => {
  const person = await addPerson(product);
  const shown: (string | null)[] = [];
  for (const email of ['nobody@example.com', person.user.email]) {
    await page.goto('/recover-password');
    await field(page, 'Email').fill(email);
    await button(page, 'Continue').click();
    await expect(toast(page, 'Success!')).toContainText(SENT);
    const answer = page.getByText('If that email has an account');
    await expect(answer).toBeVisible();
    shown.push(await answer.textContent());
  }
  expect(shown[0]).toBe(shown[1]);
});

test('sets a new password once, with the link of the mail', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(400);
  const { user, credentials, caller } = await addPerson(product);
  await page.goto('/recover-password');
  await field(page, 'Email').fill(user.email);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Success!')).toContainText(SENT);
  const link = await linkMailedTo(user.email, product);
  expect(new URL(link).origin).toBe(product.url);

  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  await expect(page).toHaveURL('/reset-password');
  const password = 'another long password';
  await field(page, 'New Password').fill(password);
  await field(page, 'Confirm Password').fill(password);
  await field(page, 'Confirm Password').press('Enter');
  await expect(toast(page, 'Success!')).toContainText('Password updated successfully.');
  await expect(page).toHaveURL('/login');
  expect((await caller.call(readMe)).status).toBe(403);

  await logIn(page, credentials);
  await expect(toast(page, 'Incorrect email or password')).toBeVisible();
  await field(page, 'Password').fill(password);
  await button(page, 'Log In').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hi, ${user.email}`);
  // The way back leads past the link, which is nowhere in the history.
  await page.goBack();
  await page.goBack();
  expect(page.url()).not.toContain('token');
});

test('leads to a new mail where the link has no token or one that does not work', async ({ page, mayBeRefused }) => {
  mayBeRefused(400);
  const again = page.getByRole('link', { name: 'Ask for a New Email' });
  await page.goto('/reset-password?token=invalid');
  await field(page, 'New Password').fill('another long password');
  await field(page, 'Confirm Password').fill('another long password');
  await button(page, 'Reset Password').click();
  await expect(toast(page, 'Something went wrong!')).toContainText('Invalid token');
  await expect(again).toBeVisible();
  await page.goto('/reset-password');
  await expect(button(page, 'Reset Password')).toHaveCount(0);
  await again.click();
  await expect(page).toHaveURL('/recover-password');
});
