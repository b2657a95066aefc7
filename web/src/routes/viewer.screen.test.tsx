/** What a viewer is shown: every page, and nothing on it that would change something. */
import { listApiTokens } from '@dutchbook/contract/api-tokens.ts';
import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readMe, VIEWER_REFUSAL } from '@dutchbook/contract/current-user.ts';
import { listItems } from '@dutchbook/contract/items.ts';
import { listNotifications, readNotification } from '@dutchbook/contract/notifications.ts';
import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { simulateOrders } from '@dutchbook/contract/placing.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const BATCH = { ...recorded(readBatch), can_retry: true, is_active: false, status: 'completed' as const };
const OPPORTUNITY = { ...recorded(readOpportunity), blockers: [] };
const [NOTIFICATION] = recorded(listNotifications).data;
const RELATION = recorded(readRelation);

beforeEach(() => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false, role: 'viewer' });
  server.answer(readOpportunity, OPPORTUNITY);
  server.answer(simulateOrders, { ...recorded(simulateOrders), errors: [] });
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, {
    count: 1,
    data: recorded(readBatchOrders)
      .data.slice(0, 1)
      .map((order) => ({ ...order, side: 'buy' as const, status: 'filled' as const, filled_size: 12, sold_size: 0 })),
  });
  if (NOTIFICATION !== undefined) server.answer(readNotification, { ...NOTIFICATION, status: 'failed' });
});

/** Why a control is off: what is shown where it is pointed at. */
const reasonOf = (control: Element) => control.closest('[title]')?.getAttribute('title');

test.each([
  ['/arbitrage', ['Add Opportunity', 'Import CSV', 'Check All', 'Update Prices']],
  [`/arbitrage/${OPPORTUNITY.id}`, ['Check Prices', 'Edit', 'Delete']],
  [`/batches/${BATCH.id}`, ['Sell All Orders', 'Retry Batch', /^Sell .+ of /]],
  ['/items', ['Add Item']],
  [`/notifications/${NOTIFICATION?.id}`, ['Retry Send', 'Delete']],
  [`/discover/${RELATION.id}`, [/^(Follow|Unfollow)$/]],
] as const)('%s is there, with its buttons off, and says why', async (path, names) => {
  await open(path);
  for (const name of names) {
    const off = button(name);
    await expect.element(off).toBeDisabled();
    expect(reasonOf(off.element()), String(name)).toBe(VIEWER_REFUSAL);
  }
  expect(server.asked.filter(({ endpoint }) => endpoint.method !== 'GET')).toEqual([]);
});

test('what deletes is not red while it is off', async () => {
  const colorOf = (control: Element) => getComputedStyle(control).color;
  await open(`/arbitrage/${OPPORTUNITY.id}`);
  await expect.element(button('Delete')).toBeDisabled();
  expect(colorOf(button('Delete').element())).toBe(colorOf(button('Edit').element()));
});

test('an order is simulated and not placed, by whatever way, and the page says why', async () => {
  await open(`/arbitrage/${OPPORTUNITY.id}`);
  await expect.element(button('Place Order')).toBeDisabled();
  await expect.element(button('Place Order')).toHaveAccessibleDescription(VIEWER_REFUSAL);
  await expect.element(page.getByText(VIEWER_REFUSAL)).toBeVisible();
  await userEvent.keyboard('p');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await userEvent.keyboard('s');
  const ticket = dialog('Simulate Order');
  await expect.element(ticket.getByRole('button', { name: 'Review Order' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(ticket).not.toBeInTheDocument();
  await expectAccessible('an opportunity as a viewer sees it');
});

test.each([
  ['/arbitrage', recorded(listOpportunities).data[0]?.id, ['Check Prices', 'Delete'], ['View Details']],
  ['/batches', recorded(listBatches).data.find(({ can_retry }) => can_retry)?.id, ['Retry Batch'], ['Copy Batch Info']],
  ['/items', recorded(listItems).data[0]?.id, ['Edit Item', 'Delete Item'], []],
  ['/notifications', NOTIFICATION?.id, ['Delete'], ['View Details']],
] as const)('the menu of a row of %s offers what changes nothing', async (path, id = '', off, on) => {
  await open(path);
  const menu = page.getByRole('button', { name: `Actions for ${id.slice(0, 8)}` }).first();
  await menu.click();
  for (const name of off) {
    const entry = page.getByRole('menuitem', { name });
    await expect.element(entry).toBeDisabled();
    expect(reasonOf(entry.element()), name).toBe(VIEWER_REFUSAL);
  }
  for (const name of on) await expect.element(page.getByRole('menuitem', { name })).toBeEnabled();
  await userEvent.keyboard('{Escape}');
});

test('rows that are selected are exported and nothing else', async () => {
  await open('/arbitrage');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .click();
  const bar = page.getByRole('region', { name: 'Selected opportunities' });
  const named = (name: string) => bar.getByRole('button', { name, exact: true });
  await expect.element(named('Export CSV')).toBeEnabled();
  for (const name of ['Activate', 'Deactivate', 'Check Prices', 'Delete'])
    await expect.element(named(name)).toBeDisabled();
  expect(reasonOf(named('Check Prices').element())).toBe(VIEWER_REFUSAL);
});

test('the own account is theirs: the menu says what they are, and an API token may only read', async () => {
  server.answer(listApiTokens, { data: [] });
  await open('/settings?tab=api-tokens');
  await page.getByTestId('user-menu').click();
  await expect.element(page.getByText(VIEWER_REFUSAL)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('New Token').click();
  const scope = dialog('New API Token').getByLabelText('Scope');
  await expect.element(scope).toBeVisible();
  expect([...(scope.element() as HTMLSelectElement).options].map(({ value }) => value)).toEqual(['read']);
  await userEvent.keyboard('{Escape}');
});

test('an operator has all of it', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: false, role: 'operator' });
  await open(`/arbitrage/${OPPORTUNITY.id}`);
  for (const name of ['Check Prices', 'Place Order', 'Edit', 'Delete'])
    await expect.element(button(name)).toBeEnabled();
  expect(page.getByText(VIEWER_REFUSAL).length).toBe(0);
});
