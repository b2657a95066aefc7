/** Building an opportunity without writing JSON, and with it. */
import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { deleteOpportunity, listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { expect, type Page } from '@playwright/test';
import type { Caller } from '../product/product.ts';
import { quoteThreeWay } from '../product/three-way.ts';
import { activate, tabTo } from './accessibility.ts';
import { leavePages, test } from './browser.fixture.ts';
import { figure, toast } from './screen.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Opportunity' });
const outcome = (page: Page, { question }: MarketReply, name: string) =>
  dialog(page).getByRole('button', { name: `${name}: ${question}`, exact: true });
const leg = (page: Page, number: number) => dialog(page).getByRole('list', { name: `Leg ${number}`, exact: true });
const value = (page: Page, name: string) => figure(page, 'Value', name);
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

test.afterEach(async ({ product: { caller }, context }) => {
  await leavePages(context);
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
  await expect(value(page, 'Profit $')).toHaveText(/^↑\+0\.2\d{3}$/);
  await expect(value(page, 'Profit %')).toHaveText(/^↑\+\d\d\.\d\d%$/);
  await expect(value(page, 'Max Profitable Size')).toHaveText('500.00 sh');
  await expect(dialog(page).getByText('It promises more than 20% after fees.')).toBeVisible();

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
  await expect(value(page, 'Profit $')).toHaveText(/^↓-0\.0\d{3}$/);
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
  await dialog(page).getByRole('button', { name: 'YES on all' }).click();
  await page.getByRole('dialog', { name: 'Replace Positions' }).getByRole('button', { name: 'Replace' }).click();
  await expect(dialog(page).getByText('A set over the listed ones may pay less')).toBeVisible();
  await tabTo(page, create(page));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/arbitrage\/[0-9a-f-]{36}$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Arbitrage' }).click();
  const flag = page.getByRole('button', { name: 'Augmented event' });
  await tabTo(page, flag);
  await expect(page.getByRole('tooltip')).toContainText('an outcome that is not listed');
});
