/** A recording that is played again: it is marked as past, and nothing can be placed in it. */
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { button, dialog } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const ID = recorded(readOpportunity).id;
const frames = () => [...document.querySelectorAll('[aria-hidden="true"]')].filter(isFrame);

function isFrame(element: Element): boolean {
  const { position, borderTopWidth, pointerEvents } = getComputedStyle(element);
  return position === 'fixed' && borderTopWidth === '4px' && pointerEvents === 'none';
}

test('a replay has a frame and says so in the title, and has nothing that places an order', async () => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'replay', armed: false });
  await open(`/arbitrage/${ID}`);
  await expect.element(page.getByText('Replay', { exact: true })).toBeVisible();
  await expect.poll(() => document.title).toMatch(/^(\(\d+\) )?REPLAY · .+ · Dutchbook$/);
  expect(frames()).toHaveLength(1);
  await expect.element(button('Simulate Order')).toBeVisible();
  expect(button('Place Order').query()).toBeNull();
  await userEvent.keyboard('p');
  await button('Simulate Order').click();
  await expect.element(dialog('Simulate Order').getByRole('button', { name: 'Cancel' })).toBeVisible();
  expect(dialog('Simulate Order').getByRole('button', { name: 'Review Order' }).query()).toBeNull();
  expect(dialog('Place Order').query()).toBeNull();
  await userEvent.keyboard('{Escape}');
});

test('the market of now has neither', async () => {
  await open(`/arbitrage/${ID}`);
  await expect.element(button('Place Order')).toBeVisible();
  expect(document.title).not.toContain('REPLAY');
  expect(frames()).toEqual([]);
});
