/** What is sold of a batch, as its page asks for it and shows it. */

import { finishSet, listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { readSeries } from '@dutchbook/contract/placing.ts';
import { sellAll, unwind } from '@dutchbook/contract/selling.ts';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { lost, refusal, type Wire } from '../testing/server.ts';

const BATCH = recorded(listBatches).data.find(({ status }) => status === 'completed');
const ORDERS = recorded(readBatchOrders).data.map((order) => ({
  ...order,
  batch_id: BATCH?.id ?? '',
  status: 'filled' as const,
  filled_size: 12,
}));
const [FIRST] = ORDERS;

type Simulation = Extract<Wire<typeof sellAll>, { simulation: true }>;

const SIMULATION: Simulation = {
  simulation: true,
  batch_id: BATCH?.id ?? '',
  total_orders: 3,
  sellable_orders: 3,
  total_original_value: 9,
  estimated_proceeds: 7.2,
  estimated_fees: 0.12,
  estimated_profit: -1.92,
  estimated_profit_percentage: -21.333333,
  average_original_price: 0.25,
  average_sell_price: 0.2,
  orders: ORDERS.map(({ id, leg, market_id, market_name, token_id, outcome }) => ({
    order_id: id,
    leg,
    market_id,
    market_name,
    token_id,
    outcome,
    sell_size: 12,
    sell_price: 0.2,
    average_price: 0.2,
    proceeds: 2.4,
    fee: 0.04,
    original_value: 3,
    buy_fee: 0,
  })),
  settling: [],
  warnings: [],
  errors: [],
};

const SOLD: Wire<typeof sellAll> = {
  simulation: false,
  batch_id: SIMULATION.batch_id,
  total_orders: 3,
  successful_sells: 2,
  failed_sells: 1,
  total_proceeds: 4.8,
  total_fees: 0.08,
  summary: '2 of 3 orders sold, 7 of 12 shares of leg 3',
  orders: ORDERS.map(({ id, leg, market_name, outcome }, index) => ({
    order_id: id,
    sell_order_id: id,
    leg,
    market_name,
    outcome,
    status: index === 2 ? 'partially_filled' : 'filled',
    sell_size: 12,
    sold_size: index === 2 ? 7 : 12,
    average_price: 0.2,
    proceeds: 2.4,
    fee: 0.04,
    error: index === 2 ? 'the bids took 7 of 12 shares' : null,
  })),
};

/** A simulation is answered with `simulated`, and a sale with `sold`. */
function answer(simulated: () => Simulation | Response, sold: () => typeof SOLD | Response | Promise<typeof SOLD>) {
  server.answer(sellAll, ({ query }) => (query.simulate === 'false' ? sold() : simulated()));
}

const sellDialog = () => dialog('Sell All Orders');
const executeAtLoss = async () => {
  await execute().click();
  await page.getByRole('button', { name: 'Sell at This Loss' }).click();
};
const execute = () => sellDialog().getByRole('button', { name: 'Execute Sell Orders' });
const refresh = () => sellDialog().getByRole('button', { name: 'Refresh Simulation' });
const ownPrice = () => sellDialog().getByLabelText(`Custom Price of ${FIRST?.market_name}, Yes`);

async function openSellAll() {
  await open(`/batches/${BATCH?.id}`);
  await button('Sell All Orders').click();
  await sellDialog().getByRole('radio', { name: /^Sell/ }).click();
}

beforeEach(() => {
  if (BATCH === undefined) throw new Error('no completed batch was recorded');
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, { data: ORDERS, count: 3 });
});

