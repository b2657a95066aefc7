import { listBatches, readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { listOrders } from '@dutchbook/contract/orders.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { sellAll, sellHeld } from '@dutchbook/contract/selling.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, figureIn, rowsOf } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const SPRINT = 'Northern Sprint champion';
const BATCH = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const region = (name: string) => page.getByRole('region', { name, exact: true });
const way = (event: string, name: string) => region(event).getByRole('region', { name, exact: true });

/** Opens the portfolio with what is held of `events` unfolded. */
async function openUnfolded(...events: string[]): Promise<void> {
  await open('/portfolio');
  for (const event of events) await button(`Show: ${event}`).click();
}

const SPRINT_LEGS = recorded(readPortfolio).holdings.filter(({ market_name }) => /Northern Sprint/.test(market_name));

/** What selling two orders of each leg would bring. */
function legSale(): Extract<Wire<typeof sellHeld>, { simulation: true }> {
  const orders = SPRINT_LEGS.flatMap(({ market_id, market_name, token_id, outcome }, leg) =>
    [0.8, 0.7].map((sell_price) => ({
      ...{ order_id: crypto.randomUUID(), leg: leg + 1, market_id, market_name, token_id, outcome },
      ...{ sell_size: 2.5, sell_price, average_price: sell_price, proceeds: sell_price * 2.5 },
      ...{ fee: 0.01, original_value: 1.5, buy_fee: 0.02 },
    })),
  );
  return {
    ...{ simulation: true, total_orders: orders.length, sellable_orders: orders.length, orders },
    ...{ total_original_value: 12, estimated_proceeds: 15, estimated_fees: 0.08, estimated_profit: 2.76 },
    ...{ estimated_profit_percentage: 22.69, average_original_price: 0.6, average_sell_price: 0.75 },
    ...{ settling: [], warnings: [], errors: [] },
  };
}

test('sells an event with one press: its legs with all their orders, just as they are shown, and names what is left', async () => {
  const planned = legSale();
  const [first] = planned.orders;
  if (first === undefined) throw new Error('nothing is held');
  server.answer(sellHeld, ({ query }) =>
    query.simulate === 'false'
      ? {
          ...{ simulation: false as const, total_orders: 8, successful_sells: 6, failed_sells: 1 },
          ...{
            total_proceeds: 14,
            total_fees: 0.07,
            summary: '6 of 8 orders sold, 1 of 5 shares of one leg, 1 not ended yet',
          },
          orders: planned.orders.map(({ order_id, leg, market_name, outcome, sell_size, proceeds, fee }, nth) => ({
            ...{ order_id, sell_order_id: null, leg, market_name, outcome, status: 'filled' as const, sell_size },
            ...{ sold_size: nth === 0 ? 1 : sell_size, average_price: 0.8, proceeds, fee },
            error: nth === 0 ? 'The bids took 1 of 2.5 shares.' : null,
          })),
        }
      : planned,
  );
  await openUnfolded(SPRINT);
  await way(SPRINT, 'Sell')
    .getByRole('button', { name: `Sell: ${SPRINT}` })
    .click();
  await expectCells('Planned sales', 'Shares', '5.00', '5.00', '5.00', '5.00');
  await expectCells('Planned sales', 'Sell Price', '0.7000', '0.7000', '0.7000', '0.7000');
  await expectCells('Planned sales', 'Average Price', '0.7500', '0.7500', '0.7500', '0.7500');
  await expectCells('Planned sales', 'Cost with Fees', '$3.04', '$3.04', '$3.04', '$3.04');
  const selling = dialog(`Sell: ${SPRINT}`);
  expect(figureIn(selling, 'Fees Paid Buying')).toBe('$0.16');
  await expectAccessible('the sale of an event');
  await selling.getByRole('button', { name: 'Execute Sell Orders' }).click();
  await expect.element(selling).toMatchTextContent('6 of 8 orders sold');
  await expect.element(selling.getByRole('link', { name: 'Sales' })).toHaveAttribute('href', '/orders?side=sell');
  await expect.element(selling).toMatchTextContent(`1.50 sh of ${first.outcome} of ${first.market_name}`);
  const sold = server.askedFor(sellHeld).filter(({ query }) => query.simulate === 'false');
  const ids = SPRINT_LEGS.map(({ token_id }) => token_id);
  const prices = Object.fromEntries(ids.map((id) => [id, 0.7]));
  expect(sold).toMatchObject([
    { query: { shown_shares: Array.from({ length: 8 }, () => '2.5').join(',') }, body: { token_ids: ids, prices } },
  ]);
});

