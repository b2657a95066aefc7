import { listUsers, updateUser } from '@dutchbook/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { button, field, logIn } from './entry.ts';
import { toast } from './screen.ts';
import { type StartedProduct, startOnServer } from './started-product.ts';

test.use({ signedIn: false });

const PASSWORD = 'a long enough password';

/** Signs up without a pointer. */
async function signUp(page: Page, email: string) {
  for (const [label, typed] of [
    ['Full Name', 'Ada Lovelace'],
    ['Email', email],
    ['Password', PASSWORD],
    ['Confirm Password', PASSWORD],
  ] as const) {
    await tabTo(page, field(page, label));
    await page.keyboard.type(typed);
  }
  await page.keyboard.press('Enter');
}

test('makes an account that logs in, and refuses an email that has one', async ({ page, mayBeRefused }) => {
  mayBeRefused(400);
  const email = 'ada.lovelace@example.com';
  await page.goto('/signup');
  await signUp(page, email);
  await expect(page).toHaveURL('/login');
  await expect(toast(page, 'Success!')).toContainText('Your account was made. Log in with it.');
  await page.goto('/signup');
  await signUp(page, email);
  await expect(toast(page, 'Something went wrong!')).toContainText(
    'The user with this email already exists in the system',
  );
  await expect(field(page, 'Email')).toHaveValue(email);
  await page.goto('/login');
  await logIn(page, { username: email, password: PASSWORD });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Ada Lovelace');
});

test.describe('where sign-up is restricted', () => {
  let approval: StartedProduct;
  let off: StartedProduct;
  test.beforeAll(async () => {
    const start = (policy: string) => startOnServer({ SIGNUP: policy });
    [approval, off] = await Promise.all([start('approval'), start('off')]);
  });
  test.afterAll(() => Promise.all([approval.stop(), off.stop()]));

  test('says that a superuser activates new accounts, or that there are none', async ({ page, mayBeRefused }) => {
    mayBeRefused(400);
    await page.goto(`${off.url}/signup`);
    await expect(page.getByText('New accounts are not open here.')).toBeVisible();
    await expect(button(page, 'Sign Up')).toHaveCount(0);

    const credentials = { username: 'new@example.com', password: PASSWORD };
    await page.goto(`${approval.url}/signup`);
    await expect(page.getByText('A superuser activates each new account')).toBeVisible();
    await signUp(page, credentials.username);
    await expect(toast(page, 'Success!')).toContainText('as soon as a superuser has activated it');
    await expect(page).toHaveURL(`${approval.url}/login`);
    await logIn(page, credentials);
    await expect(toast(page, 'Something went wrong!')).toContainText('Inactive user');
    const { reply } = await approval.caller.call(listUsers, { query: { limit: 1 } });
    const user_id = reply.data[0]?.id ?? '';
    await approval.caller.call(updateUser, { params: { user_id }, body: { is_active: true } });
    await logIn(page, credentials);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Ada Lovelace');
  });
});
