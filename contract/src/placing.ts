/** Buying an opportunity, or splitting dollars into it: what it would do, and doing it. */
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { batch } from './batches.ts';
import { endpoint, notFound, refusal, SIGN_OFF_ASKED } from './endpoint.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';
import * as meanings from './notes/meanings.ts';
import { inQuery, percent, price, setPrice, shares, usd } from './quantities.ts';
import { idsInQuery } from './rules/finding.ts';
import { chosenSize, expectedDepth, policySize } from './valuation.ts';

const tag = 'Arbitrage';
const byId = z.object({ opportunity_id: id });

const plannedOrder = z.object({
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  outcome: z.string(),
  token_id: z.string(),
  side: explained(meanings.SIDE_MEANINGS, z.enum(['buy', 'sell'])),
  size: shares,
  price: described('The worst price that the order accepts.', price),
  average_price: described('Average price by the books of now.', price),
  cost: described('Dollars that the order takes, before fees; of a sale, that it brings.', usd),
  fee: usd,
});
export type PlannedOrder = z.output<typeof plannedOrder>;

export const wayIn = explained(meanings.WAY_IN_MEANINGS, z.enum(['buy', 'split']));
export type WayIn = z.output<typeof wayIn>;

/** The orders of the simulation sell then, and its cost is the dollars that go in. */
const splitPlan = z.object({
  dollars_in_usd: described('Dollars that are split into shares.', usd),
  proceeds_usd: described('Dollars that come back before fees where all is sold.', usd),
  calls: described(
    'The calls of the contract.',
    z.array(
      z.object({
        kind: explained(meanings.SPLIT_MEANINGS, z.enum(['split', 'horizontal_split'])),
        market_ids: z.array(z.string()),
      }),
    ),
  ),
});

const simulation = z.object({
  opportunity_id: id,
  content_hash: described(
    'Of the positions that were looked at, where discovery may replace them; null where it does not.',
    z.nullable(z.string()),
  ),
  order_size: described('Shares of each position, with at most two decimals.', shares),
  orders: z.array(plannedOrder),
  total_cost: described('Cost of all orders, before fees.', usd),
  total_fees: described('Fees of all orders.', usd),
  expected_profit_usd: described('Profit after fees.', usd),
  expected_profit_percentage: described('Profit after fees, over the cost.', percent),
  annualised_return: described(
    'That profit as if all year, in percent: times 365 over the days until the cash is back; null where that is not known.',
    z.nullable(percent),
  ),
  chosen_size: described(
    'The size that SIZE_POLICY chooses, and what bounds it; null of a split.',
    z.nullable(
      z.extend(policySize, {
        survival: described('How much of those is expected to be met; null where none pay.', z.nullable(expectedDepth)),
      }),
    ),
  ),
  max_profitable_size: described('The most shares of each position that still pay.', shares),
  worst_case_loss_usd: described(
    'What is lost where only those orders fill that pay least; of a split, where only those shares sell that bring least, and win.',
    usd,
  ),
  ways_in: described('Which there are for this opportunity.', z.array(wayIn)),
  split: described('Null where it was asked for by buying.', z.nullable(splitPlan)),
  warnings: z.array(z.string()),
  errors: described(
    'What refuses the order, as sentences. It may be placed only when this is empty.',
    z.array(z.string()),
  ),
});
export type Simulation = z.output<typeof simulation>;

/** The venues take sizes of two decimals. */
const orderSize = z.optional(
  inQuery(shares).check(
    z.refine((size) => size > 0, 'order_size must be greater than 0'),
    z.refine((size) => size % LEAST_SIZE === 0, 'order_size must have at most two decimals'),
  ),
);

const orderQuery = {
  order_size: described(
    'Shares of each position, with at most two decimals; without, the smallest that every minimum allows.',
    orderSize,
  ),
  way_in: described(
    'Whether the positions are bought, or dollars are split and the rest is sold; bought without.',
    z.optional(wayIn),
  ),
};

export const simulateOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/simulate-orders/{opportunity_id}',
  access: 'viewer',
  asksVenue: true,
  tag,
  summary: 'What placing would buy now, or split and sell, and what would refuse it',
  refusals: [notFound('Opportunity not found')],
  params: byId,
  query: z.object(orderQuery),
  reply: simulation,
});

export const listChosenSizes = endpoint({
  method: 'GET',
  path: '/arbitrage/chosen-sizes',
  access: 'viewer',
  tag,
  summary: 'Which size SIZE_POLICY chooses for some opportunities by the books of now, and what bounds it',
  query: z.object({ ids: idsInQuery }),
  reply: z.object({
    data: described(
      'Of those that exist.',
      z.array(
        z.object({
          opportunity_id: id,
          chosen_size: described('Null while a book of it is not known.', z.nullable(chosenSize)),
        }),
      ),
    ),
  }),
});

const lookedAt = z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'content_hash must be 64 hex digits')));

const quotedPrice = z.optional(
  inQuery(setPrice).check(z.refine((price) => price > 0, 'quoted_price must be greater than 0')),
);

export const placeOrder = endpoint({
  method: 'POST',
  path: '/arbitrage/place-order/{opportunity_id}',
  access: 'user',
  tag,
  summary: 'Buy the opportunity as a batch of orders, or split dollars and sell what it is not',
  refusals: [
    notFound('Opportunity not found'),
    refusal(
      409,
      'A gate refuses it, or the price or the positions have changed; `detail` says why.',
      'Trading is disarmed.',
    ),
    SIGN_OFF_ASKED,
  ],
  idempotent: true,
  params: byId,
  query: z.object({
    ...orderQuery,
    quoted_price: described(
      'The price of a set that was looked at: with a worse one by now, beyond the allowed deviation, the order is refused.',
      quotedPrice,
    ),
    content_hash: described(
      'The `content_hash` of the simulation that was looked at: with other positions by now the order is refused.',
      lookedAt,
    ),
  }),
  reply: batch,
});

const SERIES_PAUSES = [
  'switched off',
  'under way',
  'uneven',
  'not whole',
  'canceled',
  'disarmed',
  'clips max',
  'quiet',
  'inactive',
  'below trigger',
] as const;

const seriesPause = explained(meanings.SERIES_PAUSE_MEANINGS, z.enum(SERIES_PAUSES));
export type SeriesPause = z.output<typeof seriesPause>;

/** The clips in which an opportunity is bought one after the other. */
const series = z.object({
  series_id: described('The id of its first clip.', id),
  clips: described('How many were placed.', z.int()),
  clips_max: described('CLIPS_MAX: so many are placed at most.', z.int()),
  spent_usd: described('Dollars that the clips took, fees included.', usd),
  pause: described(
    'Why no further clip is placed; null where one is as soon as the gates let it pass.',
    z.nullable(seriesPause),
  ),
  uneven: described(
    'Clips that hold shares of some positions without the rest of their set.',
    z.array(
      z.object({
        batch_id: id,
        clip_number: described('Null of one that a version placed which did not count them.', z.nullable(z.int())),
        worst_loss_usd: described('What is lost at worst if these shares are held and pay nothing.', usd),
      }),
    ),
  ),
});
export type Series = z.output<typeof series>;

export const readSeries = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/series',
  access: 'viewer',
  tag,
  summary: 'The clips that an opportunity is bought in, and why no further one is placed',
  refusals: [notFound('Opportunity not found')],
  params: byId,
  reply: z.object({
    series: described(
      'The one that the last batch of the opportunity is a clip of; null where that is none, or there is no batch.',
      z.nullable(series),
    ),
  }),
});
