/** The ticket that places an order of an opportunity. */

import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { readDepth } from '@dutchbook/contract/valuation.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, toast, typeInto } from '../testing/look.ts';
import { answerOpportunity, confirm, OPPORTUNITY, openTicket, PLAN, size, ticket } from '../testing/order-ticket.ts';
import { recorded } from '../testing/recorded.ts';
import { server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

beforeEach(answerOpportunity);

/** Timers pass as they do, and further when a test says so. */
function changeTheClock(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
  });
}

/** A plan to buy `size` sets at 0.95 with 0.05 of fees. */
function planOf(size: number) {
  const orders = PLAN.orders.map((order) => ({ ...order, size }));
  const sums = { total_cost: 0.95 * size, total_fees: 0.05 * size };
  return { ...PLAN, ...sums, orders, max_profitable_size: 200, order_size: size };
}

const passed = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('offers the size that the policy chooses, with what bounds it', async () => {
  const survival = { expected_size: 1500, orders_like_it: 312, orders_needed: 30 };
  const sized = { order_size: 1234, paying_size: 2000, survival };
  const chosen = { ...sized, bounded_by: 'loss allowance', allowed: true } as const;
  server.answer(simulateOrders, { ...PLAN, chosen_size: chosen });
  await openTicket();
  await expect
    .element(ticket().getByText('The size policy chooses 1,234.00 sh, bounded by the loss allowance of a clip.'))
    .toBeVisible();
  const expected =
    'The books show 2,000.00 sh that pay. An order is expected to get 1,500.00 of them, by 312 earlier orders like it.';
  await expect.element(ticket().getByText(expected)).toBeVisible();
  await ticket().getByRole('button', { name: 'Use 1,234.00 sh' }).click();
  await expect.element(size()).toHaveValue('1234');
  server.answer(simulateOrders, { ...PLAN, chosen_size: { ...chosen, bounded_by: 'cash', allowed: false } });
  await button('Refresh Simulation').click();
  await expect
    .element(
      ticket().getByText(
        /^The size policy chooses nothing: even the smallest size, 1,234.00 sh, is more than the free cash allows/,
      ),
    )
    .toBeVisible();
  const nothing = { ...chosen, bounded_by: 'minimum', paying_size: 0, survival: null } as const;
  server.answer(simulateOrders, { ...PLAN, chosen_size: nothing });
  await button('Refresh Simulation').click();
  await expect
    .element(ticket().getByText(/^The size policy chooses nothing: no set makes what the trigger/))
    .toBeVisible();
  await expect.element(ticket().getByRole('button', { name: /^Use / })).not.toBeInTheDocument();
});

test('is simulated again as soon as a size is typed or chosen, without a toast, and placed by Ctrl and Enter', async () => {
  server.answer(readOpportunity, { ...OPPORTUNITY, active: true, profit_percentage: 5, blockers: [] });
  server.answer(simulateOrders, ({ query }) => planOf(Number(query.order_size ?? 10)));
  await openTicket();
  await expect.element(button('Best')).toBeVisible();
  const asked = () => server.askedFor(simulateOrders).map(({ query }) => query.order_size);
  await userEvent.fill(size().element(), '40');
  await expect.poll(asked).toContain('40');
  await expect.element(ticket().getByText('40.00 sh').first()).toBeVisible();
  for (const [chip, text] of [
    ['25%', '50'],
    ['50%', '100'],
    ['Best', '200'],
    ['Min', ''],
  ] as const) {
    await ticket().getByRole('button', { name: chip, exact: true }).click();
    await expect.element(size()).toHaveValue(text);
  }
  const slider = ticket().getByRole('slider', { name: 'Shares along the profit curve' });
  await expect.element(slider).toHaveAttribute('min', String(recorded(readDepth).order_size));
  await expect.element(ticket().getByText('(0.9500 a set on average)')).toBeVisible();
  await expect.element(ticket()).toMatchTextContent(/on average\) · Cost with Fees \$10\.00/);
  await expect.element(toast('Something went wrong!')).not.toBeInTheDocument();
  await ticket().getByRole('button', { name: 'By Dollars' }).click();
  await userEvent.fill(ticket().getByLabelText('Dollars to spend').element(), '50');
  await expect.poll(asked).toContain('50');
  await expect.poll(() => button('Confirm Order').element().getAttribute('aria-disabled')).toBe('false');
  server.answer(placeOrder, () => refusal(409, 'Trading is disarmed.'));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => server.askedFor(placeOrder).map(({ query }) => query.order_size)).toEqual(['50']);
});

