/** What an opportunity is worth: before it exists, by size, and in the past. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { id } from './listing.ts';
import { described } from './notes/described.ts';
import { opportunityCreate, opportunityFlag, paysAtMost, position } from './opportunities.ts';
import { sizeBound } from './orders.ts';
import { instant, percent, price, setPrice, shares, usd } from './quantities.ts';
import { idsInQuery } from './rules/finding.ts';

const byId = z.object({ opportunity_id: id });
const tag = 'Arbitrage';

/** What a set of positions would be worth as an opportunity. Null where it cannot be priced, and `error` says why. */
const preview = z.object({
  target_price: setPrice,
  current_price: z.nullable(setPrice),
  fees_per_set: z.nullable(usd),
  profit_percentage: z.nullable(percent),
  max_profitable_size: z.nullable(shares),
  pays_at_most: paysAtMost,
  positions: z.array(position),
  flags: described('What would make it doubtful whatever it promises.', z.array(opportunityFlag)),
  error: z.nullable(z.string()),
  duplicate_of: described(
    'The opportunity that has these very positions already: a second one is refused.',
    z.nullable(id),
  ),
});
export type Preview = z.output<typeof preview>;

export const previewOpportunity = endpoint({
  method: 'POST',
  path: '/arbitrage/preview',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'What a set of positions would be worth as an opportunity; nothing is stored',
  body: z.strictObject({
    market_combinations: opportunityCreate.shape.market_combinations,
    target_price: opportunityCreate.shape.target_price,
  }),
  reply: preview,
});

/** How many levels of each side of a book are served. */
export const DEPTH_LEVELS_MAX = 50;

/** `total`: the dollars of this level and all better ones. */
const depthLevel = z.object({
  price,
  size: described('How many shares rest at this price.', shares),
  total: described('Dollars of this level and all better ones.', usd),
});
export type DepthLevel = z.output<typeof depthLevel>;

const positionDepth = z.object({
  leg: z.int(),
  market_id: z.string(),
  outcome: z.string(),
  bids: described('Best first.', z.array(depthLevel)),
  asks: described('Offers, best first.', z.array(depthLevel)),
});
export type PositionDepth = z.output<typeof positionDepth>;

/** Buying `size` shares of every position: `profit` after fees, and in percent of what is paid. */
const profitPoint = z.object({
  size: shares,
  cost: described('What these shares cost, before fees.', usd),
  fees: described('Fees of these shares.', usd),
  profit: described('Profit after fees.', usd),
  profit_percentage: percent,
});
export type ProfitPoint = z.output<typeof profitPoint>;

/** How much of a size that pays orders like it have met. */
export const expectedDepth = z.object({
  expected_size: described(
    'Shares that are expected to be met: the lower quartile of what orders like it met; null below `orders_needed` of them.',
    z.nullable(shares),
  ),
  orders_like_it: described(
    'Orders that were sent to this venue, in this category, for as many dollars of shown depth by a book as old; and books that showed as much to an opportunity of which nothing was bought.',
    z.int(),
  ),
  orders_needed: described('How many have to be known.', z.int()),
});
export type ExpectedDepth = z.output<typeof expectedDepth>;

/** The size that SIZE_POLICY chooses for an order of the product's own. */
export const chosenSize = z.object({
  order_size: shares,
  bounded_by: described('What keeps it from being larger, or the smallest from being smaller.', sizeBound),
  allowed: described('False where not even this, the smallest size, is within what bounds it.', z.boolean()),
});

/** With what it was chosen from. */
export const policySize = z.extend(chosenSize, {
  paying_size: described(
    'Shares that would pay best if nothing but profit and the books bounded it; null where the policy is the smallest.',
    z.nullable(shares),
  ),
});
export type PolicySize = z.output<typeof policySize>;

const depth = z.object({
  positions: z.array(positionDepth),
  curve: described(
    'One point at every size at which a position passes on to its next level, from the smallest. Straight in between.',
    z.array(profitPoint),
  ),
  max_profitable_size: z.nullable(shares),
  survival: described(
    'What own orders, and what books still held a moment later, lead to expect of the largest profitable size; null where there is none.',
    z.nullable(expectedDepth),
  ),
  order_size: described(
    'Shares of each position of an order for which no size is given; null while a book of it is not known.',
    z.nullable(shares),
  ),
  chosen_size: described(
    'The size that SIZE_POLICY chooses by these books, and what bounds it; null while one of them is not known.',
    z.nullable(policySize),
  ),
});
export type Depth = z.output<typeof depth>;

export const readDepth = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/depth',
  access: 'viewer',
  asksVenue: true,
  tag,
  summary: 'The books of an opportunity’s positions, and its profit by size',
  refusals: [notFound('Opportunity not found')],
  params: byId,
  reply: depth,
});

/** What `readHistories` looks at: so many moments, so far apart, the last one now. */
export const RECENT_POINTS = 30;
export const RECENT_SPACING_MS = 120_000;

export const readHistories = endpoint({
  method: 'GET',
  path: '/arbitrage/histories',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'How the profit of some opportunities stood over the last hour',
  query: z.object({ ids: idsInQuery }),
  reply: z.object({
    data: z.array(
      z.object({
        opportunity_id: id,
        profit_percentages: described('Oldest first; null where none was known.', z.array(z.nullable(percent))),
      }),
    ),
  }),
});

/** How far back the prices of an opportunity are kept. */
export const HISTORY_DAYS = 30;

/** `at` is when the price was judged; null prices mean that it could not be priced from then on. */
const historyPoint = z.object({
  at: instant,
  current_price: z.nullable(setPrice),
  target_price: setPrice,
  profit_percentage: z.nullable(percent),
  triggered: z.boolean(),
});
export type HistoryPoint = z.output<typeof historyPoint>;

export const readHistory = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/history',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Current against target price in the past, oldest first, led by the point that stood at `since`',
  refusals: [notFound('Opportunity not found')],
  params: byId,
  query: z.object({
    since: described('Default: a day ago.', z.optional(instant)),
  }),
  reply: z.object({ data: z.array(historyPoint) }),
});

export const READING_ALREADY = refusal(
  429,
  'The user reads the past several times already.',
  'You are reading the past several times already. Wait for these first.',
);

/** How far before an opportunity was stored its prices are looked for in what was recorded. */
export const PRICES_BEFORE_MS = 3_600_000;

export const readPricesBefore = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/history/before',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary:
    'Prices of an opportunity in the hour before it was stored, by the recorded books and the settings and target of now',
  refusals: [notFound('Opportunity not found'), READING_ALREADY],
  params: byId,
  reply: z.object({
    since: described(
      'From when the recording was read; later than an hour before where that would have taken too long.',
      instant,
    ),
    data: described('Oldest first, at most one every ten seconds; nothing had been triggered.', z.array(historyPoint)),
  }),
});
