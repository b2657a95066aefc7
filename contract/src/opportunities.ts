import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { batch } from './batches.ts';
import { endpoint, message } from './endpoint.ts';
import { find, idsInQuery } from './finding.ts';
import { flagInQuery, id, listOf, page, sortOrder, sortsOf } from './listing.ts';
import { resolutionStatus } from './markets.ts';
import { inQuery, instant, percent, price, setPrice, shares, usd } from './quantities.ts';

export const POSITIONS_MAX = 50;
export const CSV_BYTES_MAX = 10_000_000;
export const CSV_ROWS_MAX = 50_000;
/** So many markets of a file are looked up by other names than their ids. */
export const CSV_REFERENCES_MAX = 1000;

const marketId = z.string().check(z.minLength(1), z.maxLength(100));
const outcome = z.string().check(z.minLength(1), z.maxLength(100));

const leg = z.strictObject({
  leg: z.int().check(z.minimum(1), z.maximum(1000)),
  markets: z.array(z.strictObject({ id: marketId, outcome })).check(z.minLength(1, 'A leg needs at least one market')),
});

/** The legs of an opportunity: every market of every leg is one position, bought in equal numbers of shares. */
export const marketCombinations = z.array(leg);
export type MarketCombinations = z.output<typeof marketCombinations>;

/** What is asked of them as they are stored; whoever is told of stored ones need not judge them again. */
const newMarketCombinations = marketCombinations.check(
  z.minLength(1, 'At least one leg is needed'),
  z.refine((legs) => new Set(legs.map(({ leg }) => leg)).size === legs.length, 'Two legs carry the same number'),
  z.refine(
    (legs) => legs.reduce((positions, { markets }) => positions + markets.length, 0) <= POSITIONS_MAX,
    `At most ${POSITIONS_MAX} positions`,
  ),
  z.refine((legs) => {
    const pairs = legs.flatMap(({ markets }) => markets.map(({ id, outcome }) => `${id}\n${outcome}`));
    return new Set(pairs).size === pairs.length;
  }, 'The same market and outcome stands twice'),
);

/**
 * What feeds a position's price: a healthy stream (`verified` where the venue's own snapshot has lately agreed with it), a
 * doubtful one, polling, or nothing yet.
 */
const feed = z.enum(['live', 'stale', 'polled', 'verified', 'none']);
export type Feed = z.output<typeof feed>;

export const position = z.object({
  leg: z.int(),
  market_id: z.string(),
  question: z.nullable(z.string()),
  outcome: z.string(),
  token_id: z.nullable(z.string()),
  price: z.nullable(price),
  best_bid: z.nullable(price),
  best_ask: z.nullable(price),
  depth_usd: z.nullable(usd),
  fee: z.nullable(usd),
  book_age_ms: z.nullable(z.number()),
  feed,
  /** Of its market; null while no answer is proposed. */
  resolution: z.nullable(resolutionStatus),
  /** What a share of it pays since the market has resolved; null while that is not known. */
  resolved_value: z.nullable(price),
});
export type Position = z.output<typeof position>;

/** Whether a row's `last_error` means that its price is not one of now: one about the balance says nothing of the price. */
export function isPriceError(lastError: string | null): boolean {
  return lastError !== null && !/balance/i.test(lastError);
}

/** A gate that refuses the opportunity now, and how far it is from passing. */
const blocker = z.object({
  gate: z.string(),
  message: z.string(),
  actual: z.nullable(z.number()),
  required: z.nullable(z.number()),
});
export type Blocker = z.output<typeof blocker>;

/**
 * What makes an opportunity doubtful whatever it promises: `augmented_event`, its event has an outcome that is not listed
 * and that the set does not cover; `too_good_to_be_true`, it promises over 20 % after fees; `resolution_proposed` and
 * `resolution_disputed`, a market of it waits for its answer to become final. None is placed automatically.
 */
export const opportunityFlag = z.enum([
  'augmented_event',
  'too_good_to_be_true',
  'resolution_proposed',
  'resolution_disputed',
]);
export type OpportunityFlag = z.output<typeof opportunityFlag>;

const opportunityFields = {
  id,
  created_at: instant,
  updated_at: instant,
  market_combinations: marketCombinations,
  target_price: setPrice,
  current_price: z.nullable(setPrice),
  profit_percentage: z.nullable(percent),
  fees_per_set: z.nullable(usd),
  active: z.boolean(),
  triggered: z.boolean(),
  last_checked: z.nullable(instant),
  last_error: z.nullable(z.string()),
  error_count: z.int(),
  source: z.nullable(z.string()),
  source_details: z.nullable(z.string()),
  content_hash: z.string(),
  /** The relation that it was found by; null where somebody brought it. */
  relation_id: z.nullable(id),
  flags: z.array(opportunityFlag),
  /** Why no order was placed when it triggered, in sentences; null where one was, and while it is not triggered. */
  blocked: z.nullable(z.string()),
};

