/** One opportunity: what its page shows. The ticket that places an order has a file of its own. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { listMarketRules } from '@dutchbook/contract/markets.ts';
import {
  checkOpportunity,
  deleteOpportunity,
  listOpportunities,
  readOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { readSeries, simulateOrders } from '@dutchbook/contract/placing.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { readDepth, readHistory, readPricesBefore } from '@dutchbook/contract/valuation.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, cellsOf, expectCells, figureIn, rowsOf, toast } from '../testing/look.ts';
import { answerOpportunity, OPPORTUNITY, openPage, openTicket, PLAN, ticket } from '../testing/order-ticket.ts';
import { recorded } from '../testing/recorded.ts';
import { onDesk, onPhone, open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const HOUR_MS = 3_600_000;

beforeEach(answerOpportunity);

const panel = (name: string) => page.getByRole('region', { name, exact: true });

test('says beside a position whose market has resolved what a share of it pays', async () => {
  const [first, ...others] = OPPORTUNITY.positions;
  if (first === undefined) throw new Error('the recorded opportunity has positions');
  server.answer(readOpportunity, { ...OPPORTUNITY, positions: [{ ...first, resolved_value: 0.5 }, ...others] });
  await openPage();
  await expect.element(page.getByText('Resolved at 0.5000')).toBeVisible();
  expect(page.getByText(/^Resolved at/).length).toBe(1);
});

test('warns of a target above what a set surely pays, where that is known', async () => {
  server.answer(readOpportunity, { ...OPPORTUNITY, target_price: 3, pays_at_most: 1 });
  await openPage();
  const warning = 'Its target of $3.0000 is more than a set surely pays';
  await expect.element(page.getByText(warning)).toBeVisible();
  await button('Edit').click();
  const form = page.getByRole('dialog', { name: 'Edit Opportunity' });
  await expect.element(form.getByText(warning)).toBeVisible();
  await userEvent.fill(form.getByLabelText('Target Price').element(), '1');
  await expect.element(form.getByText(/more than a set surely pays/)).not.toBeInTheDocument();
  for (const given of [{ target_price: 1, pays_at_most: 1 }, { target_price: 3 }]) {
    server.answer(readOpportunity, { ...OPPORTUNITY, ...given });
    await openPage();
    await expect.element(panel('Price Information')).toBeVisible();
    await expect.element(page.getByText(/more than a set surely pays/)).not.toBeInTheDocument();
  }
});

test('says of an opportunity that is bought in clips why no further one is bought', async () => {
  const series_id = crypto.randomUUID();
  const series = { series_id, clips: 3, clips_max: 20, spent_usd: 123.4, pause: null, uneven: [] };
  server.answer(readSeries, { series });
  await openPage();
  const shown = panel('Series');
  await expect
    .element(shown)
    .toMatchTextContent(/3 clips of at most 20, \$123.40 spent.The next clip is bought as soon/);
  await expect.element(shown.getByRole('link')).toHaveAttribute('href', `/batches/${series_id}`);
  server.answer(readSeries, { series: { ...series, pause: 'disarmed' } });
  await openPage();
  await expect.element(panel('Series').getByText(/^No further clip: trading was disarmed/)).toBeVisible();
  // One of long ago holds back all later ones.
  const batch_id = crypto.randomUUID();
  const uneven = [{ batch_id, clip_number: 1, worst_loss_usd: 3.5 }];
  server.answer(readSeries, { series: { ...series, pause: 'uneven', uneven } });
  await openPage();
  const held = panel('Series').getByText(/^No further clip until these .* are sold: clip 1 \(\$3\.50 at risk\)\.$/);
  await expect.element(held).toBeVisible();
  await expect.element(held.getByRole('link')).toHaveAttribute('href', `/batches/${batch_id}`);
  server.answer(readSeries, { series: { ...series, clips: 20, pause: 'clips max' } });
  await openPage();
  await expect
    .element(panel('Series').getByText(/^No further clip: there are as many as “Most clips in a row” allows/))
    .toBeVisible();
});

test('says under its title when it pays', async () => {
  const checked = '2026-11-21T10:00:00.000Z';
  server.answer(readOpportunity, { ...OPPORTUNITY, last_checked: checked, pays_at: '2027-01-31T12:00:00.000Z' });
  await openPage();
  await expect.element(page.getByText(/^Pays on Jan 31/)).toBeVisible();
  server.answer(readOpportunity, { ...OPPORTUNITY, last_checked: checked, pays_at: '2026-11-21T09:00:00.000Z' });
  await openPage();
  await expect.element(page.getByText('Pays at once, by a merge or a conversion.')).toBeVisible();
});

test('says what it earns as if all year, on its page and on the ticket', async () => {
  server.answer(readOpportunity, { ...OPPORTUNITY, annualised_return: 40.5 });
  server.answer(simulateOrders, { ...PLAN, annualised_return: 33.25 });
  await openTicket();
  expect(figureIn(panel('Price Information'), 'Return a Year')).toBe('40.50%');
  await expect.poll(() => figureIn(ticket(), 'Return a Year')).toBe('33.25%');
});

test('says how much of the depth that is shown orders like it have met, and where too few are known', async () => {
  const depth = { ...recorded(readDepth), max_profitable_size: 834 };
  server.answer(readDepth, { ...depth, survival: { expected_size: 610, orders_like_it: 312, orders_needed: 30 } });
  await openPage();
  await expect
    .element(
      panel('Profit by Size').getByText(
        'The books show 834.00 sh that pay. An order is expected to get 610.00 of them, by 312 earlier orders like it.',
      ),
    )
    .toBeVisible();
  server.answer(readDepth, { ...depth, survival: { expected_size: null, orders_like_it: 1, orders_needed: 30 } });
  await openPage();
  await expect
    .element(
      panel('Profit by Size').getByText(/How many of them an order gets is known after 30 orders like it, 1 so far\./),
    )
    .toBeVisible();
});

test('says beside the curve what the policy chooses by the books of the curve, also once they have moved', async () => {
  const depth = recorded(readDepth);
  const chosen = { order_size: 14, bounded_by: 'depth', allowed: true, paying_size: 14 } as const;
  server.answer(readDepth, { ...depth, chosen_size: chosen });
  await openPage();
  const shown = panel('Profit by Size');
  await expect.element(shown.getByText(/^The size policy chooses 14\.00 sh/)).toBeVisible();
  // Of the smallest size the policy does not say what would pay.
  const smallest = { ...chosen, bounded_by: 'minimum', paying_size: null } as const;
  server.answer(readDepth, { ...depth, max_profitable_size: 0, survival: null, chosen_size: smallest });
  tell(`opportunity:${OPPORTUNITY.id}`, 'opportunity_detail', OPPORTUNITY.id, { ...OPPORTUNITY, current_price: 1.02 });
  await expect.element(shown.getByText(/^The size policy chooses nothing/)).toBeVisible();
  await expect.element(shown.getByText(/^The size policy chooses 14/)).not.toBeInTheDocument();
});

test('shows how the price moved against the target, by ranges, and where nothing was recorded', async () => {
  const point = (minutesAgo: number, current_price: number | null, triggered = false) => ({
    at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    current_price,
    target_price: 1,
    profit_percentage: current_price === null ? null : 3,
    triggered,
  });
  const day = [point(110, 0.97), point(90, 0.92, true), point(70, null), point(65, 0.99)];
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now, last_checked: now };
  server.answer(readOpportunity, { ...OPPORTUNITY, ...times, current_price: 0.75, triggered: true });
  server.answer(readHistory, ({ query }) => ({
    data: Date.now() - Date.parse(query.since ?? '') > 2 * HOUR_MS ? day : [],
  }));
  await openPage();
  const history = panel('Price History');
  await expect.element(history).toMatchTextContent(/No prices recorded yet/);
  const ranges = history.getByRole('radiogroup', { name: 'Range of the price history' });
  expect(ranges.getByRole('radio').length).toBe(4);
  await expect.element(ranges.getByRole('radio', { name: '1 h' })).toBeChecked();
  (ranges.getByRole('radio', { name: '1 h' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  const chart = page.getByRole('img', { name: 'Current price against target price' });
  await expect
    .element(chart)
    .toHaveAccessibleDescription(
      'In the last 24 hours the current price moved between 0.7500 and 0.9900, against a target of 1.0000. It triggered twice. It could not be priced once.',
    );
  await page.getByLabelText('Show as a table: Current price against target price').click();
  const points = () => rowsOf('Current price against target price').map(({ textContent }) => textContent);
  await expect.poll(() => points().length).toBe(5);
  for (const [nth, price] of ['0.7500', '0.9900', 'None', '0.9200', '0.9700'].entries())
    expect(points()[nth]).toContain(price);
  for (const range of ['7 d', '30 d']) {
    await history.getByText(range, { exact: true }).click();
    await expect.element(chart).toHaveAccessibleDescription(new RegExp(`^In the last ${range.slice(0, -2)} days`));
  }
  const moved = { ...OPPORTUNITY, ...times, updated_at: new Date().toISOString(), current_price: 0.74 };
  tell(`opportunity:${OPPORTUNITY.id}`, 'opportunity_detail', OPPORTUNITY.id, moved);
  await expect.poll(() => points()[0]).toContain('0.7400');
});

test('begins the history of a young opportunity with the prices of the recorded books', async () => {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const point = (minutesAgo: number, current_price: number) => ({
    ...{ at: at(minutesAgo), current_price, target_price: 1, profit_percentage: 3, triggered: false },
  });
  const times = { created_at: at(10), updated_at: at(1), last_checked: at(1) };
  server.answer(readOpportunity, { ...OPPORTUNITY, ...times, current_price: 0.9 });
  server.answer(readHistory, { data: [point(10, 0.9)] });
  server.answer(readPricesBefore, { since: at(60), data: [point(50, 0.97), point(30, 0.95)] });
  await openPage();
  const chart = page.getByRole('img', { name: 'Current price against target price' });
  await expect.element(chart).toHaveAccessibleDescription(/between 0\.9000 and 0\.9700/);
  const said = /when this opportunity was stored, these are the prices of the recorded books\./;
  await expect.element(panel('Price History')).toMatchTextContent(said);
});

test('keeps the rest of the page when the books or the history cannot be had', async () => {
  const refuse = () => refusal(409, 'Come back later');
  server.answer(readHistory, refuse);
  server.answer(readDepth, refuse);
  await openPage();
  await expect.element(panel('Price History')).toMatchTextContent(/Error loading the price history/);
  await expect.element(panel('Profit by Size')).toMatchTextContent(/Error loading the order books/);
  await expect.element(panel('Order Books')).toMatchTextContent(/Come back later/);
  await expect.element(panel('Price Information')).toMatchTextContent(/0\.8680.*\+15\.21%\+\$0\.1320 a set/);
  server.answer(readHistory, recorded(readHistory));
  server.answer(readDepth, recorded(readDepth));
  await panel('Order Books').getByRole('button', { name: 'Try Again' }).click();
  await panel('Price History').getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(() => rowsOf('Order book of leg 3').length).toBeGreaterThan(3);
  await expect.element(page.getByText(/^Error loading/)).not.toBeInTheDocument();
});

test('says what failed, and why', async () => {
  const refuse = () => refusal(409, 'It is in use');
  for (const endpoint of [checkOpportunity, deleteOpportunity, simulateOrders]) server.answer(endpoint, refuse);
  vi.spyOn(window, 'confirm').mockReturnValue(true);
  await openPage();
  for (const [name, said] of [
    ['Check Prices', 'Failed to check prices'],
    ['Delete', 'Failed to delete arbitrage opportunity'],
    ['Simulate Order', 'Failed to simulate order'],
  ] as const) {
    await button(name).click();
    await expect.element(toast(said)).toMatchTextContent(/It is in use/);
  }
});

test('stays within a phone where no price is known, and every figure within its column', async () => {
  const error = `Leg 1: no order book of ${'7'.repeat(77)}`;
  const unknown = { current_price: null, fees_per_set: null, profit_percentage: null, max_profitable_size: null };
  const blockers = [
    {
      gate: 'price_band' as const,
      message: `the price of ${'7'.repeat(77)} is not known`,
      actual: 1e15,
      required: 1e15,
    },
  ];
  server.answer(readOpportunity, { ...OPPORTUNITY, ...unknown, last_error: error, error_count: 12_345, blockers });
  server.answer(readDepth, { ...recorded(readDepth), curve: [], max_profitable_size: null });
  await openPage();
  await onPhone();
  await expect.element(page.getByText(error)).toBeVisible();
  await expect.poll(pixelsBeyondTheEdge).toBe(0);

  await onDesk();
  const { orders } = PLAN;
  const large = { order_size: 4_980, orders: orders.map((order) => ({ ...order, size: 4_980 })) };
  server.answer(readOpportunity, { ...OPPORTUNITY, max_profitable_size: 1_234_567 });
  server.answer(simulateOrders, { ...PLAN, ...large });
  await openTicket();
  await expectCells('Planned orders', 'Shares', '4,980.00', '4,980.00', '4,980.00');
  const tooWide = [...document.querySelectorAll('dd')].filter((figure) => figure.scrollWidth > figure.clientWidth);
  expect(tooWide.map(({ textContent }) => textContent)).toEqual([]);
});

test('says of each gate that refuses an order what is and what is needed, once and with its unit', async () => {
  const refusal = { gate: 'profit', message: 'net -3.63%, needs 0.80%', actual: -3.6284, required: 0.8 };
  server.answer(readOpportunity, { ...OPPORTUNITY, blockers: [refusal] as never });
  await openPage();
  const panel = page.getByRole('region', { name: 'Blockers' });
  await expect.element(panel).toMatchTextContent(/^Blockersnet -3\.63%, needs 0\.80% Profit that triggers$/i);
});

test('says of a triggered one that it is blocked only where a person cannot place it either, and why', async () => {
  const figures = { actual: null, required: null };
  const forAll = { ...figures, gate: 'price-band', message: 'the price is out of its band', automatic_only: false };
  const onlyAutomatic = { ...figures, gate: 'found-switch', message: 'found ones wait', automatic_only: true };
  const triggered = { ...OPPORTUNITY, active: true, triggered: true };
  server.answer(readOpportunity, { ...triggered, blockers: [onlyAutomatic] });
  await openPage();
  const header = page.getByRole('main');
  await expect.element(header.getByText('Not bought automatically', { exact: true }).first()).toBeVisible();
  await expect
    .element(header.getByText('Not bought automatically: found ones wait. You can place it by hand.'))
    .toBeVisible();
  await expect.element(header.getByText('Blocked', { exact: true })).not.toBeInTheDocument();
  server.answer(readOpportunity, { ...triggered, blockers: [onlyAutomatic, forAll] });
  await openPage();
  await expect.element(header.getByText('Blocked', { exact: true }).first()).toBeVisible();
  await expect.element(header.getByText('Blocked: the price is out of its band.')).toBeVisible();
  expect(header.getByRole('link', { name: 'Most that a clip may lose' }).elements()).toHaveLength(0);
  const message =
    'the order could lose more than LOSS_ALLOWANCE_USD allows if it fills in part (up to $30.55; LOSS_ALLOWANCE_USD is $25.00: set it to $30.55 or more in System Settings)';
  server.answer(readOpportunity, { ...triggered, blockers: [{ ...onlyAutomatic, gate: 'loss-allowance', message }] });
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
  await openPage();
  await expect
    .element(
      header.getByText(
        'Not bought automatically: the order could lose more than “Most that a clip may lose” allows if it fills in part (up to $30.55; “Most that a clip may lose” is $25.00: set it to $30.55 or more in System Settings). You can place it by hand.',
      ),
    )
    .toBeVisible();
  await expect
    .element(header.getByRole('link', { name: 'Most that a clip may lose' }).first())
    .toHaveAttribute('href', '/admin/system-settings#LOSS_ALLOWANCE_USD');
  const unapproved = 'A superuser has to approve the relation first';
  const relation = { relation_id: OPPORTUNITY.id };
  server.answer(readOpportunity, { ...triggered, ...relation, blockers: [{ ...onlyAutomatic, message: unapproved }] });
  await openPage();
  await expect
    .element(header.getByRole('link', { name: 'Approve' }).first())
    .toHaveAttribute('href', `/discover/${relation.relation_id}`);
});

test('leads to the page of each market at the venue, and shows its rules once they are asked for', async () => {
  const { data } = recorded(listMarketRules);
  const page_ = 'https://venue.example/event/straits/valdoria';
  server.answer(listMarketRules, { data: data.map((market) => ({ ...market, page: page_ })) });
  await openPage();
  const [first, second] = OPPORTUNITY.positions;
  const link = page.getByRole('link', { name: `Page of ${first?.question} at the venue` });
  await expect.element(link).toHaveAttribute('href', page_);
  expect(link.element().getAttribute('rel')).toBe('noreferrer');
  expect(server.askedFor(listMarketRules).at(-1)?.query.market_ids?.split(',').toSorted()).toEqual(
    OPPORTUNITY.positions.map(({ market_id }) => market_id).toSorted(),
  );
  expect(cellsOf('Market Combinations', 'Market')[1]?.textContent).toContain(`${second?.question}Rules not known`);
  await page.getByText('Rules', { exact: true }).first().click();
  await expect
    .element(page.getByLabelText(`Text of the rules of ${first?.question}`))
    .toHaveValue('Resolves to Yes if Valdoria is the first to sign the Straits accord.');
});

test('the buttons keep their place when it triggers', async () => {
  const places: unknown[] = [];
  for (const triggered of [false, true]) {
    server.answer(readOpportunity, { ...OPPORTUNITY, active: true, triggered });
    await openPage();
    const status = triggered ? 'ActiveTriggered' : 'Active';
    await expect.poll(() => figureIn(panel('Basic Information'), 'Status')).toBe(status);
    places.push(button('Place Order').element().getBoundingClientRect().toJSON());
  }
  expect(places[1]).toEqual(places[0]);
});

test('one that discovery has found leads to its relation, from its page and from the list', async () => {
  const relation_id = recorded(readRelation).id;
  const found = { source: 'found', source_details: 'Exactly one of 6 outcomes', relation_id };
  const needs = [
    ['declared', 'Found by discovery: its relation, declared: needs no approval'],
    ['parsed', 'its relation, parsed: needs an approval'],
  ] as const;
  for (const [relation_basis, words] of needs) {
    server.answer(readOpportunity, { ...OPPORTUNITY, ...found, relation_basis });
    await openPage();
    await expect.poll(() => figureIn(panel('Basic Information'), 'Source')).toContain(words);
  }
  const { address } = await openPage();
  const link = panel('Basic Information').getByRole('link', { name: 'its relation' });
  await expect.element(panel('Basic Information').getByText(/^Found by discovery:/)).toBeVisible();
  await expect.element(link).toHaveAttribute('href', `/discover/${relation_id}`);
  await link.click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Cambridge Mayoral Election');
  expect(address()).toBe(`/discover/${relation_id}`);
  const { data, count } = recorded(listOpportunities);
  server.answer(listOpportunities, { data: data.map((row, nth) => (nth === 0 ? { ...row, ...found } : row)), count });
  await open('/arbitrage');
  await expect.element(page.getByRole('link', { name: 'Found' })).toHaveAttribute('href', `/discover/${relation_id}`);
  expect(page.getByRole('link', { name: 'Found' }).length).toBe(1);
  await expectAccessible('a list with an opportunity that was found');
});
