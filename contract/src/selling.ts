/** Selling what batches hold. Values and proceeds are before fees, profits after all of them, buy fees included. */

import type { Shares } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { flagInQuery, id } from './listing.ts';
import { described } from './notes/described.ts';
import { order, orderStatus } from './orders.ts';
import { inQuery, instant, percent, price, setPrice, shares, usd } from './quantities.ts';
import { idsInQuery, isVenueId } from './rules/finding.ts';

const tag = 'Orders';
const byBatch = z.object({ batch_id: id });

/** One sell order as it would be sent: at `sell_price` or better, and what finds no bid at that is not sold. */
const plannedSale = z.object({
  order_id: id,
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  outcome: z.string(),
  sell_size: described('Shares to sell.', shares),
  sell_price: described('The lowest price that is accepted.', price),
  average_price: price,
  proceeds: described('Dollars that the sale brings, before fees.', usd),
  fee: usd,
  original_value: described('What the shares cost, before fees.', usd),
  buy_fee: described('The fees that were paid for them.', usd),
});
export type PlannedSale = z.output<typeof plannedSale>;

const saleFigures = {
  total_orders: described('How many orders there are to sell.', z.int()),
  sellable_orders: described('How many of them have shares that can be sold.', z.int()),
  total_original_value: described('What the shares cost, before fees.', usd),
  estimated_proceeds: described('Dollars that the sales bring, before fees.', usd),
  estimated_fees: described('Fees of the sales.', usd),
  estimated_profit: described('Proceeds after fees, less what the shares cost with their fees.', usd),
  estimated_profit_percentage: described('That profit, over what the shares cost with their fees.', percent),
  average_original_price: described(
    'What a share cost; above 1 where the venue holds so little of what was bought that each bears the cost of several.',
    setPrice,
  ),
  average_sell_price: described('Average price of the sales.', price),
  orders: z.array(plannedSale),
  settling: described(
    'Shares that the venue has not credited yet: asked again in a moment, they can be sold.',
    z.array(z.object({ order_id: id, shares })),
  ),
  warnings: z.array(z.string()),
  errors: described('What refuses it, as sentences. It may be executed only when this is empty.', z.array(z.string())),
};

/** It may be executed only when `errors` is empty. */
const sellSimulation = z.object({
  simulation: described('True: nothing was done.', z.literal(true)),
  batch_id: id,
  ...saleFigures,
});
export type SellSimulation = z.output<typeof sellSimulation>;

/**
 * What became of the shares of one order: `sold_size` of the `sell_size` that were left. `sell_order_id` is null where no
 * order was sent, because there were no bids. `error` says why not all was sold.
 */
const saleResult = z.object({
  order_id: id,
  sell_order_id: described('The order that sells; null where none was recorded.', z.nullable(id)),
  leg: z.int(),
  market_name: z.string(),
  outcome: z.string(),
  status: orderStatus,
  sell_size: described('Shares to sell.', shares),
  sold_size: described('How many shares were sold.', shares),
  average_price: z.nullable(price),
  proceeds: described('Dollars that the sale brought, before fees.', usd),
  fee: usd,
  error: z.nullable(z.string()),
});

/**
 * `total_orders` are those with shares left, `successful_sells` those sold whole, `failed_sells` the others. Orders that have
 * not ended when the answer is given are neither; `summary` says so, and how many shares of which leg were sold.
 */
const saleResults = {
  simulation: described('False: it was done.', z.literal(false)),
  total_orders: described('How many orders had shares left to sell.', z.int()),
  successful_sells: described('How many sales filled.', z.int()),
  failed_sells: described('How many sales did not.', z.int()),
  total_proceeds: described('Dollars that all sales brought, before fees.', usd),
  total_fees: described('Fees of all sales.', usd),
  summary: described('What was done, as a sentence.', z.string()),
  orders: z.array(saleResult),
};
const sellExecution = z.object({ ...saleResults, batch_id: id });
export type SellExecution = z.output<typeof sellExecution>;

const isPositive = (value: unknown) => typeof value === 'number' && value > 0;

const sellPrice = price.check(z.refine(isPositive, 'Price must be greater than 0'));

/** The price to sell each token at, or better, by token id. As a record it would weigh half a kilobyte on the login page. */
const customPrices = z.optional(z.nullable(z.catchall(z.object({}), sellPrice)));

const ofOneOrder = inQuery(shares).check(z.refine(isPositive, 'shown_shares must be greater than 0'));
/** As many tokens as are sold at once, each of some batches. */
const SHOWN_MAX = 2000;

const ofEachOrder = z.codec(z.string(), z.array(z.custom<Shares>()), {
  decode: (text, { issues }) => {
    const read = text.split(',', SHOWN_MAX + 1).map((each) => ofOneOrder.safeParse(each));
    const refused = read.find(({ success }) => !success)?.error?.issues[0]?.message;
    const message = read.length > SHOWN_MAX ? `shown_shares are of at most ${SHOWN_MAX} orders` : refused;
    if (message !== undefined) issues.push({ code: 'custom', input: text, message });
    return read.flatMap(({ data }) => data ?? []);
  },
  encode: (each) => each.map((size) => z.encode(ofOneOrder, size)).join(','),
});