test('names what is bought, where and until when', async () => {
  server.answer(readOpportunity, { ...OPPORTUNITY, pays_at: '2027-01-31T12:00:00.000Z' });
  await openTicket();
  await expect.element(dialog(`Place Order: ${OPPORTUNITY.name}`)).toBeVisible();
  await expect.element(ticket().getByText(/^Polymarket · ends Jan 31, 2027/)).toBeVisible();
});

test('shows no figures for what is no size, and names the rule that it breaks', async () => {
  await openTicket();
  await expect.poll(() => figureIn(ticket(), 'Size')).toBe('9.00 sh');
  for (const [text, rule] of [
    ['abc', 'Enter a number of shares, such as 12.5'],
    ['-5', 'Enter a number of shares greater than 0'],
    ['1.234567', 'Enter at most two decimals: no venue takes a smaller part of a share'],
  ] as const) {
    await typeInto(size(), text);
    await expect.element(ticket().getByText(rule, { exact: true })).toBeVisible();
    await expect.element(confirm()).toHaveAccessibleDescription(`${rule}.`);
    for (const name of ['Size', 'Total Cost', 'Expected Profit']) expect(figureIn(ticket(), name)).toBe('–');
    await expect.element(ticket()).not.toMatchTextContent(/Quoted Price|at worst/);
  }
});

test('says how many sets the books have where that is less, and shows no sums of a part of them', async () => {
  server.answer(simulateOrders, ({ query }) => {
    const plan = planOf(Number(query.order_size ?? 10));
    const orders = plan.orders.map((order, nth) => ({ ...order, size: Math.min(order.size, 300 + nth) }));
    return { ...plan, orders, errors: plan.order_size > 300 ? ['Leg 1 is short of 999,699 shares.'] : [] };
  });
  await openTicket();
  await typeInto(size(), '999999');
  await expect.element(ticket().getByText('The books have only 300.00 sets.')).toBeVisible();
  expect(figureIn(ticket(), 'Size')).toBe('999,999.00 sh');
  for (const name of ['Total Cost', 'Cost with Fees', 'Expected Profit', 'Worst Case Loss'])
    expect(figureIn(ticket(), name)).toBe('–');
  await expect.element(ticket()).not.toMatchTextContent(/Quoted Price|at worst/);
  expect(ticket().getByRole('table', { name: 'Planned orders' }).query()).toBeNull();
});

test('simulates the size that is typed before the first simulation is there', async () => {
  const first = Promise.withResolvers<void>();
  server.answer(simulateOrders, async ({ query }) => {
    if (query.order_size === undefined) await first.promise;
    const order_size = Number(query.order_size ?? PLAN.order_size);
    return { ...PLAN, order_size, orders: PLAN.orders.map((order) => ({ ...order, size: order_size })) };
  });
  await openTicket();
  await typeInto(size(), '12');
  await userEvent.keyboard('{Enter}');
  await expectCells('Planned orders', 'Shares', '12.00', '12.00', '12.00');
  first.resolve();
  await expect.element(confirm()).toBeEnabled();
  await expectCells('Planned orders', 'Shares', '12.00', '12.00', '12.00');
});

