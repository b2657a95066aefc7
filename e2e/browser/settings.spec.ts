/** Tests every sentence of the specification about /settings. */
import { readMe } from '@dutchbook/contract/current-user.ts';
import { expect, type Page } from '@playwright/test';
import { activate, tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { addPerson, type Person, signInAs } from './people.ts';
import { toast } from './screen.ts';

test.use({ signedIn: false });

/** The four tabs of the specification, with the tabs added since between them. */
const TABS = [
  'My profile',
  'Password',
  'Second factor',
  'Sessions',
  'API tokens',
  'Appearance',
  'Notifications',
  'Danger zone',
];

const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function open(page: Page, person: Person, path = '/settings') {
  await signInAs(page, person);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'User Settings' })).toBeVisible();
}

test('has its tabs, the first open and each in the address, and for a superuser no danger zone', async ({
  page,
  product,
  browser,
}) => {
  await open(page, await addPerson(product));
  await expect(page.getByRole('tab')).toHaveText(TABS);
  await expect(tab(page, 'My profile')).toHaveAttribute('aria-selected', 'true');
  for (const [name, sign] of [
    ['Password', 'Current Password'],
    ['Sessions', 'This one'],
    ['API tokens', 'You have no API tokens.'],
    ['Appearance', 'Light Mode'],
    ['Danger zone', 'Delete'],
  ] as const) {
    await tab(page, name).click();
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
    await expect(panel(page, name).getByText(sign, { exact: true })).toBeVisible();
    await page.reload();
    await expect(panel(page, name).getByText(sign, { exact: true })).toBeVisible();
  }
  const address = page.url();

  const theirs = await browser.newContext();
  const superuser = await theirs.newPage();
  await open(superuser, await addPerson(product, { is_superuser: true }), address);
  await expect(superuser.getByRole('tab')).toHaveText([...TABS.slice(0, -1), 'Telegram']);
  await expect(panel(superuser, 'My profile')).toBeVisible();
  await expect(button(superuser, 'Delete')).toHaveCount(0);
  await theirs.close();
});

test('shows the profile, edits it, and the top bar and the greeting follow', async ({ page, product }) => {
  const person = await addPerson(product);
  await open(page, person);
  const profile = panel(page, 'My profile');
  await expect(profile.getByText('N/A', { exact: true })).toBeVisible();
  await expect(profile.getByText(person.user.email, { exact: true })).toBeVisible();
  await expect(button(page, 'Save')).toHaveCount(0);
  await button(page, 'Edit').click();
  await expect(field(page, 'Email')).toHaveValue(person.user.email);
  await expect(button(page, 'Save')).toBeDisabled();
  await field(page, 'Full name').pressSequentially('Ada');
  await expect(button(page, 'Save')).toBeEnabled();
  await field(page, 'Full name').fill('');
  await expect(button(page, 'Save')).toBeDisabled();
  await field(page, 'Full name').fill('Ada Lovelace');
  await button(page, 'Cancel').click();
  await expect(profile.getByText('N/A', { exact: true })).toBeVisible();
  await expect(button(page, 'Edit')).toBeFocused();

  await button(page, 'Edit').click();
  await expect(field(page, 'Full name')).toHaveValue('');
  await field(page, 'Full name').fill('Ada Lovelace');
  const email = person.user.email.replace('person', 'ada');
  await field(page, 'Email').fill(email);
  await button(page, 'Save').click();
  await expect(toast(page, 'Success!')).toContainText('User updated successfully.');
  await expect(profile.getByText('Ada Lovelace', { exact: true })).toBeVisible();
  await expect(profile.getByText(email, { exact: true })).toBeVisible();
  await expect(page.getByTestId('user-menu')).toHaveText('Ada Lovelace');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hi, Ada Lovelace');
});

test('says what is wrong with a profile, before it is sent and after', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(409);
  mayBeRefused(422);
  await open(page, await addPerson(product, { full_name: 'Grace' }));
  await button(page, 'Edit').click();
  await field(page, 'Email').fill('');
  await expect(button(page, 'Save')).toBeDisabled();
  await field(page, 'Full name').fill('x'.repeat(31));
  await expect(page.getByText('Email is required')).toHaveCount(1);
  await expect(button(page, 'Save')).toBeDisabled();
  await field(page, 'Email').fill('nobody');
  await expect(page.getByText('Full Name must be at most 30 characters')).toHaveCount(1);
  await expect(page.getByText('Email is required')).toHaveCount(0);
  await button(page, 'Save').click();
  await expect(page.getByText('Invalid email address')).toHaveCount(1);
  await field(page, 'Full name').fill('x'.repeat(30));
  await field(page, 'Email').fill(product.credentials.username);
  await button(page, 'Save').click();
  await expect(toast(page, 'Something went wrong!')).toContainText('User with this email already exists');
  await expect(field(page, 'Full name')).toHaveValue('x'.repeat(30));
  const detail = [{ loc: ['body', 'email'], msg: 'No account may have this one', type: 'value_error', input: '' }];
  await page.route('**/api/v1/users/me', (route) => route.fulfill({ status: 422, json: { detail } }));
  await button(page, 'Save').click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('No account may have this one');
  await expect(field(page, 'Email')).toBeFocused();
  await expect(toast(page, 'No account may have this one')).toContainText('Something went wrong!');
  await tab(page, 'Password').click();
  await tab(page, 'My profile').click();
  await expect(field(page, 'Full name')).toHaveValue('x'.repeat(30));
});