const shownShares = described(
  'The shares that a simulation showed to be sold, of each order in its order, with commas between them: where the bids take fewer of one at these prices, no order leaves. A number alone is of all orders together.',
  z.optional(ofEachOrder),
);

const NOT_FOR_SALE = refusal(
  409,
  'It cannot be sold now; `detail` says why.',
  'The batch is processing and cannot be sold: it must end or be canceled first',
);

export const sellAll = endpoint({
  method: 'POST',
  path: '/arbitrage/batch/{batch_id}/sell-all',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary: 'What selling everything that a batch holds would bring; simulate=false sells it',
  refusals: [notFound('Batch not found'), NOT_FOR_SALE],
  idempotent: true,
  params: byBatch,
  query: z.object({
    simulate: described('True only plans it; false carries it out.', z._default(flagInQuery, true)),
    shown_shares: shownShares,
    order_ids: described('Sell these orders alone; left out, all of the batch.', z.optional(idsInQuery)),
  }),
  body: customPrices,
  reply: z.union([sellSimulation, sellExecution]),
});

const unwindSimulation = z.object({
  simulation: described('True: nothing was done.', z.literal(true)),
  batch_id: id,
  ...saleFigures,
  unwind_cost_usd: described(
    'What the shares that no whole set needs cost, less what selling them brings; null while that is not known.',
    z.nullable(usd),
  ),
});
export type UnwindSimulation = z.output<typeof unwindSimulation>;

export const unwind = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/unwind',
  access: 'user',
  asksVenue: 'simulating',
  tag: 'Batches',
  summary: 'What selling the shares that no whole set needs would lose; simulate=false sells them',
  refusals: [notFound('Batch not found'), NOT_FOR_SALE],
  idempotent: true,
  params: byBatch,
  query: z.object({
    simulate: described('True only plans it; false carries it out.', z._default(flagInQuery, true)),
    shown_shares: shownShares,
  }),
  body: customPrices,
  reply: z.union([unwindSimulation, sellExecution]),
});

const heldSaleSimulation = z.object({
  simulation: described('True: nothing was done.', z.literal(true)),
  ...saleFigures,
});
export type HeldSaleSimulation = z.output<typeof heldSaleSimulation>;

const heldSaleExecution = z.object(saleResults);
export type HeldSaleExecution = z.output<typeof heldSaleExecution>;

/** An event has fewer. */
const TOKENS_MAX = 500;

export const sellHeld = endpoint({
  method: 'POST',
  path: '/portfolio/sell',
  access: 'user',
  asksVenue: 'simulating',
  tag: 'Portfolio',
  summary:
    'What selling all that is held of some tokens, such as those of an event, would bring; simulate=false sells it. Batches that still buy are left out.',
  refusals: [refusal(409, 'It cannot be sold now; `detail` says why.', 'Nothing can be sold now.')],
  idempotent: true,
  query: z.object({
    simulate: described('True only plans it; false carries it out.', z._default(flagInQuery, true)),
    shown_shares: shownShares,
  }),
  body: z.strictObject({
    token_ids: described(
      'The tokens, of which the shares of all orders are sold, of those that bought first first.',
      z
        .array(z.string().check(z.minLength(1), z.maxLength(100), isVenueId))
        .check(z.minLength(1), z.maxLength(TOKENS_MAX)),
    ),
    prices: described(
      'The price to sell a token at, or better, by its id; without one it is sold down the bids.',
      customPrices,
    ),
  }),
  reply: z.union([heldSaleSimulation, heldSaleExecution]),
});

export const sellOrder = endpoint({
  method: 'POST',
  path: '/arbitrage/sell-order/{order_id}',
  access: 'user',
  tag,
  summary: 'Sell the shares of one order, all of them unless said otherwise',
  refusals: [
    notFound('Order not found'),
    refusal(
      409,
      'It cannot be sold now; `detail` says why.',
      'The batch is processing and cannot be sold: it must end or be canceled first',
    ),
  ],
  idempotent: true,
  params: z.object({ order_id: id }),
  query: z.object({
    sell_size: described(
      'Shares to sell.',
      z.optional(inQuery(shares).check(z.refine(isPositive, 'sell_size must be greater than 0'))),
    ),
    sell_price: described(
      'The lowest price that is accepted.',
      z.optional(inQuery(price).check(z.refine(isPositive, 'sell_price must be greater than 0'))),
    ),
    wait: described(
      'True: the order rests in the book at `sell_price`, above the bids, until it fills, is canceled, or trading is disarmed.',
      z.optional(flagInQuery),
    ),
    wait_until: described(
      'With `wait`: when the venue takes it off the book at the latest, 5 minutes to 30 days ahead; left out, it waits until it is canceled.',
      z.optional(instant),
    ),
  }),
  reply: order,
});

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/arbitrage/orders/{order_id}/cancel',
  access: 'user',
  tag,
  summary: 'Take a sale that waits off the book; what it has sold is kept',
  refusals: [
    notFound('Order not found'),
    refusal(
      409,
      'There is nothing to cancel; `detail` says why.',
      'The order is filled and cannot be canceled: it has ended.',
    ),
    refusal(409, 'The order buys.', 'An order that buys is canceled with its batch.'),
  ],
  params: z.object({ order_id: id }),
  reply: order,
});