test('does not place a plan that is too old, until the next one is there', async () => {
  changeTheClock();
  await openTicket();
  await expect.element(confirm()).toBeEnabled();
  (confirm().element() as HTMLElement).focus();
  let held = Promise.withResolvers<void>();
  server.answer(simulateOrders, async () => {
    await held.promise;
    return PLAN;
  });
  await passed(5);
  await expect.element(confirm()).toHaveAccessibleDescription(/too old to be placed/);
  await expect.element(confirm()).toBeDisabled();
  await expect.element(confirm()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(ticket()).toBeVisible();
  held.resolve();
  await expect.element(confirm()).toBeEnabled();
  held = Promise.withResolvers();
  server.answer(simulateOrders, () => refusal(500, 'The venue is away'));
  await passed(5);
  await expect.element(confirm()).toHaveAccessibleDescription(/The simulation failed/);
  await expect
    .element(toast('Something went wrong!'), { message: 'the user did not ask for it' })
    .not.toBeInTheDocument();
  await ticket().getByRole('button', { name: 'Refresh Simulation' }).click();
  await expect.element(toast('Failed to simulate order')).toMatchTextContent(/The venue is away/);
});

test('keeps the plan where the server wants fewer questions, says so once it is too old, and asks again by itself', async () => {
  changeTheClock();
  await openTicket();
  await expect.element(confirm()).toBeEnabled();
  let asked = 0;
  server.answer(simulateOrders, () => {
    asked += 1;
    if (asked > 1) return PLAN;
    return refusal(429, 'You have asked the venue too often. Try again in 600 s.', { 'retry-after': '600' });
  });
  await passed(4);
  await expect.poll(() => asked).toBe(1);
  await passed(2);
  await expect
    .element(confirm())
    .toHaveAccessibleDescription(/^You have asked the venue too often.*refreshed by itself\.$/);
  await expectCells('Planned orders', 'Limit Price', '0.3760', '0.2650', '0.2270');
  await expect
    .element(toast('Something went wrong!'), { message: 'the user did not ask for it' })
    .not.toBeInTheDocument();
  await passed(20);
  expect(asked).toBe(1);
  await passed(600);
  await expect.element(confirm()).toBeEnabled();
});

test('offers the way in by a split where there is one, shows what goes in and comes back, and places it so', async () => {
  const split = { dollars_in_usd: 9, proceeds_usd: 10.188, calls: [{ kind: 'split' as const, market_ids: ['m'] }] };
  const orders = PLAN.orders.map((order) => ({ ...order, side: 'sell' as const }));
  const ways_in: ('buy' | 'split')[] = ['buy', 'split'];
  const bySplit = { ...PLAN, ways_in, split, orders, total_cost: 9, worst_case_loss_usd: 6.5 };
  server.answer(simulateOrders, ({ query }) => (query.way_in === 'split' ? bySplit : { ...PLAN, ways_in }));
  server.answer(placeOrder, () => refusal(409, 'Trading is disarmed.'));
  await openTicket();
  await ticket().getByText('Split and Sell').click();
  await expect.element(ticket().getByText('Dollars In').first()).toBeVisible();
  await expect.element(ticket()).toMatchTextContent(/Proceeds ?\$10\.19/);
  await expect.element(ticket()).toMatchTextContent(/only some of it sells?, at worst \$6\.50 is lost/i);
  await expectCells('Planned orders', 'Side', 'Sell', 'Sell', 'Sell');
  await expectAccessible('the ticket of a split');
  await confirm().click();
  await expect.element(toast('Failed to place order')).toMatchTextContent(/Trading is disarmed\./);
  expect(server.askedFor(placeOrder)[0]?.query).toMatchObject({ way_in: 'split', order_size: '9' });
  await ticket().getByText('Buy', { exact: true }).first().click();
  await expect.element(ticket()).toMatchTextContent(/Total Cost ?\$7\.81/);
  await userEvent.keyboard('{Escape}');
  await expect.element(ticket()).not.toBeInTheDocument();
});
