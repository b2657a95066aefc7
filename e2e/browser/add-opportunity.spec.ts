/** Building an opportunity without writing JSON, and with it. */
import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { createOpportunity, deleteOpportunity, listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import type { Caller } from '../world/product.ts';
import { quoteThreeWay } from '../world/three-way.ts';
import { activate, expectAccessible, expectAccessibleEverywhere, tabTo } from './accessibility.ts';
import { test } from './desk-test.ts';
import { figure, toast } from './screen.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Opportunity' });
const outcome = (page: Page, { question }: MarketReply, name: string) =>
  dialog(page).getByRole('button', { name: `${name}: ${question}`, exact: true });
const leg = (page: Page, number: number) => dialog(page).getByRole('list', { name: `Leg ${number}`, exact: true });
const value = (page: Page, name: string) => figure(page, 'Value', name);
const json = (page: Page) => dialog(page).getByLabel('Opportunity as JSON');
const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create' });

async function openDialog(page: Page) {
  await page.goto('/arbitrage');
  await page.getByRole('button', { name: 'Add Opportunity' }).click();
  await expect(dialog(page).getByLabel('Search Markets')).toBeFocused();
}

/** The `nth` three markets of one event at 0.25 each, and how to find them. */
async function quotedMarkets({ caller, exchange }: { caller: Caller; exchange: Parameters<typeof quoteThreeWay>[0] }) {
  const { markets } = await quoteThreeWay(exchange, caller, 9);
  const [first, second, third] = markets;
  if (!first?.event || !second || !third) throw new Error('the exchange lists no three outcomes of one event');
  return { first, second, third, event: first.event };
}

test.afterEach(async ({ product: { caller } }) => {
  const { reply } = await caller.call(listOpportunities, { query: { limit: 1000 } });
  for (const { id } of reply.data) await caller.call(deleteOpportunity, { params: { opportunity_id: id } });
});

test('outcomes are searched, picked into legs and moved between them, priced as they go, and created', async ({
  page,
  product,
}) => {
  const { first, second, third, event } = await quotedMarkets(product);
  await openDialog(page);
  await create(page).click();
  await expect(dialog(page).getByText('At least one leg is needed')).toHaveCount(1);
  await dialog(page).getByLabel('Search Markets').fill('no market is called this');
  await expect(dialog(page).getByText('No open market has these words')).toBeVisible();
  await dialog(page).getByLabel('Search Markets').fill(event.title.toUpperCase());
  await expect(dialog(page).getByRole('heading', { name: event.title })).toBeVisible();
  for (const market of [first, second, third]) await outcome(page, market, 'Yes').click();
  await expect(outcome(page, third, 'Yes')).toHaveAttribute('aria-pressed', 'true');
  await expect(leg(page, 3)).toContainText(`Yes ${third.question}`);
  await expect(leg(page, 3)).toContainText(/Price0\.2500Bid0\.2000Ask0\.2500Depth\$\d+\.\d\dFee0\.\d{4}/);
  await expect(value(page, 'Cost of One Set')).toHaveText('0.7500');
  await expect(value(page, 'Fees per Set')).toHaveText(/^0\.0\d{3}$/);
  await expect(value(page, 'Profit $')).toHaveText(/^▲\+0\.2\d{3}$/);
  await expect(value(page, 'Profit %')).toHaveText(/^▲\+\d\d\.\d\d%$/);
  await expect(value(page, 'Max Profitable Size')).toHaveText('500.00 sh');
  await expect(dialog(page).getByText('It promises more than 20% after fees.')).toBeVisible();
  await expectAccessibleEverywhere(page, 'adding an opportunity');

  await dialog(page).getByLabel(`Leg of Yes: ${third.question}`).selectOption('Leg 1');
  await expect(leg(page, 1).getByRole('listitem')).toHaveCount(2);
  await dialog(page)
    .getByRole('button', { name: `Remove Yes: ${second.question}` })
    .click();
  await expect(value(page, 'Cost of One Set')).toHaveText('0.5000');
  await dialog(page).getByLabel('Pick into').selectOption('Leg 1');
  await outcome(page, second, 'Yes').click();
  await expect(leg(page, 1).getByRole('listitem')).toHaveCount(3);
  await dialog(page).getByLabel('Target Price').fill('0');
  await expect(dialog(page).getByText('Enter a price greater than 0')).toBeVisible();
  await dialog(page).getByLabel('Target Price').fill('0.7');
  await expect(value(page, 'Profit $')).toHaveText(/^▼-0\.0\d{3}$/);
  await dialog(page).getByLabel('Source', { exact: true }).fill('desk');
  await dialog(page).getByLabel('Active:').uncheck();
  await create(page).dblclick();
  await expect(toast(page, 'Success!')).toContainText('Arbitrage opportunity created successfully');
  await expect(page).toHaveURL(/\/arbitrage\/[0-9a-f-]{36}$/);
  await expect(dialog(page)).toHaveCount(0);
  const { reply } = await product.caller.call(listOpportunities, { query: {} });
  expect(reply.data).toHaveLength(1);
  expect(reply.data[0]).toMatchObject({
    market_combinations: [{ leg: 1, markets: [first, third, second].map(({ id }) => ({ id, outcome: 'Yes' })) }],
    target_price: 700_000,
    active: false,
    source: 'desk',
  });
});

