/** Sell All where shares can also be converted into dollars: three ways, for the whole batch or order by order. */
import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { cashNowOfBatch } from '@dutchbook/contract/exits.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { sellAll, sellOrder } from '@dutchbook/contract/selling.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { lost, refusal, type Wire } from '../testing/server.ts';

type Plan = Extract<Wire<typeof cashNowOfBatch>, { simulation: true }>;

const BATCH = recorded(listBatches).data.find(({ status }) => status === 'completed') ?? recorded(readBatch);
const ORDERS = recorded(readBatchOrders).data.map((order) => ({
  ...order,
  batch_id: BATCH.id,
  status: 'filled' as const,
  filled_size: 12,
}));
const [FIRST, SECOND, THIRD] = ORDERS.map(({ id }) => id) as [string, string, string];
const NAMES = ORDERS.map(({ market_name }) => market_name) as [string, string, string];

const SIMULATION: Extract<Wire<typeof sellAll>, { simulation: true }> = {
  simulation: true,
  batch_id: BATCH.id,
  total_orders: 3,
  sellable_orders: 3,
  total_original_value: 9,
  estimated_proceeds: 10.2,
  estimated_fees: 0.12,
  estimated_profit: 1.08,
  estimated_profit_percentage: 12,
  average_original_price: 0.25,
  average_sell_price: 0.283333,
  orders: ORDERS.map(({ id, leg, market_id, market_name, token_id, outcome }) => ({
    ...{ order_id: id, leg, market_id, market_name, token_id, outcome },
    ...{
      sell_size: 12,
      sell_price: 0.28,
      average_price: 0.283333,
      proceeds: 3.4,
      fee: 0.04,
      original_value: 3,
      buy_fee: 0,
    },
  })),
  settling: [],
  warnings: [],
  errors: [],
};

const [WAYS] = recorded(readPortfolio).events.flatMap(({ routes }) => (routes === null ? [] : [routes]));
if (WAYS === undefined) throw new Error('no ways out were recorded');
const MERGED = { ...WAYS.hold, net_usd: 12, held_least_usd: 0, held_most_usd: 0 };

const PLAN: Plan = {
  simulation: true,
  routes: {
    sell: { ...WAYS.sell, net_usd: 10.08 },
    cash_now: {
      ...MERGED,
      steps: MERGED.steps.map((step) => ({
        ...step,
        ...{ kind: 'horizontal_merge', usable: 'after_confirmation', risk: 'chain', why: 'A submission can fail.' },
      })) as typeof MERGED.steps,
    },
    hold: WAYS.hold,
  },
  orders: ORDERS.map(({ id, batch_id, leg, market_id, market_name, token_id, outcome }) => ({
    ...{ order_id: id, batch_id, leg, market_id, market_name, token_id, outcome, free_shares: 12 },
    sell: { shares: 12, usd: 3.36 },
    cash_now: { shares: 12, usd: 4 },
    hold: { shares: 12, usd: 3 },
  })),
  steps: [
    {
      kind: 'horizontal_merge',
      market_ids: ORDERS.map(({ market_id }) => market_id),
      market_names: NAMES,
      shares: 12,
      expected_usd: 12,
      tokens_out: [],
      tokens_in: [],
    },
  ],
  submissions: 1,
  quota: { used: 3, allowed: 100, resets_at: null },
  highest_gas: null,
  errors: [],
};

const SUBMISSION = { ...recorded(readChainSubmission), status: 'planned' as const, expected_usd: 12 };

/** What is planned of all orders, and of those alone that are asked for. */
function answer(of: (orderIds: readonly string[] | undefined) => Plan = () => PLAN): void {
  server.answer(cashNowOfBatch, ({ query, body }): Wire<typeof cashNowOfBatch> => {
    if (query.simulate === 'false') return { simulation: false, submissions: [SUBMISSION] };
    return of((body as { order_ids?: string[] } | null)?.order_ids);
  });
}

const sellDialog = () => dialog('Sell All Orders');
const execute = (name: string) => sellDialog().getByRole('button', { name, exact: true });
const choose = (name: string) => sellDialog().getByRole('radio', { name, exact: true });
const wholeBatch = (name: string) =>
  sellDialog()
    .getByRole('group')
    .getByRole('radio', { name: new RegExp(`^${name}`) });
const converted = () => server.askedFor(cashNowOfBatch).filter(({ query }) => query.simulate === 'false');

async function openSellAll() {
  await open(`/batches/${BATCH.id}`);
  await button('Sell All Orders').click();
  await expect.poll(() => rowsOf('Planned sales').length).toBe(3);
}

beforeEach(() => {
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, { data: ORDERS, count: 3 });
  server.answer(sellAll, SIMULATION);
  answer();
});