test('names Cash Now where it brings more than the sale', async () => {
  const sent = recorded(readPortfolio);
  const held = SPRINT_LEGS.reduce((sum, { shares }) => sum + shares, 0);
  const events = sent.events.map((event) => {
    const { routes } = event;
    const [step] = routes?.hold.steps ?? [];
    if (routes === null || step === undefined) return event;
    const hold = { ...routes.hold, steps: [{ ...step, shares: held }] };
    return { ...event, routes: { ...routes, hold, cash_now: { ...routes.cash_now, net_usd: 16 } } };
  });
  server.answer(readPortfolio, { ...sent, events });
  server.answer(sellHeld, legSale());
  await openUnfolded(SPRINT);
  await way(SPRINT, 'Sell')
    .getByRole('button', { name: `Sell: ${SPRINT}` })
    .click();
  await expect.element(dialog(`Sell: ${SPRINT}`)).toMatchTextContent('Cash Now brings $16.00, $1.08 more');
});

test('sells a position order by order too: what each holds, and none of a batch that still buys', async () => {
  const [held] = SPRINT_LEGS.filter(({ market_name }) => /Iskra/.test(market_name));
  const [order] = recorded(readBatchOrders).data;
  if (held === undefined || order === undefined) throw new Error('nothing was recorded');
  const { token_id, market_id, market_name, outcome } = held;
  const holding = { ...order, ...{ token_id, market_id, market_name, outcome, filled_size: 12, sold_size: 0 } };
  const buying = { ...recorded(readBatch), id: crypto.randomUUID(), is_active: true };
  server.answer(listBatches, { data: [buying], count: 1 });
  server.answer(sellAll, () => refusal(409, 'The venue is away'));
  server.answer(sellHeld, legSale());
  server.answer(listOrders, {
    data: [
      { ...holding, id: crypto.randomUUID(), batch_id: BATCH },
      { ...holding, id: crypto.randomUUID(), batch_id: buying.id },
      { ...holding, id: crypto.randomUUID(), batch_id: BATCH, sold_size: 12 },
    ],
    count: 3,
  });
  server.answer(readBatch, { ...recorded(readBatch), expected_orders: 3, unhedged: null });
  await openUnfolded(SPRINT);
  await button(`Sell: ${outcome} of ${market_name}`).click();
  await dialog(`Sell: ${outcome} of ${market_name}`).getByText('Sell a single order').click();
  await expectCells('Orders to sell', 'Held', '12.00', '12.00');
  await expectCells('Orders to sell', 'Actions', 'Sell', 'Its batch still buys');
  expect(server.askedFor(listOrders).at(-1)?.query).toMatchObject({ market_id, side: 'buy' });
  await expectAccessible('the orders of a position');
  await button(`Sell 12.00 sh of ${outcome} of ${market_name}`).click();
  await expect.element(dialog('Sell Order').getByLabelText('Shares to Sell')).toBeVisible();
  await expect
    .element(dialog('Sell Order'))
    .toMatchTextContent(/This breaks whole sets: the other 2 positions stay held alone/);
  await dialog('Sell Order').getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog('Sell Order')).not.toBeInTheDocument();
  await expect.poll(() => rowsOf('Orders to sell').length).toBe(2);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});