test('says what bounded the size of a clip, and leads to the other clips of its series', async () => {
  if (BATCH === undefined) throw new Error('the recorded batches have one that is completed');
  const first = crypto.randomUUID();
  const clip = { ...BATCH, size_bounded_by: 'day limit' as const, series_id: first, clip_number: 2 };
  server.answer(readBatch, clip);
  const clips = [{ ...clip, id: first, clip_number: 1, size_bounded_by: 'loss allowance' as const }, clip];
  server.answer(listBatches, { data: clips, count: 2 });
  const uneven = [{ batch_id: first, clip_number: 1, worst_loss_usd: 3.5 }];
  const standing = { series_id: first, clips: 2, clips_max: 20, spent_usd: 9, pause: 'uneven' as const, uneven };
  server.answer(readSeries, { series: standing });
  await open(`/batches/${BATCH.id}`);
  const information = page.getByRole('region', { name: 'Batch Information', exact: true });
  await expect.element(information).toMatchTextContent(/ sh, bounded by the limit of the day/);
  const toFirst = information.getByRole('link', { name: 'the first of its series' });
  await expect.element(toFirst).toHaveAttribute('href', `/batches/${first}`);
  const series = page.getByRole('region', { name: 'Series', exact: true });
  await expect.element(series).toMatchTextContent(/2 clips, profit .* predicted/);
  await expect.element(series).toMatchTextContent(/Clip 1.*the loss allowance of a clip.*Clip 2 \(this one\)/);
  await series.getByText(/^2 clips/).click();
  const why = 'No further clip until these hold whole sets again or are sold: clip 1 ($3.50 at risk).';
  await expect.element(series.getByText(why)).toBeVisible();
  await expect
    .element(series.getByRole('link', { name: 'clip 1', exact: true }))
    .toHaveAttribute('href', `/batches/${first}`);
  await expect
    .element(series.getByRole('link', { name: 'Clip 1', exact: true }))
    .toHaveAttribute('href', `/batches/${first}`);
});

test('says since when the dollars of what waits for the pace are free, and which clip was the last that is allowed', async () => {
  if (BATCH === undefined) throw new Error('the recorded batches have one that is completed');
  const waiting = { ...BATCH, clip_number: 2, clips_max: 2, series_id: crypto.randomUUID() };
  server.answer(readBatch, { ...waiting, dollars_free_since: '2026-11-21T22:10:19.279Z' });
  server.answer(listBatches, { data: [{ ...waiting, id: waiting.series_id, clip_number: 1 }, waiting], count: 2 });
  server.answer(readSeries, { series: null });
  await open(`/batches/${BATCH.id}`);
  const information = page.getByRole('region', { name: 'Batch Information', exact: true });
  await expect
    .element(information)
    .toMatchTextContent(/Its DollarsFree for other orders since .*: it waits for the pace of the venue/);
  await expect.element(information).toMatchTextContent(/Last ClipClip 2, the last that “Most clips in a row” allowed/);
  const series = page.getByRole('region', { name: 'Series', exact: true });
  await expect
    .element(series.getByText(/^2 clips, as many as “Most clips in a row” allowed, profit .* predicted$/))
    .toBeVisible();
});

test('a sale at a large loss says what it loses and is confirmed twice; any other is not', async () => {
  const gain = { estimated_proceeds: 10, estimated_fees: 0.12, estimated_profit: 0.88 };
  answer(
    () => SIMULATION,
    () => SOLD,
  );
  await openSellAll();
  const loss = 'This sale loses $1.92, 21.33% of what its shares cost.';
  await expect.element(sellDialog().getByText(loss)).toBeVisible();
  await expect.element(execute()).toBeEnabled();
  const colour = () => getComputedStyle(execute().element()).backgroundColor;
  const colourOfLoss = colour();
  await expectAccessible('a sale at a loss');
  await execute().click();
  const question = page.getByRole('dialog', { name: 'Sell at This Loss?' });
  await expect.element(question).toMatchTextContent(loss);
  await expectAccessible('a question about a loss');
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(execute()).toHaveFocus();
  expect(server.askedFor(sellAll).filter(({ query }) => query.simulate === 'false')).toEqual([]);
  answer(
    () => ({ ...SIMULATION, ...gain }),
    () => SOLD,
  );
  await refresh().click();
  await expect.element(sellDialog().getByText(loss)).not.toBeInTheDocument();
  await expect.element(execute()).toBeEnabled();
  await expect.poll(colour).not.toBe(colourOfLoss);
  await execute().click();
  await expect.element(sellDialog().getByRole('status')).toMatchTextContent(/2 of 3 orders sold/);
  await expect.element(question).not.toBeInTheDocument();
});

test('the second click of a double click leaves open what the first one opened', async () => {
  answer(
    () => SIMULATION,
    () => SOLD,
  );
  await openSellAll();
  await expect.element(execute()).toBeEnabled();
  const { x, y, width, height } = execute().element().getBoundingClientRect();
  await execute().click();
  const question = page.getByRole('dialog', { name: 'Sell at This Loss?' });
  await expect.element(question).toBeVisible();
  const beside = document.elementFromPoint(x + width / 2, y + height / 2);
  const click = (detail: number) => beside?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
  click(2);
  await new Promise(requestAnimationFrame);
  await expect.element(question).toBeVisible();
  click(1);
  await expect.element(question).not.toBeInTheDocument();
});

