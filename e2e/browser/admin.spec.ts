import { createUser, deleteUser, listUsers, readUser, updateUser } from '@dutchbook/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { signedInCaller } from '../product/product.ts';
import { activate, tabTo } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { addPerson, signInAs } from './people.ts';
import { cell, rowsOf, toast } from './screen.ts';

const PASSWORD = 'a long enough password';

const users = (page: Page) => rowsOf(page, 'Users');
const rowOf = (page: Page, email: string) => users(page).filter({ hasText: email });
const menuOf = (page: Page, email: string) => rowOf(page, email).getByRole('button').last();
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });
const save = (page: Page) => page.getByRole('button', { name: 'Save' });

async function chooseOf(page: Page, email: string, action: 'Edit User' | 'Delete User') {
  await menuOf(page, email).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('leads an ordinary user away, or denies access, without one superuser’s call', async ({ page, product }) => {
  await signInAs(page, await addPerson(product));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/admin');
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Welcome back')).toBeVisible();
  await page.goto('/admin/system-settings');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByText('You need superuser privileges to access this page.')).toBeVisible();
  await expect(page.getByTestId('user-menu')).toBeVisible();
  expect(asked).toContain('/api/v1/users/me');
  expect(asked.filter((path) => /^\/api\/v1\/(users\/$|audit-log|system-settings)/.test(path))).toEqual([]);
});

test('lists five users a page, newest first, and marks the own row', async ({ page, product: { caller } }) => {
  for (const [index, is_superuser] of [false, false, false, false, true, false].entries()) {
    const named = index === 5 ? {} : { full_name: `Listed ${index}` };
    const body = { email: `listed-${index}@example.com`, password: PASSWORD, is_superuser, ...named };
    expect((await caller.call(createUser, { body })).detail).toBe('');
  }
  await page.goto('/admin/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users Management');
  await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('columnheader')).toHaveText(['Full name', 'Email', 'Role', 'Status', 'Actions']);
  await expect(users(page)).toHaveCount(5);
  await expect(cell(users(page), 'Email')).toHaveText([5, 4, 3, 2, 1].map((index) => `listed-${index}@example.com`));
  await expect(cell(users(page), 'Full name').first()).toHaveText('N/A');
  await expect(cell(users(page), 'Role')).toHaveText(['User', 'Superuser', 'User', 'User', 'User']);
  await expect(cell(users(page), 'Status').first()).toHaveText('Inactive');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL('/admin?page=2');
  await expect(cell(users(page), 'Email').first()).toHaveText('listed-0@example.com');
  await page.goto('/admin?page=nonsense');
  await expect(cell(users(page), 'Email').first()).toHaveText('listed-5@example.com');

  // The first superuser came first, so stands last.
  await page.goto('/admin?page=9999');
  const own = users(page).filter({ hasText: 'You' });
  await expect(cell(own, 'Email')).toHaveText('admin@example.com');
  await expect(cell(own, 'Status')).toHaveText('Active');
  await expect(own.getByRole('button').last()).toBeDisabled();
  await page.getByRole('link', { name: 'System Settings' }).click();
  await expect(page).toHaveURL('/admin/system-settings');
});

test('adds a user once, after saying what is wrong', async ({ page, mayBeRefused }) => {
  mayBeRefused(400);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
  await page.goto('/admin?page=2');
  await page.getByRole('button', { name: 'Add User' }).click();
  const form = dialog(page, 'Add User');
  await expect(form.getByRole('checkbox', { name: 'Is superuser?' })).not.toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'Is active?' })).not.toBeChecked();
  await save(page).click();
  for (const said of ['Email is required', 'Password is required', 'Please confirm your password'])
    await expect(page.getByText(said)).toHaveCount(1);
  await expect(form.getByLabel('Email')).toBeFocused();

  const passwords = form.getByPlaceholder('Password');
  for (const [field, typed, said] of [
    [form.getByPlaceholder('Email'), 'nobody', 'Invalid email address'],
    [passwords.first(), 'short', 'Password must be at least 8 characters'],
    [passwords.last(), 'another', 'The passwords do not match'],
  ] as const) {
    await field.fill(typed);
    await field.blur();
    await expect(page.getByText(said)).toHaveCount(1);
  }
  await expect(form.getByRole('status', { name: 'Password strength' })).toHaveText('Low');
  expect(sent).toEqual([]);

  await form.getByPlaceholder('Email').fill('admin@example.com');
  await form.getByPlaceholder('Full name').fill('Ann Added');
  await passwords.first().fill(PASSWORD);
  await passwords.last().fill(PASSWORD);
  await save(page).click();
  await expect(toast(page, 'The user with this email already exists in the system.')).toBeVisible();
  await form.getByPlaceholder('Email').fill('added@example.com');
  await save(page).dblclick();
  await expect(toast(page, 'User created successfully.')).toContainText('Success!');
  await expect(form).toBeHidden();
  await expect(page).toHaveURL('/admin');
  await expect(rowOf(page, 'added@example.com')).toContainText('Ann Added');
  await expect(cell(rowOf(page, 'added@example.com'), 'Status')).toHaveText('Inactive');
  expect(sent).toHaveLength(2);
});

