import { readMe } from '@dutchbook/contract/current-user.ts';
/** What screens show and ask for where more than one venue is configured. */

import { closeCashMove, listCashMoves, moveCash, readCashPockets } from '@dutchbook/contract/accounts/cash-moves.ts';
import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { listBatchResults } from '@dutchbook/contract/batch-results.ts';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { readCensus } from '@dutchbook/contract/discovery/census.ts';
import { readExitSettings, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { listExternalOrders } from '@dutchbook/contract/external-orders.ts';
import { listLedger, readLedgerBalances, stateDifference } from '@dutchbook/contract/ledger.ts';
import { readDeskLimits, readLimits, writeDeskLimits, writeLimits } from '@dutchbook/contract/limits.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { listOrders } from '@dutchbook/contract/orders.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { readReport } from '@dutchbook/contract/report.ts';
import { readSystemStatus, type SystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

const NONE = { data: [], count: 0 };

type VenueStatus = NonNullable<SystemStatus['venues']>[number];

const at = (venue: VenueStatus['venue'], changes: Partial<VenueStatus> = {}): VenueStatus => ({
  ...{ venue, armed: true, armed_changed: null, arming_refusal: null, feed: 'live', ...changes },
});

function statusOf(venues: VenueStatus[]): Wire<typeof readSystemStatus> {
  const armed = venues.some((each) => each.armed);
  return { ...recorded(readSystemStatus), armed, venues: venues as never };
}

beforeEach(() => {
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi')]));
  server.answer(listOrders, { data: [], count: 0 });
});

const banner = () => page.getByRole('banner');

test('the top bar has a light for the prices of each venue', async () => {
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi', { feed: 'down' })]));
  await open('/batches');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(banner().getByText('Polymarket: Live', { exact: true })).toBeVisible();
  await expect.element(banner().getByText('Kalshi: Feed down', { exact: true })).toBeVisible();
  await expectAccessible('a top bar of two venues');
});

test('on a phone one light stands for all venues that are live, and one that is not keeps its name', async () => {
  await page.viewport(390, 800);
  await open('/batches');
  await expect.element(banner().getByText('All live', { exact: true })).toBeVisible();
  await expect.element(banner().getByText('Kalshi: Live', { exact: true })).not.toBeVisible();
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi', { feed: 'down' })]));
  await open('/orders');
  await expect.element(banner().getByText('Kalshi: Feed down', { exact: true })).toBeVisible();
  await expect.element(banner().getByText('All live', { exact: true })).not.toBeInTheDocument();
  await page.viewport(1280, 800);
});

test('batches, orders, opportunities, relations and the report are filtered by venue, which stands in the address', async () => {
  await open('/batches');
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await button('Apply').click();
  await expect.poll(() => server.askedFor(listBatches).at(-1)?.query.venue).toBe('kalshi');
  await open('/orders');
  await page.getByLabelText('Venue').selectOptions('Polymarket');
  await expect.poll(() => server.askedFor(listOrders).at(-1)?.query.venue).toBe('polymarket');
  await open('/arbitrage');
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await expect.poll(() => server.askedFor(listOpportunities).at(-1)?.query.venue).toBe('kalshi');
  await open('/discover');
  await expect.element(page.getByRole('row').nth(1)).toMatchTextContent('Polymarket');
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await expect.poll(() => server.askedFor(listRelations).at(-1)?.query.venue).toBe('kalshi');
  await open('/report?venue=kalshi');
  await expect.poll(() => server.askedFor(readReport).at(-1)?.query.venue).toBe('kalshi');
  await expect.element(page.getByLabelText('Venue')).toHaveValue('kalshi');
});

test('notifications, the ledger, the census and external orders are filtered by venue', async () => {
  await open('/notifications');
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await expect.poll(() => server.askedFor(listNotifications).at(-1)?.query.venue).toBe('kalshi');
  server.answer(listLedger, { data: [], count: 0 });
  await open('/ledger');
  await page.getByLabelText('Venue').selectOptions('Kalshi');
  await button('Apply').click();
  await expect.poll(() => server.askedFor(listLedger).at(-1)?.query.venue).toBe('kalshi');
  await open('/discover/census');
  await page.getByLabelText('Venue', { exact: true }).selectOptions('Kalshi');
  await expect.poll(() => server.askedFor(readCensus).at(-1)?.query.venue).toBe('kalshi');
  const order = {
    ...{ order_hash: 'kalshi:x', token_id: 'kalshi:GUST:yes', market_id: 'kalshi:GUST', market_name: 'Gusts' },
    ...{ outcome: 'Yes', side: 'buy' as const, price: 0.4, size: 10, matched_size: 0 },
    ...{ since: '2026-01-01T00:00:00.000Z', ended_at: null },
  };
  server.answer(listExternalOrders, { data: [order], count: 1 });
  await open('/');
  await expect.element(page.getByRole('row', { name: /Gusts/ })).toMatchTextContent('Gusts Kalshi');
  server.answer(listExternalOrders, ({ query }) => (query.venue === 'polymarket' ? NONE : { data: [order], count: 1 }));
  const panel = page.getByRole('region', { name: /^External Orders/ });
  await panel.getByLabelText('Venue').selectOptions('Polymarket');
  await expect.element(page.getByRole('row', { name: /Gusts/ })).not.toBeInTheDocument();
  await panel.getByLabelText('Venue').selectOptions('All venues');
  await expect.element(page.getByRole('row', { name: /Gusts/ })).toBeVisible();
});

test('nothing is filtered by venue where there is one', async () => {
  server.answer(readSystemStatus, recorded(readSystemStatus));
  await open('/orders');
  await expect.element(page.getByLabelText('Side')).toBeVisible();
  await expect.element(page.getByLabelText('Venue')).not.toBeInTheDocument();
});

test('System Settings set limits of each venue and of the whole desk', async () => {
  const stored = { ...recorded(readLimits), required: false, per_day_usd: null };
  server.answer(readLimits, ({ query }) => ({ ...stored, placed_today_usd: query.venue === 'kalshi' ? 7 : 0 }));
  server.answer(readDeskLimits, { ...stored, placed_today_usd: 9 });
  server.answer(writeLimits, { ...stored, per_day_usd: 40 });
  server.answer(writeDeskLimits, { ...stored, per_day_usd: 50 });
  await open('/admin/system-settings');
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await expect.element(card('Limits at Polymarket')).toBeVisible();
  await expect.element(card('Limits at Kalshi').getByText('$7.00 placed since midnight UTC.')).toBeVisible();
  await expect.element(card('Limits of the Whole Desk').getByText('$9.00 placed since midnight UTC.')).toBeVisible();
  await typeInto(card('Limits at Kalshi').getByLabelText('Limit per day'), '40');
  await button('Save').click();
  await expect.element(toast('Limits at Kalshi updated successfully.')).toBeVisible();
  await typeInto(card('Limits of the Whole Desk').getByLabelText('Limit per day'), '50');
  await button('Save').click();
  await expect.element(toast('Limits of the whole desk updated successfully.')).toBeVisible();
  expect(server.askedFor(writeLimits)).toMatchObject([{ query: { venue: 'kalshi' }, body: { per_day_usd: 40 } }]);
  expect(server.askedFor(writeDeskLimits)).toMatchObject([{ body: { per_day_usd: 50 } }]);
  await expectAccessible('limits of two venues');
});

test('System Settings say at which venue something is converted, and offer nothing at one that pays by itself', async () => {
  const off = { ...recorded(readExitSettings), auto_redeem: false };
  server.answer(readExitSettings, ({ query }) => ({ ...off, pays_by_itself: query.venue === 'kalshi' }));
  server.answer(writeExitSettings, { ...off, auto_redeem: true });
  server.answer(readDeskLimits, recorded(readLimits));
  await open('/admin/system-settings');
  const redeems = (name: string) =>
    page.getByRole('region', { name, exact: true }).getByRole('switch', { name: 'Redeem by itself' });
  await expect.element(redeems('Exits at Polymarket')).not.toBeChecked();
  await expect.element(page.getByText('there is nothing to convert or redeem')).toBeVisible();
  await expect.element(redeems('Exits at Kalshi')).not.toBeInTheDocument();
  await redeems('Exits at Polymarket').click();
  await expect.element(page.getByText('Redeem by itself at Polymarket')).toBeVisible();
  await button('Save').click();
  await expect.element(toast('Exit settings at Polymarket updated successfully.')).toBeVisible();
  expect(server.askedFor(writeExitSettings)).toMatchObject([
    { query: { venue: 'polymarket' }, body: { auto_redeem: true } },
  ]);
  await expectAccessible('exit settings of two venues');
});

test('System Settings offer no exits at a venue without a key that may trade', async () => {
  server.answer(readExitSettings, ({ query }) => ({
    ...recorded(readExitSettings),
    is_read_only: query.venue === 'kalshi',
  }));
  server.answer(readDeskLimits, recorded(readLimits));
  await open('/admin/system-settings');
  const exits = (venue: string) => page.getByRole('region', { name: `Exits at ${venue}`, exact: true });
  await expect.element(exits('Kalshi').getByText('nothing is converted or redeemed')).toBeVisible();
  await expect.element(exits('Kalshi').getByRole('switch')).not.toBeInTheDocument();
  await expect.element(exits('Polymarket').getByRole('switch', { name: 'Redeem by itself' })).toBeVisible();
});

const venuesMenu = async (entry: string) => {
  await button('By Venue').click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

test('the top bar disarms one venue or all at once, and arms one', async () => {
  server.answer(disarmTrading, ({ query }) =>
    statusOf([at('polymarket', { armed: query.venue === 'kalshi' }), at('kalshi', { armed: false })]),
  );
  await open('/batches');
  await expect.element(banner().getByText('Armed', { exact: true })).toBeVisible();
  await venuesMenu('Disarm Kalshi');
  await expect.element(toast('Trading at Kalshi is disarmed. No order leaves there any more.')).toBeVisible();
  await expect.element(banner().getByText('Armed at Polymarket only')).toBeVisible();
  await expectAccessible('a top bar with one of two venues armed');
  await button('Disarm').click();
  await expect.element(banner().getByText('Trading disarmed')).toBeVisible();
  expect(server.askedFor(disarmTrading).map(({ query }) => query)).toEqual([{ venue: 'kalshi' }, {}]);
  server.answer(armTrading, statusOf([at('polymarket', { armed: false }), at('kalshi')]));
  await venuesMenu('Arm Kalshi');
  const form = dialog('Arm Trading at Kalshi');
  await form.getByRole('textbox').fill('ARM');
  await form.getByRole('button', { name: 'Arm Trading' }).click();
  await expect.element(banner().getByText('Armed at Kalshi only')).toBeVisible();
  expect(server.askedFor(armTrading)).toMatchObject([{ query: { venue: 'kalshi' } }]);
});

test('arming all says which of them are not armed, and why', async () => {
  const venues = [at('polymarket'), at('kalshi', { armed: false, arming_refusal: 'Set the limit per day first' })];
  server.answer(readSystemStatus, statusOf(venues.map((each) => ({ ...each, armed: false }))));
  server.answer(armTrading, {
    ...statusOf(venues),
    not_armed: [{ venue: 'kalshi', detail: 'Set the limit per day first' }],
  });
  await open('/batches');
  await button('Arm').click();
  await dialog('Arm Trading').getByRole('textbox').fill('ARM');
  await dialog('Arm Trading').getByRole('button', { name: 'Arm Trading' }).click();
  await expect.element(toast('Not armed at Kalshi')).toMatchTextContent(/Set the limit per day first/);
  expect(server.askedFor(armTrading).map(({ query }) => query)).toEqual([{}]);
});

test('of a halt at one venue that is not stored yet the top bar says what holds', async () => {
  server.answer(disarmTrading, Response.json({ message: 'Halted.', stored: false }, { status: 202 }));
  await open('/batches');
  await venuesMenu('Disarm Kalshi');
  await expect.element(toast('Not stored yet')).toBeVisible();
  const badge = banner().getByText('Armed at Polymarket only');
  await expect.element(badge).toBeVisible();
  expect(badge.element().closest('[title]')?.getAttribute('title')).toMatch(
    /Kalshi: Trading is halted in this process/,
  );
});

test('the portfolio has the cash of each venue below that of both', async () => {
  const portfolio = recorded(readPortfolio);
  const [one] = portfolio.cash.by_venue;
  if (one === undefined) throw new Error('there is no recorded cash');
  const ofKalshi = { ...one, venue: 'kalshi' as const, free_usd: 41.94, in_orders_usd: 2, redeemable_usd: null };
  server.answer(readPortfolio, { ...portfolio, cash: { ...portfolio.cash, by_venue: [one, ofKalshi] } });
  await open('/portfolio');
  const cash = page.getByRole('region', { name: 'Cash', exact: true });
  for (const text of ['Kalshi: $41.94', 'Kalshi: $2.00', 'Kalshi: not known'])
    await expect.element(cash.getByText(text, { exact: true })).toBeVisible();
  await expect.element(cash.getByText(/^Polymarket: /).first()).toBeVisible();
  await expectAccessible('the cash of two venues');
});

test('the report says what was paid, came back and is bound at each venue, and nothing of it where there is one', async () => {
  const summary = recorded(readReport);
  const [one] = summary.by_venue;
  if (one === undefined) throw new Error('there is no recorded venue');
  const there = { ...one, venue: 'kalshi' as const, batches: 3, cost_usd: 41.94, received_usd: 12.5, capital_usd: 30 };
  await open('/report');
  await expect.element(page.getByRole('region', { name: 'Capital', exact: true })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'By Venue', exact: true })).not.toBeInTheDocument();
  server.answer(readReport, { ...summary, by_venue: [one, there] });
  await open('/report');
  await expectCells('By Venue', 'Venue', 'Polymarket', 'Kalshi');
  await expectCells('By Venue', 'Paid for Shares', '$412.50', '$41.94');
  await expectCells('By Venue', 'Came Back', '$328.65', '$12.50');
  await expectCells('By Venue', 'Bound Now', '$96.25', '$30.00');
  await expectAccessible('a report of two venues');
  await page.getByRole('link', { name: '$30.00' }).click();
  await expect.poll(() => server.askedFor(listBatchResults).at(-1)?.query).toMatchObject({ venue: 'kalshi' });
});

test('the ledger names the venue that differs, and a difference in dollars is stated at one', async () => {
  const balances = recorded(readLedgerBalances);
  const difference = { unit: 'usd', market_name: null, amount: '-1', explanation: 'Unexplained.' };
  const check = { ...balances.check, differences: [{ ...difference, since: '2026-11-20T00:00:00.000Z' }] };
  const checks = [balances.check, { ...check, venue: 'kalshi' }];
  server.answer(readLedgerBalances, { ...balances, checks: checks as never });
  server.answer(stateDifference, () => recorded(listLedger).data[1] as never);
  await open('/ledger');
  await expect.element(page.getByText('Kalshi Does Not Have What the Ledger Says')).toBeVisible();
  const state = async (fill: (form: ReturnType<typeof dialog>) => Promise<void>) => {
    await button('State a Difference').click();
    const form = dialog('State a Difference');
    await typeInto(form.getByLabelText('Amount'), '25');
    await typeInto(form.getByLabelText('Reason'), 'From the bank');
    await fill(form);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(form).not.toBeInTheDocument();
  };
  await state((form) => form.getByLabelText('Venue').selectOptions('Kalshi'));
  await state(async (form) => {
    await typeInto(form.getByLabelText('Unit'), 'kalshi:101');
    await expect.element(form.getByLabelText('Venue')).not.toBeInTheDocument();
  });
  expect(server.askedFor(stateDifference).map(({ body }) => body)).toEqual([
    { kind: 'deposit', unit: 'usd', amount: '25', reason: 'From the bank', venue: 'kalshi' },
    { kind: 'deposit', unit: 'kalshi:101', amount: '25', reason: 'From the bank' },
  ]);
});

test('what has won is redeemed where the venue is asked to, unless trading is disarmed there, and never at one that pays by itself', async () => {
  const portfolio = recorded(readPortfolio);
  const won = portfolio.holdings.find(({ resolved_value }) => resolved_value === 1);
  if (won === undefined) throw new Error('nothing that has won was recorded');
  const ofKalshi = { ...won, market_id: 'kalshi:won', token_id: 'kalshi:1', event_id: 'kalshi:won' };
  server.answer(readPortfolio, { ...portfolio, holdings: [...portfolio.holdings, ofKalshi] });
  server.answer(readSystemStatus, statusOf([at('polymarket', { armed: false }), at('kalshi')]));
  await open('/portfolio');
  await expect
    .element(button('Redeem All at Polymarket'))
    .toHaveAccessibleDescription('Off while trading is disarmed.');
  await expect.element(page.getByText('Kalshi pays it by itself')).toBeVisible();
  expect(page.getByRole('button', { name: /^Redeem/ }).elements()).toHaveLength(2);
  server.answer(readPortfolio, { ...portfolio, holdings: [ofKalshi] });
  await open('/portfolio?again');
  await expect.element(page.getByRole('heading', { name: 'Resolved, Being Paid' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Redeem/ })).not.toBeInTheDocument();
});

const MOVE_ID = 'c0ffee00-0000-4000-8000-000000000001';

function answerPockets(moves: Partial<Wire<typeof moveCash>>[], refused: string | null = null) {
  const portfolio = recorded(readPortfolio);
  const cash = { free_usd: 112, in_orders_usd: 0, settling_usd: 0, redeemable_usd: 0, read_at: portfolio.read_at };
  const pockets = [
    { name: '0', description: 'Economics, politics', free_usd: 100, target_percent: 60 },
    { name: '2', description: 'Crypto', free_usd: 12, target_percent: null },
  ].map((pocket) => ({ ...pocket, trades: true, takes_moves: true }));
  server.answer(readPortfolio, {
    ...portfolio,
    cash: { ...portfolio.cash, by_venue: [{ venue: 'kalshi', ...cash, pockets }] },
  });
  server.answer(readCashPockets, { venues: [{ venue: 'kalshi', move_refusal: refused, pockets }] });
  const known = moves.map((move) => ({
    ...{
      id: MOVE_ID,
      venue: 'kalshi' as const,
      from_pocket: '0',
      to_pocket: '2',
      amount_usd: 40,
      status: 'sent' as const,
    },
    ...{ reason: null, requested_by: 'boss@example.com', created_at: portfolio.read_at, sent_at: null, ended_at: null },
    ...move,
  }));
  server.answer(listCashMoves, { data: known, count: known.length });
  server.answer(moveCash, () => {
    const sent = { ...known[0], status: 'recorded' } as Wire<typeof moveCash>;
    return sent;
  });
  server.answer(closeCashMove, { ...known[0], status: 'done' } as Wire<typeof closeCashMove>);
}

test('cash is moved into the shard that a refusal names, from the one that has most, and once for each form', async () => {
  answerPockets([{ status: 'done', ended_at: recorded(readPortfolio).read_at }]);
  await open('/portfolio?cashTo=2');
  await expectCells('Cash at Kalshi', 'Free', '$100.00', '$12.00');
  await expectCells('Cash at Kalshi', 'Kept by the Venue', '60%', '–');
  const form = dialog('Move Cash at Kalshi');
  await expect.element(form.getByLabelText('From Shard')).toHaveValue('0');
  await expect.element(form.getByLabelText('To Shard')).toHaveValue('2');
  await typeInto(form.getByLabelText('Amount'), '100.01');
  await form.getByRole('button', { name: 'Move Cash' }).click();
  await expect.element(form).toMatchTextContent('Shard 0 has $100.00');
  await form.getByRole('button', { name: 'All $100.00' }).click();
  await expect.element(form.getByLabelText('Amount')).toHaveValue('100');
  await form.getByRole('button', { name: 'Even Out $44.00' }).click();
  await expect.element(form.getByLabelText('Amount')).toHaveValue('44');
  await form.getByLabelText('From Shard').selectOptions('2');
  await form.getByLabelText('To Shard').selectOptions('0');
  await expect.element(form.getByRole('button', { name: /^Even Out/ })).not.toBeInTheDocument();
  await form.getByRole('button', { name: 'All $12.00' }).click();
  await expect.element(form.getByLabelText('Amount')).toHaveValue('12');
  await form.getByLabelText('From Shard').selectOptions('0');
  await form.getByLabelText('To Shard').selectOptions('2');
  await typeInto(form.getByLabelText('Amount'), '40');
  await expectAccessible('moving cash between shards');
  await form.getByRole('button', { name: 'Move Cash' }).click();
  await expect
    .poll(() => server.askedFor(moveCash).map(({ body }) => body))
    .toMatchObject([{ venue: 'kalshi', from_pocket: '0', to_pocket: '2', amount_usd: 40 }]);
});

test('a move that is not known to be made holds back the next, until a superuser states what the venue shows', async () => {
  answerPockets([{ status: 'unknown', reason: 'no answer: timeout' }]);
  await open('/portfolio');
  await expectCells('Moves of Cash', 'Status', 'Unknown, check at the venue');
  await expect.element(button('Move Cash')).toBeDisabled();
  await button('State What Became of It').click();
  await dialog('State What Became of a Move').getByLabelText('Found at the Venue').selectOptions('It was not made');
  await dialog('State What Became of a Move').getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => server.askedFor(closeCashMove).map(({ params, body }) => [params, body]))
    .toEqual([[{ cash_move_id: MOVE_ID }, { was_made: false }]]);
});

test('where no key may move cash that is said, and the top bar has the cash of each venue', async () => {
  answerPockets([], 'No key of this desk may move cash.');
  const cash = {
    free_usd: 112,
    pockets: [
      { name: '0', free_usd: 100 },
      { name: '2', free_usd: 12 },
    ],
  };
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi', { cash } as never)]));
  await open('/portfolio');
  await expect
    .element(page.getByRole('region', { name: 'Cash at Kalshi by Shard' }))
    .toMatchTextContent('No key of this desk may move cash.');
  await expect.element(button('Move Cash')).not.toBeInTheDocument();
  await expect
    .element(banner().getByText('$112.00'))
    .toHaveAttribute('title', 'Free at Kalshi: shard 0 $100.00, shard 2 $12.00');
  await page.viewport(1024, 800);
  server.answer(readMe, { ...recorded(readMe), full_name: null, email: 'admin@example.com' });
  await open('/portfolio');
  const name = banner().getByText('admin@example.com');
  await expect.element(name).toBeVisible();
  expect(name.element().scrollWidth, 'the account is whole').toBe(name.element().clientWidth);
  expect(banner().element().getBoundingClientRect().height, 'on one line').toBeLessThan(60);
});