test('the dialog that sells a batch is accessible before and after', async () => {
  answer(
    () => SIMULATION,
    () => SOLD,
  );
  await openSellAll();
  await expect.element(execute()).toBeEnabled();
  await expectAccessible('the dialog that sells a batch');
  await executeAtLoss();
  await expect
    .element(sellDialog().getByRole('status'))
    .toHaveTextContent('2 of 3 orders sold, 7 of 12 shares of leg 3');
  await expectCells('Sell orders', 'Sold / Size', '12.00 / 12.00', '12.00 / 12.00', '7.00 / 12.00');
  await expectAccessible('the results of a sale');
});

test('says in its header how many sales wait in the book', async () => {
  const [order] = ORDERS;
  if (order === undefined) throw new Error('orders were recorded');
  const waiting = { until: null, cancel_requested_at: null, cancel_reason: null };
  const sale = { ...order, id: crypto.randomUUID(), side: 'sell' as const, status: 'open' as const, waiting };
  const ended = { ...sale, id: crypto.randomUUID(), status: 'filled' as const };
  server.answer(readBatchOrders, { data: [...ORDERS, sale, ended], count: 5 });
  await open(`/batches/${BATCH?.id}`);
  await expect.element(page.getByText('1 sale waits', { exact: true })).toBeVisible();
  await expectAccessible('a batch with a waiting sale');
});

test('waits for shares that are still being settled, counts down, and says so', async () => {
  let isSettled = false;
  const settling = [{ order_id: FIRST?.id ?? '', shares: 12 }];
  answer(
    () => (isSettled ? SIMULATION : { ...SIMULATION, orders: [], errors: ['Not yet.'], settling }),
    () => SOLD,
  );
  await openSellAll();
  await expect.element(sellDialog().getByText('Waiting for the venue to settle 12.00 shares')).toBeVisible();
  await expect.element(execute()).toBeDisabled();
  await expect.element(execute()).toHaveAccessibleDescription(/still being settled/);
  await expect.element(sellDialog().getByText('as a rule done within 13 s')).toBeVisible();
  isSettled = true;
  await expect.element(execute()).toBeEnabled();
  await expect.element(sellDialog().getByText('Waiting for the venue')).not.toBeInTheDocument();
});

test('does not sell what a simulation has errors about, or what could not be simulated', async () => {
  answer(
    () => refusal(500, 'The venue is away'),
    () => SOLD,
  );
  await openSellAll();
  await expect.element(toast('Failed to simulate sell orders')).toMatchTextContent(/The venue is away/);
  await expect.element(sellDialog().getByText('The venue is away')).toBeVisible();
  for (const [name, value] of [
    ['Total Orders', '0'],
    ['Estimated Proceeds', '$0.00'],
    ['Average Sell Price', '0.0000'],
  ] as const)
    expect(figureIn(sellDialog(), name)).toBe(value);
  await expect.element(execute()).toBeDisabled();
  let problem: string | null = null;
  answer(
    () => ({ ...SIMULATION, errors: problem === null ? [] : [problem] }),
    () => refusal(409, 'Another user was first'),
  );
  await refresh().click();
  await expect.poll(() => figureIn(sellDialog(), 'Sellable Orders')).toBe('3');
  await expect.element(execute()).toBeEnabled();
  await typeInto(ownPrice(), '1');
  problem = 'Leg 1: 1 is no price, the market takes 0.01 to 0.99';
  await refresh().click();
  await expect.element(sellDialog().getByText(/1 is no price, the market takes/)).toBeVisible();
  await expect.element(execute()).toBeDisabled();
  await typeInto(ownPrice(), '0.2');
  problem = null;
  await refresh().click();
  await expect.element(execute()).toBeEnabled();
  expect(server.askedFor(sellAll).at(-1)?.body).toEqual({ [FIRST?.token_id ?? '']: 0.2 });
  await executeAtLoss();
  await expect.element(toast('Failed to execute sell orders')).toMatchTextContent(/Another user was first/);
  await expect.element(ownPrice()).toHaveValue(0.2);
  await expect.element(execute()).toBeEnabled();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('dialog', { name: 'Close This?' }).getByRole('button', { name: 'Back' }).click();
  await expect.element(ownPrice()).toHaveValue(0.2);
});