test('edits a user, and sends a password only where one is given', async ({ page, product }) => {
  const person = await addPerson(product, { full_name: 'Ed Before' });
  const { username: email } = person.credentials;
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postData() ?? ''));
  await page.goto('/admin');
  await chooseOf(page, email, 'Edit User');
  const form = dialog(page, 'Edit User');
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.getByLabel('Full name')).toHaveValue('Ed Before');
  await expect(form.getByRole('checkbox', { name: 'Is active?' })).toBeChecked();
  for (const [typed, said] of [
    ['', 'Email is required'],
    ['nobody', 'Invalid email address'],
  ] as const) {
    await form.getByLabel('Email').fill(typed);
    await form.getByLabel('Email').blur();
    await expect(page.getByText(said)).toHaveCount(1);
  }
  const passwords = form.getByPlaceholder('Password');
  await passwords.first().fill('short');
  await passwords.first().blur();
  await expect(page.getByText('Password must be at least 8 characters')).toHaveCount(1);
  await passwords.first().fill('a brand new password');
  await passwords.last().fill('something else');
  await save(page).click();
  await expect(page.getByText('The passwords do not match')).toHaveCount(1);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toBeHidden();
  await expect(menuOf(page, email)).toBeFocused();
  expect(sent).toEqual([]);

  await chooseOf(page, email, 'Edit User');
  await expect(passwords.first()).toHaveValue('');
  await form.getByLabel('Full name').fill('Ed After');
  await form.getByRole('checkbox', { name: 'Is superuser?' }).check();
  await save(page).click();
  await expect(toast(page, 'User updated successfully.')).toContainText('Success!');
  await expect(rowOf(page, email)).toContainText('Ed After');
  await expect(cell(rowOf(page, email), 'Role')).toHaveText('Superuser');
  expect(sent.join()).not.toContain('password');

  await chooseOf(page, email, 'Edit User');
  await passwords.first().fill('a brand new password');
  await passwords.last().fill('a brand new password');
  await save(page).click();
  await expect(form).toBeHidden();
  await signedInCaller(product.url, { username: email, password: 'a brand new password' });
  await product.caller.call(deleteUser, { params: { user_id: person.user.id } });
});

test('an edit leaves alone what another user has changed meanwhile', async ({ page, product }) => {
  const { caller } = product;
  const { user } = await addPerson(product, { full_name: 'Ed Before' });
  await page.goto('/admin');
  await chooseOf(page, user.email, 'Edit User');
  const form = dialog(page, 'Edit User');
  await expect(form.getByRole('checkbox', { name: 'Is active?' })).toBeChecked();
  await expect(save(page), 'nothing is changed').toBeDisabled();
  const params = { user_id: user.id };
  await caller.call(updateUser, { params, body: { is_active: false } });
  await form.getByLabel('Full name').fill('Ed After');
  await save(page).click();
  await expect(cell(rowOf(page, user.email), 'Full name')).toHaveText('Ed After');
  await expect(cell(rowOf(page, user.email), 'Status')).toHaveText('Inactive');
  expect((await caller.call(readUser, { params })).reply).toMatchObject({ full_name: 'Ed After', is_active: false });
});

test('deletes a user, but only once that is confirmed', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(404);
  const { user } = await addPerson(product, { full_name: 'Dee Leted' });
  const other = await addPerson(product);
  await page.goto('/admin');
  await chooseOf(page, user.email, 'Delete User');
  const question = dialog(page, 'Delete User');
  await expect(question).toContainText(`Dee Leted (${user.email}) and all of their items will be deleted`);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(rowOf(page, user.email)).toHaveCount(1);
  await chooseOf(page, user.email, 'Delete User');
  await question.getByRole('button', { name: 'Delete' }).dblclick();
  await expect(toast(page, 'The user was deleted successfully')).toContainText('Success!');
  await expect(rowOf(page, user.email)).toHaveCount(0);
  expect((await product.caller.call(readUser, { params: { user_id: user.id } })).detail).toBe('User not found');

  await chooseOf(page, other.user.email, 'Delete User');
  await product.caller.call(deleteUser, { params: { user_id: other.user.id } });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'An error occurred while deleting the user')).toContainText('User not found');
});

test('adds, edits and deletes a user without a pointer', async ({ page, product: { caller } }) => {
  await page.goto('/admin');
  const add = page.getByRole('button', { name: 'Add User' });
  await activate(page, add);
  const form = dialog(page, 'Add User');
  await expect(form.getByLabel('Email')).toBeFocused();
  await page.keyboard.type('typed@example.com');
  for (const field of ['Password', 'Confirm Password']) {
    await tabTo(page, form.getByPlaceholder(field, { exact: true }));
    await page.keyboard.type(PASSWORD);
  }
  await tabTo(page, form.getByRole('checkbox', { name: 'Is active?' }));
  await page.keyboard.press('Space');
  await activate(page, save(page));
  await expect(form).toBeHidden();
  await expect(add).toBeFocused();
  const { reply } = await caller.call(listUsers, { query: { limit: 1 } });
  expect(reply.data).toMatchObject([{ email: 'typed@example.com', is_active: true, is_superuser: false }]);

  const menu = menuOf(page, 'typed@example.com');
  await activate(page, menu);
  await expect(page.getByRole('menuitem', { name: 'Edit User' })).toBeFocused();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Edit User',
    'End Sessions',
    'Reset Second Factor',
    'Delete User',
  ]);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page, 'Edit User').getByLabel('Full name'));
  await page.keyboard.type('Tay Ped');
  await activate(page, save(page));
  await expect(cell(rowOf(page, 'typed@example.com'), 'Full name')).toHaveText('Tay Ped');

  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit User' })).toBeFocused();
  for (const _ of ['End Sessions', 'Reset Second Factor', 'Delete User']) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Delete User' })).toBeFocused();
  await page.keyboard.press('Enter');
  const question = dialog(page, 'Delete User');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await activate(page, question.getByRole('button', { name: 'Delete' }));
  await expect(rowOf(page, 'typed@example.com')).toHaveCount(0);
});