test('changes the password, measures the new one, and the session goes on', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(400);
  const person = await addPerson(product);
  const { password } = person.credentials;
  await open(page, person);
  await tab(page, 'Password').click();
  const [current, chosen, repeated] = ['Current Password', 'New Password', 'Confirm Password'].map((name) =>
    page.getByPlaceholder(name, { exact: true }),
  );
  if (!current || !chosen || !repeated) throw new Error('a field is missing');
  const save = button(page, 'Save');
  const strength = page.getByRole('status', { name: 'Password strength' });
  await expect(save).toBeDisabled();
  await current.focus();
  await chosen.focus();
  await expect(page.getByText('Password is required')).toHaveCount(1);
  await current.fill(password);
  await chosen.fill('short');
  await expect(strength).toHaveText('Low');
  await repeated.focus();
  await expect(page.getByText('Password must be at least 8 characters')).toHaveCount(1);
  await repeated.blur();
  await expect(page.getByText('Password confirmation is required')).toHaveCount(1);
  await chosen.fill('longer password');
  await expect(strength).toHaveText('Medium');
  await repeated.fill('another password');
  await repeated.blur();
  await expect(page.getByText('The passwords do not match')).toHaveCount(1);
  await expect(save).toBeDisabled();
  await chosen.fill('Longer password 1!');
  await expect(strength).toHaveText('High');
  await repeated.fill('Longer password 1');
  await expect(save).toBeDisabled();
  await repeated.press('!');
  await expect(save).toBeEnabled();
  await panel(page, 'Password').getByRole('button', { name: 'Show what is typed' }).nth(1).click();
  await expect(chosen).toHaveAttribute('type', 'text');

  await current.fill('not my password');
  await save.click();
  await expect(toast(page, 'Incorrect password')).toContainText('Something went wrong!');
  await current.fill(password);
  await chosen.fill(password);
  await repeated.fill(password);
  await save.click();
  await expect(toast(page, 'New password cannot be the same as the current one')).toBeVisible();
  await chosen.fill('Longer password 1!');
  await repeated.fill('Longer password 1!');
  await save.click();
  await expect(toast(page, 'Success!')).toContainText('Password updated successfully.');
  for (const emptied of [current, chosen, repeated]) await expect(emptied).toHaveValue('');
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(panel(page, 'Password')).toBeVisible();
  await expect(page.getByTestId('user-menu')).toHaveText(person.user.email);
});

test('switches light and dark at once, remembers it in this browser, and follows the system by default', async ({
  page,
  product,
  mayBeRefused,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, await addPerson(product), '/settings?tab=appearance');
  const choice = (name: string) => page.locator('label').filter({ hasText: name });
  const stored = () => page.evaluate(() => localStorage.getItem('theme'));
  const html = page.locator('html');
  await expect(page.getByRole('radio')).toHaveCount(3);
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();
  await expect(html).toHaveClass('dark');
  for (const [name, theme] of [
    ['Light Mode', 'light'],
    ['Dark Mode', 'dark'],
  ] as const) {
    await choice(name).click();
    expect(await html.getAttribute('class')).toBe(theme);
    expect(await stored()).toBe(theme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Dark Mode' })).toBeChecked();
  await expect(html).toHaveClass('dark');
  await choice('System').click();
  expect(await html.getAttribute('class')).toBe('light');
  expect(await stored()).toBe('system');

  // The page sets the theme before its first paint, without any script of the application.
  mayBeRefused('without an answer');
  await choice('Dark Mode').click();
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect(html).toHaveClass('dark');
});

test('deletes the account once that is confirmed, and logs out', async ({ page, product }) => {
  const person = await addPerson(product);
  await open(page, person);
  await tab(page, 'Danger zone').click();
  await button(page, 'Delete').click();
  const dialog = page.getByRole('dialog', { name: 'Confirmation Required' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Delete')).toBeFocused();
  expect((await person.caller.call(readMe)).status).toBe(200);
  await button(page, 'Delete').click();
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(toast(page, 'Success!')).toContainText('Your account has been successfully deleted');
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  await expect(toast(page, 'Something went wrong!')).toHaveCount(0);
  expect((await person.caller.call(readMe)).detail).toBe('Could not validate credentials');
});

test('goes from tab to tab, edits the profile and picks a theme without a pointer', async ({ page, product }) => {
  await open(page, await addPerson(product, { full_name: 'Grace' }));
  await activate(page, button(page, 'Edit'));
  await expect(field(page, 'Full name')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(' Hopper');
  await activate(page, button(page, 'Save'));
  await expect(panel(page, 'My profile').getByText('Grace Hopper', { exact: true })).toBeVisible();
  await expect(button(page, 'Edit')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(tab(page, 'My profile')).toBeFocused();
  for (const _ of ['Password', 'Second factor', 'Sessions', 'API tokens', 'Appearance'])
    await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Appearance')).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, panel(page, 'Appearance').getByRole('radio', { checked: true }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('html')).toHaveClass('dark');
});