test('tells what came of a sale to those who have closed its dialog', async () => {
  const held = Promise.withResolvers<typeof SOLD>();
  answer(
    () => SIMULATION,
    () => held.promise,
  );
  await openSellAll();
  await expect.element(execute()).toBeEnabled();
  await executeAtLoss();
  await expect.element(sellDialog().getByText(/^Selling\. The server finishes this/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(sellDialog()).not.toBeInTheDocument();
  await expect.element(button('Sell All Orders')).toHaveFocus();
  held.resolve({ ...SOLD, successful_sells: 3, failed_sells: 0, summary: '3 of 3 orders sold' });
  await expect.element(toast('Success!')).toMatchTextContent(/3 of 3 orders sold/);
});

test('calls a sale another one once it was simulated anew after an answer was lost', async () => {
  let sell_price = 0.2;
  answer(() => ({ ...SIMULATION, orders: SIMULATION.orders.map((order) => ({ ...order, sell_price })) }), lost);
  await openSellAll();
  await expect.element(execute()).toBeEnabled();
  await executeAtLoss();
  await expect.element(execute()).toHaveAccessibleDescription(/the server knows that it is the same sale/);
  sell_price = 0.19;
  await refresh().click();
  await expectCells('Planned sales', 'Sell Price', '0.1900', '0.1900', '0.1900');
  await expect.element(execute()).toHaveAccessibleDescription(/look at the batch\. This would be another sale\.$/);
});

test('sets finishing the set beside unwinding in dollars, and marks the cheaper one', async () => {
  const batch = recorded(readBatch);
  if (batch.unhedged === null) throw new Error('the recorded batch has leg risk');
  const finish = { cost_usd: 3.06, at_most_usd: 3.12, pays_usd: 6, loss_usd: 0.06 };
  const unhedged = {
    ...batch.unhedged,
    can_finish: true,
    unwind_cost_usd: 0.43,
    finish,
    finish_refusal: null,
    cheaper: 'finish' as const,
  };
  server.answer(readBatch, { ...batch, unhedged });
  await open(`/batches/${batch.id}`);
  const risk = page.getByRole('region', { name: 'Unhedged Exposure', exact: true });
  await expect.element(risk.getByText('Cheaper')).toHaveLength(1);
  expect(figureIn(risk, 'Cost of finishing the set now')).toBe(
    '$0.06Cheaper$3.06 for what is missing, the sets then pay $6.00',
  );
  expect(figureIn(risk, 'Cost of unwinding now')).toBe('$0.43');
  // Whatever became of its retries.
  server.answer(readBatch, { ...batch, unhedged, can_retry: false });
  server.answer(finishSet, { ...batch, unhedged });
  await open(`/batches/${batch.id}`);
  await button('Finish the Set').click();
  const asked = dialog('Finish the Set');
  await expect
    .element(asked)
    .toMatchTextContent(
      /costs \$3\.06 with fees, and no more than \$3\.12\. The sets then pay \$6\.00\..*this loses \$0\.06/,
    );
  await expectAccessible('the question before a set is finished');
  expect(server.askedFor(finishSet)).toEqual([]);
  await asked.getByRole('button', { name: 'Confirm Finish the Set' }).dblClick();
  await expect.element(toast('Success!')).toBeVisible();
  expect(server.askedFor(finishSet).map(({ query }) => query.up_to_usd)).toEqual(['3.12']);
  await expect.element(asked).not.toBeInTheDocument();
  server.answer(readMe, { ...recorded(readMe), is_superuser: false, role: 'viewer' });
  await open(`/batches/${batch.id}`);
  await expect.element(button('Finish the Set')).toBeDisabled();
  expect(figureIn(risk, 'Cost of finishing the set now')).toMatch(/^\$0\.06/);
});

test('what unwinds a batch and what cancels it is accessible', async () => {
  const unhedged = recorded(readBatch);
  server.answer(readBatch, unhedged);
  server.answer(unwind, { ...SIMULATION, orders: SIMULATION.orders.slice(0, 2), unwind_cost_usd: 0.43 });
  await open(`/batches/${unhedged.id}`);
  await button('Unwind').click();
  await expect.element(dialog('Unwind').getByText('If you unwind now')).toBeVisible();
  await expectAccessible('the dialog that unwinds');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Unwind')).not.toBeInTheDocument();
  await button('Cancel Batch').click();
  await expect.element(dialog('Cancel Batch')).toBeVisible();
  await expectAccessible('the question before a cancellation');
});

test('selling one order is accessible', async () => {
  answer(
    () => SIMULATION,
    () => SOLD,
  );
  await open(`/batches/${BATCH?.id}`);
  await button(`Sell Yes of ${FIRST?.market_name}`).click();
  await expect.element(page.getByText(/^The bids take 12\.00 shares now/).first()).toBeVisible();
  await expectAccessible('the dialog that sells one order');
});
