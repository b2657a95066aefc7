/** The states of screens that no test of one screen shows: what axe and a phone's width say of them. */
import { listAuditLog, verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { listBatches, readBatch } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { listItems } from '@dutchbook/contract/items.ts';
import { listNotifications, readNotification } from '@dutchbook/contract/notifications.ts';
import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { button, dialog, expectCells, expectProblem, rowsOf, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const OPPORTUNITY = recorded(readOpportunity).id;
const BATCH = recorded(readBatch).id;
const [NOTIFICATION] = recorded(listNotifications).data;

const field = (label: string) => page.getByLabelText(label, { exact: true });

async function expectText(text: string | RegExp) {
  await expect.element(page.getByText(text).first()).toBeVisible();
}

beforeEach(answerEveryScreen);

test('a notification by itself is accessible, sent or failed', async () => {
  if (NOTIFICATION === undefined) throw new Error('no notification was recorded');
  server.answer(readNotification, { ...NOTIFICATION, status: 'failed', attempts: 3, error_message: 'Chat not found' });
  await open(`/notifications/${NOTIFICATION.id}`);
  await expectText('Chat not found');
  await expectAccessible('a notification that failed');
});

test('lists that are empty are accessible', async () => {
  const none = { data: [], count: 0 };
  for (const endpoint of [listOpportunities, listBatches, listNotifications, listItems])
    server.answer(endpoint, none as never);
  for (const [path, sign] of [
    ['/arbitrage', 'No arbitrage opportunities found.'],
    ['/batches', 'No batch orders found.'],
    ['/notifications', 'No notifications found.'],
    ['/items', "You don't have any items yet"],
  ] as const) {
    await open(path);
    await expectText(sign);
    await expectAccessible(`${path} without a row`);
  }
});

test('what is not there or cannot be read is accessible', async () => {
  server.answer(readBatch, () => refusal(404, 'Batch not found'));
  server.answer(readOpportunity, () => refusal(404, 'Opportunity not found'));
  server.answer(readNotification, () => refusal(404, 'Notification not found'));
  server.answer(listBatches, () => refusal(409, 'Come back later'));
  for (const [path, sign] of [
    ['/batches/none', 'Error loading batch'],
    ['/arbitrage/none', 'Error loading arbitrage opportunity details'],
    ['/notifications/none', 'Error loading notification details'],
    ['/batches', 'Error loading batches: Come back later'],
  ] as const) {
    await open(path);
    await expectText(sign);
    await expectAccessible(path);
  }
});

test('a screen that loads is accessible', async () => {
  const never = () => new Promise<never>(() => {});
  for (const endpoint of [listOpportunities, listBatches, listNotifications, listUsers, readBatch, readMe])
    server.answer(endpoint, never);
  for (const path of ['/', '/arbitrage', '/batches', `/batches/${BATCH}`, '/notifications']) {
    await open(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(`${path} while it loads`);
  }
});

test('menus are accessible', async () => {
  await open('/arbitrage');
  await page.getByTestId('user-menu').click();
  await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible();
  await expectAccessible('user menu');
  await userEvent.keyboard('{Escape}');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await expectAccessible('row menu');
});

test('the dialogs of an opportunity are accessible', async () => {
  await open(`/arbitrage/${OPPORTUNITY}`);
  for (const title of ['Simulate Order', 'Place Order']) {
    await button(title).click();
    await expect.poll(() => rowsOf('Planned orders').length).toBe(3);
    await expectAccessible(`${title} dialog`);
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  }
  await button('Edit').click();
  await typeInto(dialog('Edit Opportunity').getByLabelText('Target Price'), 'nothing');
  await userEvent.keyboard('{Tab}');
  await expectText('Enter a price greater than 0');
  await expectAccessible('the dialog that edits an opportunity');
});

test('importing is accessible', async () => {
  await open('/arbitrage');
  await button('Import CSV').click();
  await expect.element(dialog('Import CSV')).toBeVisible();
  await expectAccessible('import dialog');
});

test('the drawer of a phone is accessible', async () => {
  await open('/');
  await onPhone();
  await button('Open menu').click();
  await expectText('Logged in as admin@example.com');
  await expectAccessible('drawer');
});

test('the palette and the shortcuts are accessible', async () => {
  await open('/');
  await expectText('lost at worst by');
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(dialog('Go To').getByRole('combobox', { name: 'Search' })).toBeVisible();
  await expectAccessible('the palette');
  const options = dialog('Go To').getByRole('option');
  await expect.element(options.nth(0)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect.element(options.nth(0)).toHaveAttribute('aria-selected', 'false');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Go To')).not.toBeInTheDocument();
  await userEvent.keyboard('?');
  await expect.element(dialog('Keyboard Shortcuts')).toBeVisible();
  await expectAccessible('the shortcuts');
  const words = dialog('What the Words Mean');
  await dialog('Keyboard Shortcuts').getByRole('button', { name: 'What the Words Mean' }).click();
  await expect.element(words.getByText('All clips of an opportunity', { exact: false })).toBeVisible();
  await expect.element(dialog('Keyboard Shortcuts')).not.toBeInTheDocument();
  await expectAccessible('the words');
  await userEvent.keyboard('{Escape}');
  await expect.element(words).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(dialog('Go To').getByRole('combobox', { name: 'Search' })).toHaveFocus();
  await userEvent.keyboard('glossary{Enter}');
  await expect.element(words.getByText('Locked in')).toBeVisible();
});

test('items are said to be notes that nothing is traded by', async () => {
  await open('/items');
  await expectText('you and superusers see them, and nothing is traded by them');
});

test('items are accessible in their list and dialogs, whatever was typed', async () => {
  const items = recorded(listItems);
  Object.assign(items.data[0] ?? {}, { title: 'Endless'.repeat(36) });
  server.answer(listItems, items);
  await open('/items');
  await expectText(/^EndlessEndless/);
  await expectAccessible('items with a long title');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Delete Item' }).click();
  await expect.element(dialog('Delete Item')).toBeVisible();
  await expectAccessible('deleting an item');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Delete Item')).not.toBeInTheDocument();
  await button('Add Item').click();
  await button('Save').click();
  await expectText('Title is required');
  await expectAccessible('Add Item');
});

test('a profile, a password and the end of an account are accessible while they are filled in', async () => {
  server.answer(readMe, { ...recorded(readMe), full_name: 'W'.repeat(30), is_superuser: false });
  await open('/settings');
  await button('Edit').click();
  await expectProblem('Email', 'nobody', 'Invalid email address');
  await expectAccessible('profile form');
  await open('/settings?tab=password');
  await typeInto(field('New Password'), 'longer password');
  await expect.element(page.getByRole('status', { name: 'Password strength' })).toBeVisible();
  await expectAccessible('password');
  await page.getByRole('tab', { name: 'Danger zone' }).click();
  await button('Delete').click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await expectAccessible('danger zone');
});

test('the users are accessible in their dialogs, with messages', async () => {
  await open('/admin');
  await button('Add User').click();
  await button('Save').click();
  await expectText('Email is required');
  await expectAccessible('Add User');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Add User')).not.toBeInTheDocument();
  await page.getByRole('button', { name: /^Actions for new@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Delete User' }).click();
  await expect.element(dialog('Delete User')).toBeVisible();
  await expectAccessible('Delete User');
});

test('the audit log is accessible, with a change opened and the chain verified', async () => {
  const entry = {
    seq: 2,
    at: '2026-11-21T22:10:18.000Z',
    actor_id: BATCH,
    actor: 'admin@example.com',
    address: '127.0.0.1',
    action: 'user.changed',
    object: 'new@example.com',
    before: { full_name: null },
    after: { full_name: 'Renamed' },
    hash: '0'.repeat(64),
  } as const;
  server.answer(listAuditLog, { data: [entry], count: 1 });
  server.answer(verifyAuditLog, { intact: true, entries: 2, head: entry.hash, broken_at: null });
  await open('/admin?tab=audit');
  await expectCells('Audit Log', 'What', 'Changed a user');
  document.querySelector('summary')?.click();
  await button('Verify').click();
  await expectText('The log is intact.');
  await expectAccessible('audit log');
});

test('the system settings are accessible with messages', async () => {
  await open('/admin/system-settings');
  await expectProblem('MIN_ORDER_SHARES', '1', 'Least shares of an order must be at least 5');
  await typeInto(field('Limit per order'), 'none');
  await expectAccessible('system settings');
});

test.for([
  ['/login', 'Log In', 'Username is required'],
  ['/signup', 'Sign Up', 'Full Name is required'],
  ['/recover-password', 'Continue', 'Email is required'],
  ['/reset-password?token=invalid', 'Reset Password', 'Password is required'],
] as const)('%s is accessible with messages', async ([path, name, problem]) => {
  await open(path, { signedIn: false });
  await button(name).click();
  await expectText(problem);
  await expectAccessible(`${path} with messages`);
});

test('a link to reset a password that cannot work is accessible', async () => {
  await open('/reset-password', { signedIn: false });
  await expect.element(page.getByRole('link', { name: 'Ask for a New Email' })).toBeVisible();
  await expectAccessible('a useless link');
});
