/** Sell All where shares can also be converted into dollars: three ways, for the whole batch or order by order. */
import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { cashNowOfBatch } from '@dutchbook/contract/exits.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { sellAll } from '@dutchbook/contract/selling.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, rowsOf, toast } from '../testing/look.ts';
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
    sell: { ...WAYS.sell, net_usd: 10.08, held_least_usd: 0, held_most_usd: 0 },
    cash_now: {
      ...MERGED,
      steps: MERGED.steps.map((step) => ({
        ...step,
        ...{ kind: 'horizontal_merge', usable: 'after_confirmation', risk: 'chain', why: 'A submission can fail.' },
      })) as typeof MERGED.steps,
    },
    hold: { ...WAYS.hold, held_least_usd: 9, held_most_usd: 9 },
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

/** The plan where selling everything brings one sum, and holding it pays another. */
function planned(sold: number, held: number): Plan {
  const { routes } = PLAN;
  if (routes === null) throw new Error('the ways out are known');
  const { sell, hold } = routes;
  return {
    ...PLAN,
    routes: {
      ...routes,
      sell: { ...sell, net_usd: sold },
      hold: { ...hold, held_least_usd: held, held_most_usd: held },
    },
  };
}

const SUBMISSION = { ...recorded(readChainSubmission), status: 'planned' as const, expected_usd: 12 };

/** The result of selling these orders whole. */
const soldOf = (ids: readonly string[]): Wire<typeof sellAll> => ({
  ...{ simulation: false, batch_id: BATCH.id, total_orders: ids.length, successful_sells: ids.length, failed_sells: 0 },
  ...{ total_proceeds: 3.4 * ids.length, total_fees: 0.04, summary: `${ids.length} of ${ids.length} orders sold` },
  orders: SIMULATION.orders
    .filter(({ order_id }) => ids.includes(order_id))
    .map(({ order_id, leg, market_name, outcome }) => ({
      ...{ order_id, leg, market_name, outcome, sell_order_id: crypto.randomUUID(), status: 'filled' as const },
      ...{ sell_size: 12, sold_size: 12, average_price: 0.28, proceeds: 3.4, fee: 0.04, error: null },
    })),
});

const answerSale = (sold: (ids: readonly string[]) => Wire<typeof sellAll> | Response = soldOf) =>
  server.answer(sellAll, ({ query }) =>
    query.simulate === 'false' ? sold((query.order_ids ?? '').split(',')) : SIMULATION,
  );

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
const soldOrders = () => server.askedFor(sellAll).filter(({ query }) => query.simulate === 'false');
const converted = () => server.askedFor(cashNowOfBatch).filter(({ query }) => query.simulate === 'false');

async function openSellAll() {
  await open(`/batches/${BATCH.id}`);
  await button('Sell All Orders').click();
  await wholeBatch('Sell').click();
  await expect.poll(() => rowsOf('Planned sales').length).toBe(3);
}

beforeEach(() => {
  server.answer(readBatch, { ...BATCH, actual_profit_usd: null });
  server.answer(readBatchOrders, { data: ORDERS, count: 3 });
  answerSale();
  answer();
});

test('shows what each way brings, when and at which risk, in all and order by order, and sells what is chosen to be sold', async () => {
  await openSellAll();
  const ways = sellDialog().getByRole('group');
  await expect
    .element(ways)
    .toMatchTextContent(/Sell.*Net Dollars\$10\.08.*Cash Now ?Best ?merges 3 of 100 today.*\$12\.00/);
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

test.for([
  ['Cash Now', 'Brings $1.92 more than Sell.', {}],
  ['Hold', 'Sure to pay $3.92 more than Sell brings.', { hold: 14 }],
  ['Sell', 'Brings $2.00 more than holding is sure to pay.', { sell: 13, hold: 11 }],
] as const)(
  'begins with %s where it brings most, and keeps to that until another way is chosen',
  async ([best, words, of]) => {
    const { sell = 10.08, hold = 11 }: { sell?: number; hold?: number } = of;
    answer(() => planned(sell, hold));
    await open(`/batches/${BATCH.id}`);
    await button('Sell All Orders').click();
    await expect.element(wholeBatch(best)).toBeChecked();
    await expect.element(sellDialog().getByRole('group')).toMatchTextContent(new RegExp(`${best} ?Best`));
    await expect.element(sellDialog().getByText(words)).toBeVisible();
    expect(figureIn(sellDialog(), 'As Whole Sets')).toBeUndefined();
    await expectAccessible(`${best} chosen beforehand`);
    answer(() => planned(90, 91));
    await expect.element(sellDialog().getByText(/more than Sell brings/)).toBeVisible();
    await expect.element(wholeBatch(best)).toBeChecked();
  },
);

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
  const [sold] = soldOrders();
  const [plan] = converted();
  expect(sold?.query).toEqual({ simulate: 'false', shown_shares: '12', order_ids: FIRST });
  expect(sold?.body).toEqual({ [ORDERS[0]?.token_id ?? '']: 0.28 });
  expect(plan?.body).toEqual({ order_ids: [SECOND, THIRD] });
  const keys = [sold, plan].map((asked) => asked?.headers.get('idempotency-key'));
  const key = keys[0]?.replace(/-sale$/, '');
  expect(keys).toEqual([`${key}-sale`, `${key}-cash-now`]);
});

