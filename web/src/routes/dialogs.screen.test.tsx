/** What dialogs and toasts share, whatever they are about. */
import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { cancelBatch, exportBatches, listBatches, readBatch, retryBatch } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { button, dialog, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { lost, refusal } from '../testing/server.ts';

beforeEach(() => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
});

test.each([
  ['Import CSV', '/arbitrage'],
  ['Add Item', '/items'],
  ['Add User', '/admin'],
])('%s gives the focus back to what opened it, by Escape and by the cross', async (name, path) => {
  await open(path);
  const shown = page.getByRole('dialog');
  const opener = button(name);
  for (const close of [
    () => userEvent.keyboard('{Escape}'),
    () => shown.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await opener.click();
    await expect.element(shown).toBeVisible();
    await expect.poll(() => shown.query()?.contains(document.activeElement)).toBe(true);
    await close();
    await expect.element(shown).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  }
});

test('so does one that fades away', async () => {
  await commands.fade(true);
  onTestFinished(() => commands.fade(false));
  await open('/items');
  const shown = page.getByRole('dialog');
  await button('Add Item').click();
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect.element(shown).not.toBeInTheDocument();
  await expect.element(button('Add Item')).toHaveFocus();
});

const [BATCH] = recorded(listBatches).data;
const broken = () => refusal(500, 'The disk is full');

test('a placement that the server fails at is called failed, and not known', async () => {
  const opportunity = { ...recorded(readOpportunity), blockers: [] };
  server.answer(readOpportunity, opportunity);
  server.answer(simulateOrders, { ...recorded(simulateOrders), errors: [] });
  server.answer(placeOrder, broken);
  await open(`/arbitrage/${opportunity.id}`);
  await button('Place Order').click();
  await dialog('Place Order').getByRole('button', { name: 'Confirm Order' }).click();
  await expect.element(toast('Failed to place order')).toMatchTextContent(/it is not known whether/);
});

test('so are a retry and a cancellation', async () => {
  if (BATCH === undefined) throw new Error('there is no recorded batch');
  server.answer(retryBatch, broken);
  server.answer(cancelBatch, broken);
  server.answer(readBatch, { ...BATCH, status: 'failed', can_retry: true, is_active: false });
  await open(`/batches/${BATCH.id}`);
  await button('Retry Batch').click();
  await expect.element(toast('Failed to retry batch')).toMatchTextContent(/it is not known whether/);
  server.answer(readBatch, { ...BATCH, status: 'processing', can_retry: false, is_active: true });
  await open(`/batches/${BATCH.id}`);
  await button('Cancel Batch').click();
  await dialog('Cancel Batch').getByRole('button', { name: 'Cancel Batch' }).click();
  await expect.element(toast('Failed to cancel batch')).toMatchTextContent(/it is not known whether/);
});

test('a toast says that the server cannot be reached, where it cannot', async () => {
  const opportunity = recorded(readOpportunity);
  server.answer(simulateOrders, lost);
  await open(`/arbitrage/${opportunity.id}`);
  await button('Simulate Order').click();
  await expect.element(toast('Failed to simulate order')).toMatchTextContent(/The server cannot be reached/);
});

test('says of a halt that is not stored yet what holds, and shows it in the top bar', async () => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: true });
  const message = 'Trading is halted in this process; not stored yet.';
  server.answer(disarmTrading, Response.json({ message, stored: false }, { status: 202 }));
  await open('/batches');
  await button('Disarm').click();
  await expect.element(toast('Not stored yet')).toMatchTextContent(/halted in this process; not stored yet/);
  await expect.element(page.getByText('Disarmed here, not stored yet')).toBeVisible();
});

/** Which of `controls` a toast lies over, wherever they stand. */
function covered(said: Element, ...controls: Element[]): Element[] {
  const over = said.getBoundingClientRect();
  return controls.filter((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
  });
}

test.each([390, 768, 1280, 1440])(
  'on a screen %i wide no toast covers a title, what stops or what closes',
  async (width) => {
    await page.viewport(width, 900);
    server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: true });
    server.answer(exportBatches, lost);
    await open('/batches');
    await button('Export CSV').click();
    const failed = toast('Error exporting CSV');
    await expect.element(failed).toBeVisible();
    const header = page.getByRole('main').element().querySelectorAll('header button, h1');
    // A toast comes in from the side, over what it does not stay on.
    await expect.poll(() => covered(failed.element(), button('Disarm').element(), ...header)).toEqual([]);

    server.answer(simulateOrders, lost);
    await open(`/arbitrage/${recorded(readOpportunity).id}`);
    await button('Simulate Order').click();
    const said = toast('Failed to simulate order');
    await expect.element(said).toBeVisible();
    const asked = page.getByRole('dialog');
    const controls = [...asked.getByRole('button').elements(), ...asked.getByRole('heading').elements()];
    expect(controls.length).toBeGreaterThan(2);
    await expect.poll(() => covered(said.element(), ...controls)).toEqual([]);
  },
);

test('the button that searches is named as it reads, and how fresh prices are is a state and no alert', async () => {
  await open('/');
  const search = page.getByRole('banner').getByRole('button', { name: /^Search/ });
  await expect.element(search).toHaveAccessibleName(/^Search (Ctrl|⌘) ?\+?K$/);
  const live = page.getByRole('banner').getByText('Live', { exact: true });
  await expect.element(live).toBeVisible();
  expect(live.element().closest('[role], [aria-live]')).toBeNull();
});
