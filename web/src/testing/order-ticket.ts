/** The page of the recorded opportunity and the ticket that places an order of it, for tests of either. */
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { simulateOrders } from '@dutchbook/contract/placing.ts';
import { readPricesBefore } from '@dutchbook/contract/valuation.ts';
import { expect } from 'vitest';
import { button, dialog } from './look.ts';
import { recorded } from './recorded.ts';
import { open, server } from './screen.tsx';

/** Recorded while a batch of it was active; these begin when that is over. */
export const OPPORTUNITY = { ...recorded(readOpportunity), blockers: [] };
export const PLAN = { ...recorded(simulateOrders), errors: [] };

export function answerOpportunity(): void {
  server.answer(readOpportunity, OPPORTUNITY);
  server.answer(simulateOrders, PLAN);
  server.answer(readPricesBefore, { since: OPPORTUNITY.created_at, data: [] });
}

export const openPage = () => open(`/arbitrage/${OPPORTUNITY.id}`);
export const ticket = () => dialog('Place Order');
export const confirm = () => ticket().getByRole('button', { name: 'Confirm Order' });
export const size = () => ticket().getByLabelText('Order Size');

export async function openTicket(): Promise<void> {
  await openPage();
  await button('Place Order').click();
  // The dialog takes the focus when it has opened, also from what a test would focus meanwhile.
  await expect.poll(() => ticket().query()?.contains(document.activeElement)).toBe(true);
}
