/** What a superuser does with the simulated exchange. */

import { listMarkets } from '@dutchbook/contract/markets.ts';
import {
  addFault,
  advanceClock,
  clearFaults,
  pauseMakers,
  readSimulator,
  resolveMarket,
  setBook,
} from '@dutchbook/contract/simulator.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, expectCells, figureIn, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const DONE = { message: 'Done' };

const MARKET: Wire<typeof listMarkets>['data'][number] = {
  ...{ id: 'rain-1', question: 'Rain in Corran?', event: null, neg_risk: false, end_date: null, resolution: null },
  outcomes: [
    { outcome: 'Yes', token_id: '11' },
    { outcome: 'No', token_id: '12' },
  ],
  ...{ accepting_orders: true, tick_size: 0.01, min_order_size: 5, fee_rate: 0 },
};

beforeEach(() => {
  server.answer(readSimulator, {
    ...{ now: '2026-11-21T23:30:00.000Z', ahead_ms: 5_400_000, fault_names: ['hang', 'accept_then_500'] },
    faults: [{ name: 'accept_then_500', remaining: 2 }],
  });
  server.answer(listMarkets, { data: [MARKET], count: 1, left_out: { data: [], count: 0 }, still_reading: false });
  for (const endpoint of [advanceClock, addFault, clearFaults, resolveMarket, setBook, pauseMakers])
    server.answer(endpoint, DONE);
});

const bodies = (endpoint: Parameters<typeof server.askedFor>[0]) => server.askedFor(endpoint).map(({ body }) => body);

test('moves the clock and orders faults, and says what is out of range', async () => {
  await open('/admin');
  await page.getByRole('link', { name: 'Simulator' }).click();
  const clock = page.getByRole('region', { name: 'Clock' });
  await expect.poll(() => figureIn(clock, 'Ahead of This Machine')).toBe('90 min');
  await expectCells('Faults that wait', 'Fault', 'accept then 500');
  await typeInto(page.getByLabelText('Minutes'), '0');
  await button('Move Ahead').click();
  await expect.element(page.getByText('Enter at least one minute')).toBeVisible();
  await button('1 day').click();
  await button('Move Ahead').click();
  await expect.poll(() => bodies(advanceClock)).toEqual([{ minutes: 1_440 }]);
  await page.getByLabelText('Fault', { exact: true }).selectOptions('hang');
  await typeInto(page.getByLabelText('Times'), '3');
  await button('Add Fault').click();
  await expect.poll(() => bodies(addFault)).toEqual([{ name: 'hang', times: 3 }]);
  await button('Take All Away').click();
  await expect.poll(() => server.askedFor(clearFaults).length).toBe(1);
  await expectAccessible('the simulator');
});

test('sets the book of an outcome and resolves its market once that is confirmed', async () => {
  await open('/admin/simulator');
  await button('Pause Market Makers').click();
  await expect.poll(() => bodies(pauseMakers)).toEqual([{ paused: true }]);
  await page.getByLabelText('Market', { exact: true }).selectOptions(MARKET.id);
  await typeInto(page.getByLabelText('Bids'), '0.31');
  await button('Set Book').click();
  await expect.element(page.getByText('“0.31” should be a price and a size, like 0.31 40')).toBeVisible();
  await typeInto(page.getByLabelText('Bids'), '0.31 40');
  await button('Set Book').click();
  await expect.poll(() => bodies(setBook)).toEqual([{ token_id: '11', bids: [{ price: 0.31, size: 40 }], asks: [] }]);
  await button('Resolve').click();
  const dialog = page.getByRole('dialog', { name: 'Resolve the Market' });
  await expectAccessible('resolving a market');
  expect(server.askedFor(resolveMarket)).toEqual([]);
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect.poll(() => bodies(resolveMarket)).toEqual([{ market_id: 'rain-1', outcome: 'Yes' }]);
});

test('is not offered at a real venue, and says so to an address', async () => {
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), venue: 'polymarket_live' });
  server.answer(readSimulator, () => refusal(404, 'Only the simulated exchange can be changed'));
  await open('/admin');
  await expect.element(page.getByRole('link', { name: 'Rehearsals' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Simulator' })).not.toBeInTheDocument();
  await open('/admin/simulator');
  await expect.element(page.getByText('Only the simulated exchange can be changed')).toBeVisible();
});
