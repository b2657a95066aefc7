import * as z from 'zod/mini';
import { endpoint, TOO_MANY_VENUE_CALLS } from './endpoint.ts';
import { listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { fraction, instant, shares, tick } from './quantities.ts';
import { isVenueId, marketIdsInQuery } from './rules/finding.ts';

const event = z.nullable(
  z.object({
    id: z.string(),
    title: z.string(),
    augmented: described('Whether the event has an outcome that no listed market covers.', z.boolean()),
    market_count: described(
      'All its markets. Where fewer are listed, some are closed or cannot be traded: the listed are no whole event.',
      z.int(),
    ),
  }),
);

/**
 * Of a market that has not resolved: an answer is `proposed` and counts unless it is disputed in time, or it is `disputed` and being
 * voted on, which takes days.
 */
export const resolutionStatus = explained(
  { proposed: 'an answer counts unless it is disputed in time', disputed: 'an answer is voted on, for days' },
  z.enum(['proposed', 'disputed']),
);

const market = z.object({
  id: z.string(),
  question: z.string(),
  event: described('The event it belongs to; null where it belongs to none.', event),
  outcomes: described(
    'The outcomes with the token of each.',
    z.array(z.object({ outcome: z.string(), token_id: z.string() })),
  ),
  neg_risk: described(
    'Whether it belongs to a negative-risk event: exactly one of its markets comes true.',
    z.boolean(),
  ),
  end_date: z.nullable(instant),
  accepting_orders: described('Whether the venue takes orders in it now.', z.boolean()),
  resolution: described('How far its answer is from final; null while none is proposed.', z.nullable(resolutionStatus)),
  tick_size: described('The smallest step between two prices.', tick),
  min_order_size: described('The smallest order that the venue takes.', shares),
  fee_rate: described(
    "The venue's fee rate: the fee of a share is `rate × price × (1 − price)`; null where it is not known.",
    z.nullable(fraction),
  ),
});
export type MarketReply = z.output<typeof market>;

/** An open market that cannot be traded here; the question is empty where not even that could be read. */
const leftOutMarket = z.object({
  id: z.string(),
  question: z.string(),
  event: described('The event it belongs to; null where it belongs to none.', event),
  reason: z.string(),
});
export type LeftOutMarketReply = z.output<typeof leftOutMarket>;

export const listMarkets = endpoint({
  method: 'GET',
  path: '/markets',
  access: 'viewer',
  heavy: 'list',
  asksVenue: true,
  tag: 'Markets',
  summary: 'What the venue offers',
  query: z.object({
    ...page,
    search: described(
      'Words of the market or its event, in any order, whole or the beginnings of them, with accents or without; or an id, a slug, or the address of a page. The best match comes first, then what is open, then what is traded most.',
      z.optional(z.string().check(z.maxLength(200))),
    ),
    event: described(
      'Only markets of this event, by its identifier.',
      z.optional(z.string().check(z.maxLength(200), isVenueId)),
    ),
  }),
  reply: z.extend(listOf(market), {
    left_out: described(
      'The first of those that match as well and cannot be traded here, with the reason.',
      listOf(leftOutMarket),
    ),
    still_reading: described(
      'Whether the venue is being read for the first time, or again after a pause of half an hour: more may match then.',
      z.boolean(),
    ),
  }),
});

const marketRules = z.object({
  market_id: z.string(),
  page: described(
    'The address of its page at the venue; null where it has none, as on the simulated exchange.',
    z.nullable(z.string()),
  ),
  rules: described(
    'With what the venue has added to them since it listed the market; empty where it says nothing.',
    z.string(),
  ),
  resolution_source: described(
    'Where the answer is taken from, by the venue; empty where it does not say.',
    z.string(),
  ),
});
export type MarketRulesReply = z.output<typeof marketRules>;

export const listMarketRules = endpoint({
  method: 'GET',
  path: '/markets/rules',
  access: 'viewer',
  heavy: 'list',
  tag: 'Markets',
  summary: 'The rules of markets, and where they stand at the venue; what the venue does not know is left out',
  refusals: [TOO_MANY_VENUE_CALLS],
  query: z.object({ market_ids: described('At most 50, with commas between them.', marketIdsInQuery) }),
  reply: z.object({ data: z.array(marketRules) }),
});