test('does nothing with what is held, and nothing at all where everything is', async () => {
  await openSellAll();
  await wholeBatch('Hold').click();
  await expect.element(execute('Execute Sell Orders')).toBeDisabled();
  await expect.element(execute('Execute Sell Orders')).toHaveAccessibleDescription(/all is held\.$/);
  await choose(`Sell Yes of ${NAMES[1]}`).click();
  await execute('Execute Sell Orders').click();
  await expect.element(sellDialog().getByRole('status').first()).toHaveTextContent('1 of 1 orders sold.');
  expect(figureIn(sellDialog(), 'Gain or Loss')).toBe('↑+$0.36');
  expect(soldOrders().map(({ query }) => query.order_ids)).toEqual([SECOND]);
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

test('converts nothing where the sale is refused, tells of both where Cash Now is, and asks again for the same after an answer was lost', async () => {
  answerSale(() => refusal(409, 'The bids have changed'));
  await openSellAll();
  await wholeBatch('Cash Now').click();
  await choose(`Sell Yes of ${NAMES[0]}`).click();
  const both = execute('Execute Sell Orders and Cash Now');
  await both.click();
  await expect.element(toast('Failed to execute sell orders')).toMatchTextContent(/The bids have changed/);
  expect(converted()).toEqual([]);
  answerSale(lost);
  await both.click();
  await expect.element(both).toHaveAccessibleDescription(/the server knows that it is the same sale/);
  answerSale();
  server.answer(cashNowOfBatch, ({ query }) => (query.simulate === 'false' ? refusal(409, 'No set is free') : PLAN));
  await both.click();
  await expect
    .element(sellDialog().getByRole('status').first())
    .toHaveTextContent('1 of 1 orders sold. Cash Now failed: No set is free');
  const keys = soldOrders().map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[1]).toBe(keys[2]);
});

test('shows the bids of now while it stands, also under its question, and sells by nothing older', async () => {
  let proceeds = 4;
  server.answer(sellAll, () => {
    const estimated_profit = proceeds - 0.12 - 9;
    return { ...SIMULATION, estimated_proceeds: proceeds, estimated_profit };
  });
  await openSellAll();
  await expect.poll(() => figureIn(sellDialog(), 'Estimated Proceeds')).toBe('$4.00');
  await execute('Execute Sell Orders').click();
  const question = page.getByRole('dialog', { name: 'Sell at This Loss?' });
  await expect.element(question).toMatchTextContent(/loses \$5\.12/);
  proceeds = 3;
  await expect.element(question).toMatchTextContent(/loses \$6\.12/);
  expect(figureIn(sellDialog(), 'Estimated Proceeds')).toBe('$3.00');
  const confirm = question.getByRole('button', { name: 'Sell at This Loss' });
  server.answer(sellAll, () => refusal(503, 'The venue does not answer'));
  await expect.element(confirm).toBeDisabled();
  await expect.element(question).toMatchTextContent(/The simulation failed/);
  answerSale();
  await expect.element(confirm).toBeEnabled();
  await confirm.click();
  await expect.poll(() => soldOrders().map(({ query }) => query.shown_shares)).toEqual(['12,12,12']);
});

test('says what is left of an order of which the bids took only a part', async () => {
  answerSale(() => {
    const sold = soldOf([FIRST, SECOND, THIRD]) as Extract<Wire<typeof sellAll>, { simulation: false }>;
    const orders = sold.orders.map((order, nth) =>
      nth === 1 ? { ...order, sold_size: 4.5, error: 'The bids took 4.5 of 12 shares.' } : order,
    );
    return { ...sold, orders, successful_sells: 2, failed_sells: 1, summary: '2 of 3 orders sold' };
  });
  await openSellAll();
  await execute('Execute Sell Orders').click();
  const left = sellDialog().getByText(`7.50 sh of Yes of ${NAMES[1]}`);
  await expect.element(left).toBeVisible();
  await expect.element(sellDialog().getByText(/these shares are still held$/)).toBeVisible();
});

test.for([
  ['the venue has no chain', () => refusal(409, 'Shares are not converted into dollars on this venue.')],
  ['nothing of it can be converted', () => ({ ...planned(10.08, 20), orders: [], steps: [], submissions: 0 })],
  ['no answer comes', lost],
] as const)('shows Hold beside Sell where %s', async ([, answered]) => {
  server.answer(cashNowOfBatch, answered);
  server.answer(readBatch, { ...BATCH, actual_profit_usd: 40 });
  await open(`/batches/${BATCH.id}`);
  await button('Sell All Orders').click();
  await expect.element(wholeBatch('Hold')).toBeChecked();
  await wholeBatch('Sell').click();
  await expect.poll(() => rowsOf('Planned sales').length).toBe(3);
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