/** A row of the list: what is stored. */
export const opportunityRow = z.object(opportunityFields);
export type OpportunityRow = z.output<typeof opportunityRow>;

/** One opportunity with what is known of it at this moment. */
export const opportunity = z.object({
  ...opportunityFields,
  positions: z.array(position),
  max_profitable_size: z.nullable(shares),
  blockers: z.array(blocker),
});
export type Opportunity = z.output<typeof opportunity>;

export const OPPORTUNITY_SORTS = sortsOf(opportunityRow, 'market_combinations', 'flags');

const byId = z.object({ opportunity_id: id });
const filter = {
  /** By the beginning of an id, also of a market; by what a market or its event is called; by source or source details. */
  q: find,
  active: z.optional(flagInQuery),
  triggered: z.optional(flagInQuery),
  /** Of one set, in dollars after fees. */
  min_profit_usd: z.optional(inQuery(usd)),
  min_profit_percentage: z.optional(inQuery(percent)),
};
const tag = 'Arbitrage';

export const listOpportunities = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'List opportunities',
  query: z.object({
    ...page,
    ...filter,
    sort_by: z._default(z.enum(OPPORTUNITY_SORTS), 'created_at'),
    sort_order: z._default(sortOrder, 'desc'),
  }),
  reply: listOf(opportunityRow),
});

/** A set pays at most a dollar for each of its positions. */
const isPayable = z.refine<Price>(
  (value) => value <= POSITIONS_MAX * PRICE_ONE,
  `target_price is at most ${POSITIONS_MAX}`,
);
const targetPrice = setPrice.check(
  z.refine((value) => value > 0, 'target_price must be greater than 0'),
  isPayable,
);
const targetPriceInQuery = inQuery(setPrice).check(isPayable);

export const opportunityCreate = z.strictObject({
  market_combinations: newMarketCombinations,
  target_price: z.optional(targetPrice),
  active: z._default(z.boolean(), true),
  source: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  source_details: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
});

export const createOpportunity = endpoint({
  method: 'POST',
  path: '/arbitrage/opportunities',
  access: 'user',
  tag,
  summary: 'Create an opportunity',
  query: z.object({ target_price: z.optional(targetPriceInQuery) }),
  body: opportunityCreate,
  reply: opportunity,
});

export const readOpportunity = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}',
  access: 'viewer',
  tag,
  summary: 'Read an opportunity',
  params: byId,
  reply: opportunity,
});

/** Both fields also as query parameters, which win. */
export const opportunityUpdate = z.strictObject({
  target_price: z.optional(targetPrice),
  active: z.optional(z.boolean()),
});

export const updateOpportunity = endpoint({
  method: 'PUT',
  path: '/arbitrage/opportunities/{opportunity_id}',
  access: 'user',
  tag,
  summary: 'Change the target price of an opportunity, or whether it is active',
  params: byId,
  query: z.object({ active: z.optional(flagInQuery), target_price: z.optional(targetPriceInQuery) }),
  body: z.optional(opportunityUpdate),
  reply: opportunity,
});

export const updateContentHashes = endpoint({
  method: 'POST',
  path: '/arbitrage/opportunities/update-content-hashes',
  access: 'user',
  tag,
  summary: 'Compute all content hashes again',
  query: z.object({ handle_duplicates: z._default(flagInQuery, false) }),
  reply: z.object({ message: z.string(), updated: z.int(), duplicates: z.int(), deactivated: z.int() }),
});

export const deleteOpportunity = endpoint({
  method: 'DELETE',
  path: '/arbitrage/opportunities/{opportunity_id}',
  access: 'user',
  tag,
  summary: 'Delete an opportunity',
  params: byId,
  reply: message,
});

/** One that discovery found comes back inactive: it is found again while it pays. */
export const restoreOpportunity = endpoint({
  method: 'POST',
  path: '/arbitrage/opportunities/{opportunity_id}/restore',
  access: 'user',
  tag,
  summary: 'Undo the deletion of an opportunity and its price history, within ten minutes',
  params: byId,
  reply: message,
});

/** How a row names a market: by its id in capitals, the address of its page, its slug, a token of it, or Gamma's number. */
const referenceKind = z.enum(['capitals', 'page', 'slug', 'token_id', 'gamma_id']);