test('a whole event comes with its target price, by the keyboard alone, and warns of outcomes that are not listed', async ({
  page,
  product,
}) => {
  const { event } = await quotedMarkets(product);
  await page.goto('/arbitrage');
  await activate(page, page.getByRole('button', { name: 'Add Opportunity' }));
  await expect(dialog(page).getByLabel('Search Markets')).toBeFocused();
  await page.keyboard.type(event.title);
  await expect(dialog(page).getByRole('heading', { level: 3 })).toHaveText([event.title]);
  const whole = dialog(page).getByRole('group', { name: event.title });
  await page.keyboard.press('ArrowDown');
  await expect(whole.getByRole('button', { name: 'YES on all' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const removals = dialog(page).getByRole('button', { name: /^Remove No: / });
  await expect(removals).not.toHaveCount(0);
  const outcomes = await removals.count();
  await expect(dialog(page).getByLabel('Target Price')).toHaveValue(String(outcomes - 1));
  await expect(dialog(page).getByText(`${outcomes - 1} of ${outcomes} outcomes do not win`)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Target Price')).toHaveValue('1');
  await page.keyboard.press('ArrowDown');
  await expect(
    dialog(page)
      .getByRole('button', { name: /^Yes: / })
      .first(),
  ).toBeFocused();
  await page.keyboard.press('Space');
  await expect(dialog(page).getByRole('button', { name: /^Remove Yes: / })).toHaveCount(outcomes - 1);
  await expect(dialog(page).getByText('The target price may be too high')).toBeVisible();

  await dialog(page).getByLabel('Search Markets').fill('Ostrel Film Prize');
  await expect(dialog(page).getByText('then YES on all pays nothing')).toBeVisible();
  page.once('dialog', (question) => question.accept());
  await dialog(page).getByRole('button', { name: 'YES on all' }).click();
  await expect(dialog(page).getByText('A set over the listed ones may pay less')).toBeVisible();
  await tabTo(page, create(page));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/arbitrage\/[0-9a-f-]{36}$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Arbitrage' }).click();
  const flag = page.getByRole('button', { name: 'Augmented event' });
  await tabTo(page, flag);
  await expect(page.getByRole('tooltip')).toContainText('an outcome that is not listed');
});

test('JSON says the same both ways, names its errors with their place, and is not lost to Escape', async ({
  page,
  product,
}) => {
  const { first, second, event } = await quotedMarkets(product);
  await openDialog(page);
  await dialog(page).getByLabel('Search Markets').fill(event.title);
  await outcome(page, first, 'No').click();
  await dialog(page).getByRole('tab', { name: 'JSON' }).click();
  const picked = { market_combinations: [{ leg: 1, markets: [{ id: first.id, outcome: 'No' }] }], target_price: 1 };
  expect(JSON.parse(await json(page).inputValue())).toEqual({ ...picked, active: true });
  const typed = [{ leg: 4, markets: [{ id: second.id, outcome: 'Yes' }] }];
  await json(page).fill(JSON.stringify({ market_combinations: typed, target_price: 0.3, source_details: 'by hand' }));
  await expect(leg(page, 4)).toContainText(`Yes ${second.question}`);
  await expect(dialog(page).getByLabel('Target Price')).toHaveValue('0.3');
  await expect(value(page, 'Cost of One Set')).toHaveText('0.2500');

  await json(page).fill('{"market_combinations": [{"leg": 1.5, "markets": [{"id": 7}]}]}');
  await expect(dialog(page).getByText('market_combinations[0].leg: Invalid input: expected int')).toBeVisible();
  await expect(dialog(page).getByText('market_combinations[0].markets[0].outcome: Invalid input')).toBeVisible();
  await expectAccessible(page, 'an opportunity as broken JSON');
  await json(page).fill('{\n "market_combinations" 1');
  await expect(dialog(page).getByText(/^Line 2, column \d+: Not JSON: /)).toBeVisible();
  await dialog(page).getByRole('tab', { name: 'Search' }).click();
  await expect(leg(page, 4)).toContainText(second.question);
  await create(page).click();
  await expect(json(page)).toHaveValue('{\n "market_combinations" 1');

  page.once('dialog', (question) => question.dismiss());
  await page.keyboard.press('Escape');
  await expect(json(page)).toHaveValue('{\n "market_combinations" 1');
  page.once('dialog', (question) => question.accept());
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add Opportunity' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByText('Nothing picked yet.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('what is refused stays in the dialog, with a duplicate named, and what cannot be priced says why', async ({
  page,
  product,
  mayBeRefused,
}) => {
  for (const status of [409, 422]) mayBeRefused(status);
  const { first, second, event } = await quotedMarkets(product);
  const combinations = [{ leg: 1, markets: [first, second].map(({ id }) => ({ id, outcome: 'Yes' })) }];
  const { reply: twin } = await product.caller.call(createOpportunity, { body: { market_combinations: combinations } });
  await page.route('**/api/v1/markets?*', async (route) => {
    const answer = await route.fetch();
    const markets = await answer.json();
    for (const market of markets.data) if (market.id === second.id) market.accepting_orders = false;
    await route.fulfill({ json: markets });
  });
  await openDialog(page);
  await dialog(page).getByLabel('Search Markets').fill(event.title);
  await expect(outcome(page, second, 'Yes')).toBeDisabled();
  await expect(dialog(page).getByText('Closed')).toBeVisible();
  await dialog(page).getByRole('tab', { name: 'JSON' }).click();
  await json(page).fill(JSON.stringify({ market_combinations: combinations }));
  const link = dialog(page).getByRole('link', { name: twin.id.slice(0, 8) });
  await expect(link).toHaveAttribute('href', `/arbitrage/${twin.id}`);
  await create(page).click();
  await expect(dialog(page).getByRole('alert')).toContainText(`exists already: ${twin.id}`);
  await expect(toast(page, 'Something went wrong!')).toContainText('exists already');
  await expect(leg(page, 1).getByRole('listitem')).toHaveCount(2);

  await json(page).fill(JSON.stringify({ market_combinations: [{ leg: 1, markets: [{ id: 'm', outcome: 'Yes' }] }] }));
  await expect(dialog(page).getByText('It cannot be priced now')).toBeVisible();
  await expect(link).toHaveCount(0);
  await json(page).fill(JSON.stringify({ market_combinations: [{ leg: 1, markets: [{ id: ' ', outcome: 'Yes' }] }] }));
  await create(page).click();
  await expect(dialog(page).getByRole('alert')).toContainText(
    'market_combinations: A market id or an outcome is blank',
  );
  await expect(json(page)).toHaveValue(/"id":" "/);
});