test('shows what each way brings, when and at which risk, in all and order by order, and sells unless chosen otherwise', async () => {
  await openSellAll();
  const ways = sellDialog().getByRole('group');
  await expect.element(ways).toMatchTextContent(/Sell.*Net Dollars\$10\.08.*Cash Now ?merges 3 of 100 today.*\$12\.00/);
  await expect.element(ways).toMatchTextContent(/When the chain has confirmed.*A submission can fail\..*Hold/);
  await expectCells('Ways out', 'Sell', '$3.36', '$3.36', '$3.36');
  await expectCells('Ways out', 'Cash Now', '$4.00', '$4.00', '$4.00');
  await expectCells('Ways out', 'Hold', 'at least $3.00', 'at least $3.00', 'at least $3.00');
  await expect.element(wholeBatch('Sell')).toBeChecked();
  await expect.element(choose(`Sell Yes of ${NAMES[0]}`)).toBeChecked();
  expect(figureIn(sellDialog(), 'Estimated Proceeds')).toBe('$10.20');
  await expectAccessible('three ways out');
  await expect.element(execute('Execute Sell Orders')).toBeEnabled();
});

test('converts the whole batch into dollars, and says what is planned', async () => {
  await openSellAll();
  await wholeBatch('Cash Now').click();
  await expect.element(choose(`Cash Now Yes of ${NAMES[2]}`)).toBeChecked();
  await expect.element(sellDialog().getByText('Cash Now brings $12.00')).toBeVisible();
  expect(rowsOf('Planned sales')).toEqual([]);
  expect(figureIn(sellDialog(), 'Estimated Proceeds')).toBeUndefined();
  await expectAccessible('a batch that is converted into dollars');
  await execute('Cash Now').click();
  await expect
    .element(sellDialog().getByRole('status').first())
    .toHaveTextContent('Cash Now: 1 submission planned for $12.00.');
  await expect
    .element(sellDialog().getByRole('link', { name: /^Cash Now/ }))
    .toHaveAttribute('href', `/submissions/${SUBMISSION.id}`);
  await expectAccessible('what came of a batch that is converted into dollars');
  expect(converted().map(({ body }) => body)).toEqual([{ order_ids: [FIRST, SECOND, THIRD] }]);
  expect(server.askedFor(sellAll).filter(({ query }) => query.simulate === 'false')).toEqual([]);
});