const importReply = z.object({
  opportunity_ids: z.array(id),
  duplicates: z.array(z.object({ row: z.int(), opportunity_id: id })),
  /** Rows that are wrong. */
  errors: z.array(z.object({ row: z.int(), message: z.string() })),
  /** Rows that are right and name a market that the venue does not know. */
  unknown: z.array(z.object({ row: z.int(), message: z.string() })),
  /** Which names of markets stood for which, the first hundred of them in the order of the file; `resolved_count` counts all. */
  resolved: z.array(z.object({ given: z.string(), kind: referenceKind, market_id: z.string() })),
  resolved_count: z.int(),
});
export type ImportReply = z.output<typeof importReply>;

export const importCsv = endpoint({
  method: 'POST',
  path: '/arbitrage/import-csv',
  access: 'user',
  tag,
  summary: 'Import opportunities from a CSV file',
  encoding: 'multipart',
  reply: importReply,
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportCsv = endpoint({
  method: 'GET',
  path: '/arbitrage/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Export opportunities as a CSV file',
  query: z.object({ ...filter, ids: z.optional(idsInQuery) }),
  reply: z.string(),
});

export const checkOpportunity = endpoint({
  method: 'POST',
  path: '/arbitrage/check/{opportunity_id}',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Check an opportunity against fresh books',
  params: byId,
  reply: z.object({ message: z.string(), opportunity }),
});

const jobStarted = z.object({ message: z.string(), job_id: id });

export const checkAllOpportunities = endpoint({
  method: 'POST',
  path: '/arbitrage/check-all',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Check all opportunities in the background',
  query: z.object({ active_only: z._default(flagInQuery, true) }),
  reply: jobStarted,
});

export const updatePrices = endpoint({
  method: 'POST',
  path: '/arbitrage/update-prices',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Refresh all prices in the background; never triggers',
  reply: jobStarted,
});

const plannedOrder = z.object({
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  outcome: z.string(),
  token_id: z.string(),
  side: z.enum(['buy', 'sell']),
  size: shares,
  price,
  average_price: price,
  cost: usd,
  fee: usd,
});
export type PlannedOrder = z.output<typeof plannedOrder>;

/** `split`: dollars are split into shares on the chain, and what the positions are not is sold. */
export const wayIn = z.enum(['buy', 'split']);
export type WayIn = z.output<typeof wayIn>;

/**
 * What the way in by a split does: so many dollars go in, and `proceeds_usd` come back before fees where all is sold. `calls` are
 * those of the contract. The orders of the simulation sell then, its cost is the dollars, and `worst_case_loss_usd` what is lost
 * where only those shares sell that bring least, and win.
 */
const splitPlan = z.object({
  dollars_in_usd: usd,
  proceeds_usd: usd,
  calls: z.array(z.object({ kind: z.enum(['split', 'horizontal_split']), market_ids: z.array(z.string()) })),
});

const simulation = z.object({
  opportunity_id: id,
  /** Of the positions that were looked at, where discovery may replace them; null where it does not. */
  content_hash: z.nullable(z.string()),
  order_size: shares,
  orders: z.array(plannedOrder),
  total_cost: usd,
  total_fees: usd,
  expected_profit_usd: usd,
  expected_profit_percentage: percent,
  max_profitable_size: shares,
  worst_case_loss_usd: usd,
  /** Which there are for this opportunity. */
  ways_in: z.array(wayIn),
  /** Null where it was asked for by buying. */
  split: z.nullable(splitPlan),
  warnings: z.array(z.string()),
  errors: z.array(z.string()),
});
export type Simulation = z.output<typeof simulation>;

/** The venues take sizes of two decimals. */

const orderSize = z.optional(
  inQuery(shares).check(
    z.refine((size) => size > 0, 'order_size must be greater than 0'),
    z.refine((size) => size % LEAST_SIZE === 0, 'order_size must have at most two decimals'),
  ),
);

export const simulateOrders = endpoint({
  method: 'GET',
  path: '/arbitrage/simulate-orders/{opportunity_id}',
  access: 'viewer',
  asksVenue: true,
  tag,
  summary: 'What placing would buy now, or split and sell, and what would refuse it',
  params: byId,
  query: z.object({ order_size: orderSize, way_in: z.optional(wayIn) }),
  reply: simulation,
});

/** Of the simulation that was looked at: with other positions by now the order is refused. */
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
  idempotent: true,
  params: byId,
  query: z.object({
    order_size: orderSize,
    quoted_price: quotedPrice,
    way_in: z.optional(wayIn),
    content_hash: lookedAt,
  }),
  reply: batch,
});
