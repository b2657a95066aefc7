import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import * as z from 'zod/mini';
import { endpoint, message, notFound, nothingDeleted, refusal, TOO_MANY_VENUE_CALLS } from './endpoint.ts';
import { RELATION_BASES } from './list-values.ts';
import { flagInQuery, id, listOf, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { resolutionStatus } from './markets.ts';
import { described, explained } from './notes/described.ts';
import * as meanings from './notes/meanings.ts';
import { inQuery, instant, percent, price, setPrice, shares, usd } from './quantities.ts';
import { find, idsInQuery } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

export const POSITIONS_MAX = 50;

const marketId = z.string().check(z.minLength(1), z.maxLength(100));
const outcome = z.string().check(z.minLength(1), z.maxLength(100));

const leg = z.strictObject({
  leg: z.int().check(z.minimum(1), z.maximum(1000)),
  markets: z
    .array(z.strictObject({ id: described("The venue's identifier of the market.", marketId), outcome }))
    .check(z.minLength(1, 'A leg needs at least one market')),
});

/** The legs of an opportunity: every market of every leg is one position, bought in equal numbers of shares. */
export const marketCombinations = z.array(leg);
export type MarketCombinations = z.output<typeof marketCombinations>;

/** What is asked of them as they are stored; stored ones need not be judged again. */
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
const feed = explained(meanings.TRUST_MEANINGS, z.enum(['live', 'stale', 'polled', 'verified', 'none']));
export type Feed = z.output<typeof feed>;

export const position = z.object({
  leg: z.int(),
  market_id: z.string(),
  question: described('The question of the market; null while the venue has not been asked.', z.nullable(z.string())),
  outcome: z.string(),
  token_id: z.nullable(z.string()),
  price: described('The price that the set is priced with; null while unknown.', z.nullable(price)),
  best_bid: z.nullable(price),
  best_ask: z.nullable(price),
  depth_usd: described('Dollars on offer within the depth that pricing looks at; null while unknown.', z.nullable(usd)),
  fee: described('The fee of one share; null while unknown.', z.nullable(usd)),
  book_age_ms: z.nullable(z.number()),
  feed: described('What feeds its price.', feed),
  resolution: described('Of its market; null while no answer is proposed.', z.nullable(resolutionStatus)),
  resolved_value: described('What a share pays since the market has resolved; null before.', z.nullable(price)),
});
export type Position = z.output<typeof position>;

/** Whether a row's `last_error` means that its price is not current: one about the balance says nothing of the price. */
export function isPriceError(lastError: string | null): boolean {
  return lastError !== null && !/balance/i.test(lastError);
}

/** A gate that refuses the opportunity now, and how far it is from passing. */
const blocker = z.object({
  gate: described('The gate that refuses.', z.string()),
  message: z.string(),
  actual: described('The figure as it is; null where the gate looks at none.', z.nullable(z.number())),
  required: described('The figure that would pass; null where the gate looks at none.', z.nullable(z.number())),
  automatic_only: described(
    'It refuses only the automatic order: a person may place one all the same.',
    z.optional(z.boolean()),
  ),
});
export type Blocker = z.output<typeof blocker>;

/**
 * What makes an opportunity doubtful whatever it promises: `augmented_event`, its event has an outcome that is not listed
 * and that the set does not cover; `too_good_to_be_true`, it promises over 20 % after fees; `resolution_proposed` and
 * `resolution_disputed`, a market of it waits for its answer to become final. None is placed automatically.
 */
export const opportunityFlag = explained(
  meanings.FLAG_MEANINGS,
  z.enum(['augmented_event', 'too_good_to_be_true', 'resolution_proposed', 'resolution_disputed']),
);
export type OpportunityFlag = z.output<typeof opportunityFlag>;

const opportunityFields = {
  id,
  created_at: instant,
  updated_at: instant,
  market_combinations: marketCombinations,
  target_price: setPrice,
  current_price: z.nullable(setPrice),
  profit_percentage: z.nullable(percent),
  annualised_return: described(
    'That profit as if all year, in percent: times 365 over the days until the cash is back, as of when it was priced; null where that is not known.',
    z.nullable(percent),
  ),
  profit_usd: described(
    'What buying `max_profitable_size` sets would leave now, in dollars after fees; where no size pays, what one set would lose. Null while it is not active or has no price.',
    z.nullable(usd),
  ),
  max_profitable_size: described('The most sets that pay now; null while not known.', z.nullable(shares)),
  pays_at: described(
    'When its cash is back: the end of its last market, or a moment before `last_checked` where a merge or a conversion brings it at once. Null where it is not known.',
    z.nullable(instant),
  ),
  about: described(
    'What its markets are about: a question, an event, or the first of several and how many more; null until they were read.',
    z.nullable(z.string()),
  ),
  name: described('What to call it: what it is about and what is bought of it.', z.string()),
  fees_per_set: z.nullable(usd),
  active: z.boolean(),
  triggered: z.boolean(),
  last_checked: described('When it was last priced; null before.', z.nullable(instant)),
  outdated: described(
    'When its price and profit were those of its books, where that is not now: nothing follows it while it is not active, or a book is stale or missing. Null while they are of now, and while it has none.',
    z.nullable(z.object({ as_of: described('When these were priced.', instant) })),
  ),
  last_error: z.nullable(z.string()),
  error_count: described('How often in a row pricing has failed.', z.int()),
  source: z.nullable(z.string()),
  source_details: z.nullable(z.string()),
  content_hash: described('A hash of the positions: equal for opportunities with equal positions.', z.string()),
  relation_id: described('The relation that it was found by; null where a user added it.', z.nullable(id)),
  flags: described('What makes it doubtful whatever it promises.', z.array(opportunityFlag)),
  blocked: described(
    'Why no order was placed when it triggered, in sentences; null where one was, and while it is not triggered.',
    z.nullable(z.string()),
  ),
};

/** A row of the list: what is stored. */
export const opportunityRow = z.object(opportunityFields);
export type OpportunityRow = z.output<typeof opportunityRow>;

/** Of a set of positions, beside what it is worth. */
export const paysAtMost = described(
  'What the set can surely pay at most, whatever comes true of its markets: with a target above it no profit is locked. Left out where the structure of its markets at the venue does not say so.',
  z.optional(setPrice),
);

/** One opportunity with what is known of it at this moment. */
export const opportunity = z.object({
  ...opportunityFields,
  pays_at_most: paysAtMost,
  relation_basis: described(
    'What the relation rests on that it was found by: `enforced` and `declared` need no approval. Null where a user added it.',
    z.nullable(explained(meanings.BASIS_MEANINGS, z.enum(RELATION_BASES))),
  ),
  positions: z.array(position),
  blockers: described('The gates that refuse it now.', z.array(blocker)),
});
export type Opportunity = z.output<typeof opportunity>;

export const OPPORTUNITY_SORTS = sortsOf(opportunityRow, 'market_combinations', 'flags', 'outdated');

const byId = z.object({ opportunity_id: id });
const filter = {
  q: described(
    'By the beginning of an id, also of a market; by what a market or its event is called; by source or source details.',
    find,
  ),
  active: z.optional(flagInQuery),
  triggered: z.optional(flagInQuery),
  venue: described('Only opportunities with a position at this venue.', z.optional(venueName)),
  min_profit_usd: described('Of one set, in dollars after fees.', z.optional(inQuery(usd))),
  min_profit_percentage: described(
    'Only those that promise at least so much of their cost, after fees.',
    z.optional(inQuery(percent)),
  ),
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
    ids: z.optional(idsInQuery),
    sort_by: z._default(sortBy(OPPORTUNITY_SORTS), 'created_at'),
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
  active: described('Whether it is watched from the start.', z._default(z.boolean(), true)),
  source: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  source_details: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
});

