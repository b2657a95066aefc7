/** An amount has one number of cents on every screen; only the parts of a ticket, which stand nowhere else, add up to its sums. */

import { simulateOrders } from '@dutchbook/contract/placing.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listReportDays, readFunnel } from '@dutchbook/contract/report.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cellsOf, figureIn } from '../testing/look.ts';
import { answerOpportunity, openTicket, PLAN, ticket } from '../testing/order-ticket.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** The dollars in a text, in cents. */
function centsIn(text: string | null | undefined): number {
  const [, sign = '', dollars = ''] = /([+-]?)\$([\d,]+\.\d\d)/.exec(text ?? '') ?? [];
  return Math.round(Number(dollars.replaceAll(',', '')) * 100) * (sign === '-' ? -1 : 1);
}

const sum = (cents: readonly number[]) => cents.reduce((all, each) => all + each, 0);
const centsOf = (label: string, column: string) =>
  cellsOf(label, column).map(({ textContent }) => centsIn(textContent));

test('the orders of a ticket add up to its cost and its fees, and these with the profit to what the sets pay', async () => {
  answerOpportunity();
  const orders = PLAN.orders.map((order) => ({ ...order, cost: 1.004, fee: 0.004 }));
  const [total_cost, total_fees] = [1.004 * orders.length, 0.004 * orders.length];
  const expected_profit_usd = 9 - total_cost - total_fees;
  server.answer(simulateOrders, { ...PLAN, orders, total_cost, total_fees, expected_profit_usd });
  await openTicket();
  await expect.poll(() => centsOf('Planned orders', 'Cost')).toHaveLength(orders.length);
  const figure = (name: string) => centsIn(figureIn(ticket(), name));
  expect(sum(centsOf('Planned orders', 'Cost'))).toBe(figure('Total Cost'));
  expect(sum(centsOf('Planned orders', 'Fee'))).toBe(figure('Total Fees'));
  expect(figure('Total Cost') + figure('Total Fees')).toBe(figure('Cost with Fees'));
  expect(figure('Cost with Fees') + figure('Expected Profit')).toBe(900);
});

test('an event has the gain that its batch has, whatever else is held', async () => {
  const portfolio = recorded(readPortfolio);
  const [held] = portfolio.holdings.filter(({ resolved_value }) => resolved_value === null);
  const [event] = portfolio.events;
  if (held === undefined || event === undefined) throw new Error('nothing is held');
  const names = ['One', 'Two', 'Three'];
  const own = { shares: 10, settling_shares: 0, in_sale_shares: 0, venue_shares: 10, external_shares: 0 };
  const holdings = names.map((name) => ({
    ...{ ...held, ...own, cost_usd: 4, value_usd: 4.3, unrealised_usd: 0.3, set_shares: 10, buying_shares: 0 },
    ...{ token_id: name, market_id: name, event_id: name, market_name: name },
  }));
  const events = names.map((title) => ({ ...event, event_id: title, title, locked_usd: 4.334, loose_usd: 0 }));
  server.answer(readPortfolio, { ...portfolio, holdings, events, locked_usd: 13.002, loose_usd: 0 });
  await open('/portfolio');
  await expect.element(region('Three')).toBeVisible();
  const gainOf = (name: string) => centsIn(/[+-]\$[\d.]+/.exec(region(name).element().textContent)?.[0]);
  expect(names.map(gainOf)).toEqual([33, 33, 33]);
  // Their sum is rounded once.
  expect(centsIn(figureIn(region('Holdings'), 'Unrealised'))).toBe(100);
});

test('a day of the calendar has the profit that its table has', async () => {
  const [model] = recorded(listReportDays).days;
  if (model === undefined) throw new Error('no day was recorded');
  const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((day) => ({ ...model, day, paid_usd: 1.334 }));
  server.answer(listReportDays, { days });
  await open('/report');
  const calendar = page.getByRole('table', { name: /^Profit by day/ });
  await expect.element(calendar).toBeVisible();
  const cents = [...calendar.element().querySelectorAll('[data-sign]')].map(({ textContent }) => centsIn(textContent));
  expect(cents).toEqual([133, 133, 133]);
});

test('cash is the same in the top bar, in the portfolio and of its pockets', async () => {
  const portfolio = recorded(readPortfolio);
  const venues = ['polymarket', 'kalshi'] as const;
  // With its own rounding each is a cent less than a share of their sum.
  const free = 9_849.643;
  const by_venue = venues.map((venue) => ({ ...portfolio.cash, venue, free_usd: free }));
  server.answer(readPortfolio, { ...portfolio, cash: { ...portfolio.cash, free_usd: 2 * free, by_venue } });
  const status = recorded(readSystemStatus);
  const { armed, armed_changed, arming_refusal } = status;
  const pockets = [
    { name: '0', free_usd: 7_500 },
    { name: '1', free_usd: 2_349.643 },
  ];
  const at = { armed, armed_changed, arming_refusal, feed: 'live' as const, cash: { free_usd: free, pockets } };
  server.answer(readSystemStatus, { ...status, venues: venues.map((venue) => ({ venue, ...at })) });
  await open('/portfolio');
  await expect.element(region('Cash')).toMatchTextContent(/Free\$19,699\.29/);
  await expect.element(region('Cash')).toMatchTextContent(/Polymarket: \$9,849\.64Kalshi: \$9,849\.64/);
  for (const label of ['Polymarket', 'Kalshi']) {
    const shown = page.getByTitle(`Free at ${label}: shard 0 $7,500.00, shard 1 $2,349.64`, { exact: true });
    await expect.element(shown).toMatchTextContent('$9,849.64');
  }
});

test('what was missed for a reason is as much wherever it stands', async () => {
  const missed = ['One', 'Two'].map((reason) => {
    return { reached: 'triggered' as const, reason, example: null, count: 1, usd: 1.003 };
  });
  const bounds = ['cash', 'clip'] as const;
  const smaller = bounds.map((bounded_by) => ({ bounded_by, count: 1, usd: 1.004 }));
  server.answer(readFunnel, { ...recorded(readFunnel), missed, smaller });
  await open('/report?tab=missed');
  await expect.poll(() => centsOf('Missed money', 'Dollars Missed')).toHaveLength(4);
  await expect.element(region('Missed Money')).toMatchTextContent('$4.01 paid and was not bought');
  expect(centsOf('Missed money', 'Dollars Missed')).toEqual([100, 100, 100, 100]);
  expect(centsOf('Lost to size', 'Dollars Lost')).toEqual([100, 100]);
});