test('sells some orders and converts others, by keyboard, in one go with one message', async () => {
  const part = { ...PLAN.steps[0], expected_usd: 8, market_names: NAMES.slice(1) } as Plan['steps'][number];
  answer((orderIds) => (orderIds === undefined ? PLAN : { ...PLAN, steps: [part] }));
  server.answer(sellOrder, { ...(ORDERS[0] as (typeof ORDERS)[number]), side: 'sell', average_price: 0.28, fee: 0.04 });
  await openSellAll();
  await wholeBatch('Cash Now').click();
  (choose(`Cash Now Yes of ${NAMES[0]}`).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(choose(`Sell Yes of ${NAMES[0]}`)).toBeChecked();
  await expect.element(wholeBatch('Cash Now')).not.toBeChecked();
  await expect.element(sellDialog().getByText('Cash Now brings $8.00')).toBeVisible();
  await expectCells('Planned sales', 'Market', NAMES[0]);
  expect(figureIn(sellDialog(), 'Estimated Proceeds')).toBe('$3.40');
  await execute('Execute Sell Orders and Cash Now').click();
  await expect
    .element(sellDialog().getByRole('status').first())
    .toHaveTextContent('1 of 1 orders sold. Cash Now: 1 submission planned for $12.00.');
  await expectCells('Sell orders', 'Sold / Size', '12.00 / 12.00');
  const [sold] = server.askedFor(sellOrder);
  const [plan] = converted();
  expect([sold?.params, sold?.query]).toEqual([{ order_id: FIRST }, { sell_price: '0.28' }]);
  expect(plan?.body).toEqual({ order_ids: [SECOND, THIRD] });
  const keys = [sold, plan].map((asked) => asked?.headers.get('idempotency-key'));
  const [key] = keys[0]?.split('-') ?? [];
  expect(keys).toEqual([`${key}-${FIRST}`, `${key}-cash-now`]);
  expect(server.askedFor(sellAll).filter(({ query }) => query.simulate === 'false')).toEqual([]);
});

test('does nothing with what is held, and nothing at all where everything is', async () => {
  server.answer(sellOrder, { ...(ORDERS[0] as (typeof ORDERS)[number]), side: 'sell' });
  await openSellAll();
  await wholeBatch('Hold').click();
  await expect.element(execute('Execute Sell Orders')).toBeDisabled();
  await expect.element(execute('Execute Sell Orders')).toHaveAccessibleDescription(/all is held\.$/);
  await choose(`Sell Yes of ${NAMES[1]}`).click();
  await execute('Execute Sell Orders').click();
  await expect.element(sellDialog().getByRole('status').first()).toHaveTextContent('1 of 1 orders sold.');
  expect(server.askedFor(sellOrder).map(({ params }) => params)).toEqual([{ order_id: SECOND }]);
  expect(converted()).toEqual([]);
});

test('says why orders alone cannot be converted, and why nothing is while trading is disarmed', async () => {
  const none = 'Nothing can be converted into dollars now: no complete set is settled and free.';
  answer((orderIds) => (orderIds === undefined ? PLAN : { ...PLAN, orders: [], steps: [], errors: [none] }));
  await openSellAll();
  await choose(`Cash Now Yes of ${NAMES[0]}`).click();
  await expect.element(sellDialog().getByText(none)).toBeVisible();
  const both = execute('Execute Sell Orders and Cash Now');
  await expect.element(both).toHaveAccessibleDescription('Nothing is sent while there are errors.');
  await expectAccessible('orders that alone cannot be converted');
  server.answer(readSystemStatus, { ...recorded(readSystemStatus), armed: false });
  answer();
  await openSellAll();
  await expect.element(execute('Execute Sell Orders')).toBeEnabled();
  await wholeBatch('Cash Now').click();
  await expect.element(execute('Cash Now')).toHaveAccessibleDescription('Off while trading is disarmed.');
  expect(converted()).toEqual([]);
});

test('converts unless trading is disarmed at the venue of the converted orders', async () => {
  const status = recorded(readSystemStatus);
  const at = { armed_changed: null, arming_refusal: null, feed: 'live' } as const;
  const armedAt = (armed: 'polymarket' | 'kalshi') =>
    server.answer(readSystemStatus, {
      ...{ ...status, armed: true },
      venues: (['polymarket', 'kalshi'] as const).map((venue) => ({ ...at, venue, armed: venue === armed })),
    });
  armedAt('kalshi');
  await openSellAll();
  await wholeBatch('Cash Now').click();
  await expect.element(execute('Cash Now')).toHaveAccessibleDescription('Off while trading is disarmed.');
  armedAt('polymarket');
  await openSellAll();
  await wholeBatch('Cash Now').click();
  await expect.element(execute('Cash Now')).toBeEnabled();
});

test('tells of both when one of them is refused, and asks again for the same after an answer was lost', async () => {
  server.answer(sellOrder, () => refusal(409, 'Somebody was first'));
  await openSellAll();
  await wholeBatch('Cash Now').click();
  await choose(`Sell Yes of ${NAMES[0]}`).click();
  const both = execute('Execute Sell Orders and Cash Now');
  await expect.element(both).toBeEnabled();
  server.answer(sellOrder, lost);
  await both.click();
  await expect.element(both).toHaveAccessibleDescription(/the server knows that it is the same sale/);
  server.answer(sellOrder, () => refusal(409, 'Somebody was first'));
  await both.click();
  await expect
    .element(sellDialog().getByRole('status').first())
    .toHaveTextContent('0 of 1 orders sold. Cash Now: 1 submission planned for $12.00.');
  await expectCells('Sell orders', 'Error', 'Somebody was first');
  expect(new Set(converted().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  await expect.element(sellDialog().getByText(/Kept, because/)).not.toBeInTheDocument();
});

test.for([
  ['the venue has no chain', () => refusal(409, 'Shares are not converted into dollars on this venue.')],
  ['nothing of it can be converted', () => ({ ...PLAN, orders: [], steps: [], submissions: 0 })],
  ['nobody answers', lost],
] as const)('shows Hold beside Sell where %s', async ([, answered]) => {
  server.answer(cashNowOfBatch, answered);
  await openSellAll();
  await expect.element(wholeBatch('Sell')).toBeChecked();
  await expect.element(wholeBatch('Hold')).not.toBeChecked();
  await expect.element(wholeBatch('Cash Now')).not.toBeInTheDocument();
  await expect.element(execute('Execute Sell Orders')).toBeEnabled();
  expect(rowsOf('Ways out')).toEqual([]);
  await expectAccessible('a sale beside holding');
  await wholeBatch('Hold').click();
  await expect.element(execute('Execute Sell Orders')).toHaveAccessibleDescription(/all is held\.$/);
  expect(rowsOf('Planned sales')).toEqual([]);
  await wholeBatch('Sell').click();
  await expect.element(execute('Execute Sell Orders')).toBeEnabled();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
