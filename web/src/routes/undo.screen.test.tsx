/** Deletions that are taken back from the toast that tells of them. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { deleteItem, listItems, restoreItem } from '@dutchbook/contract/items.ts';
import { deleteNotification, listNotifications, restoreNotification } from '@dutchbook/contract/notifications.ts';
import { deleteOpportunity, listOpportunities, restoreOpportunity } from '@dutchbook/contract/opportunities.ts';
import { deleteUser, listUsers, restoreUser } from '@dutchbook/contract/users.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const KINDS = {
  item: { path: '/items', list: listItems, remove: deleteItem, restore: restoreItem, table: 'Items' },
  user: { path: '/admin', list: listUsers, remove: deleteUser, restore: restoreUser, table: 'Users' },
  opportunity: {
    path: '/arbitrage',
    list: listOpportunities,
    remove: deleteOpportunity,
    restore: restoreOpportunity,
    table: 'Arbitrage Opportunities',
  },
  notification: {
    path: '/notifications',
    list: listNotifications,
    remove: deleteNotification,
    restore: restoreNotification,
    table: 'Notifications',
  },
} as const;

beforeEach(() => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
});

/** Two rows of a kind; a deletion takes the one it names away, and to restore brings it back. */
function serve(kind: keyof typeof KINDS) {
  const { list, remove, restore } = KINDS[kind];
  const [model] = (recorded(list) as { data: { id: string }[] }).data;
  if (model === undefined) throw new Error(`no ${kind} was recorded`);
  // What says the like of one opportunity folds into one row.
  const alone = 'opportunity_id' in model ? { opportunity_id: null } : {};
  const all = ['0', '1'].map((digit) => ({ ...model, ...alone, id: `${digit.repeat(8)}${model.id.slice(8)}` }));
  const gone = new Set<string>();
  const named = (params: object) => String(Object.values(params)[0]);
  server.answer(list as typeof listItems, () => {
    const data = all.filter(({ id }) => !gone.has(id));
    return { data, count: data.length } as never;
  });
  server.answer(remove as typeof deleteItem, ({ params }) => {
    gone.add(named(params));
    return { message: 'Notification deleted successfully' };
  });
  server.answer(restore as typeof restoreItem, ({ params }) => {
    gone.delete(named(params));
    return { message: 'Restored', ...all.find(({ id }) => id === named(params)) } as never;
  });
}

test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('a deleted %s is brought back by Undo', async (kind) => {
  vi.spyOn(window, 'confirm').mockReturnValue(true);
  serve(kind);
  const { path, table, restore } = KINDS[kind];
  await open(path);
  await expect.poll(() => rowsOf(table)).toHaveLength(2);
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  if (kind !== 'opportunity') await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const said = toast(/deleted successfully/);
  await expect.element(said).toBeVisible();
  await expect.poll(() => rowsOf(table)).toHaveLength(1);
  await expectAccessible('what can be taken back');
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect.element(toast('The deletion was undone')).toBeVisible();
  await expect.poll(() => rowsOf(table)).toHaveLength(2);
  expect(server.askedFor(restore as typeof restoreItem)).toHaveLength(1);
});

test('an undo that the server refuses says why, and the row stays away', async () => {
  serve('item');
  server.answer(restoreItem, () => refusal(404, 'There is nothing to bring back'));
  await open('/items');
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Delete Item' }).click();
  await dialog('Delete Item').getByRole('button', { name: 'Delete' }).click();
  const undo = button('Undo');
  await expect.element(undo).toBeVisible();
  undo.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(toast('The deletion was not undone')).toMatchTextContent(/nothing to bring back/);
  await expect.poll(() => rowsOf('Items')).toHaveLength(1);
});

test('several that were deleted together are brought back together', async () => {
  serve('opportunity');
  await open('/arbitrage');
  await page.getByRole('checkbox', { name: /^Select .*00000000/ }).click();
  const bar = page.getByRole('region', { name: 'Selected opportunities' });
  await bar.getByRole('button', { name: 'Select All 2' }).click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('2 opportunities deleted')).toBeVisible();
  await button('Undo').click();
  await expect.element(page.getByText('2 opportunities restored')).toBeVisible();
  await expect.poll(() => rowsOf('Arbitrage Opportunities')).toHaveLength(2);
});