export const createOpportunity = endpoint({
  method: 'POST',
  path: '/arbitrage/opportunities',
  access: 'user',
  tag,
  summary: 'Create an opportunity',
  refusals: [
    refusal(
      409,
      'An opportunity has these positions already.',
      'An opportunity with these positions exists already: “Rain in May · Yes on all 2”',
    ),
    TOO_MANY_VENUE_CALLS,
  ],
  query: z.object({
    target_price: described('The target price; wins over the one in the body.', z.optional(targetPriceInQuery)),
  }),
  body: opportunityCreate,
  reply: opportunity,
});

export const readOpportunity = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}',
  access: 'viewer',
  tag,
  summary: 'Read an opportunity',
  refusals: [notFound('Opportunity not found'), TOO_MANY_VENUE_CALLS],
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
  refusals: [
    notFound('Opportunity not found'),
    refusal(
      409,
      'It was found by discovery, and its relation may not be traded, so it is not made active.',
      'The relation that it was found by may not be traded: it is found again once a superuser has approved that relation.',
    ),
    TOO_MANY_VENUE_CALLS,
  ],
  params: byId,
  query: z.object({
    active: described('Whether it is watched; wins over the one in the body.', z.optional(flagInQuery)),
    target_price: described('The target price; wins over the one in the body.', z.optional(targetPriceInQuery)),
  }),
  body: z.optional(opportunityUpdate),
  reply: opportunity,
});

export const updateContentHashes = endpoint({
  method: 'POST',
  path: '/arbitrage/opportunities/update-content-hashes',
  access: 'user',
  tag,
  summary: 'Compute all content hashes again',
  query: z.object({
    handle_duplicates: described(
      'Whether opportunities with equal positions are deactivated, but for one.',
      z._default(flagInQuery, false),
    ),
  }),
  reply: z.object({
    message: z.string(),
    updated: described('How many hashes have changed.', z.int()),
    duplicates: described('How many opportunities have the positions of another.', z.int()),
    deactivated: described('How many were deactivated.', z.int()),
  }),
});

export const deleteOpportunity = endpoint({
  method: 'DELETE',
  path: '/arbitrage/opportunities/{opportunity_id}',
  access: 'user',
  tag,
  summary: 'Delete an opportunity',
  refusals: [
    notFound('Opportunity not found'),
    refusal(
      409,
      'A batch that has not ended still buys it.',
      'An active batch still buys this opportunity: cancel it first',
    ),
  ],
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
  refusals: [
    nothingDeleted('opportunity'),
    refusal(
      409,
      'An opportunity with its positions was added meanwhile.',
      'An opportunity with these positions was added meanwhile',
    ),
  ],
  params: byId,
  reply: message,
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
  refusals: [notFound('Opportunity not found')],
  params: byId,
  reply: z.object({
    message: z.string(),
    opportunity: described('The opportunity as it is after the check.', opportunity),
  }),
});
