import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { listOf, page } from './listing.ts';
import { fraction, instant, shares, tick } from './quantities.ts';

const event = z.nullable(
  z.object({
    id: z.string(),
    title: z.string(),
    augmented: z.boolean(),
    /** All its markets. Where fewer are listed, some are closed or cannot be traded: the listed are no whole event. */
    market_count: z.int(),
  }),
);

/**
 * Of a market that has not resolved: an answer is `proposed` and counts unless it is disputed in time, or it is `disputed` and being
 * voted on, which takes days.
 */
export const resolutionStatus = z.enum(['proposed', 'disputed']);

const market = z.object({
  id: z.string(),
  question: z.string(),
  event,
  outcomes: z.array(z.object({ outcome: z.string(), token_id: z.string() })),
  neg_risk: z.boolean(),
  end_date: z.nullable(instant),
  accepting_orders: z.boolean(),
  resolution: z.nullable(resolutionStatus),
  tick_size: tick,
  min_order_size: shares,
  fee_rate: z.nullable(fraction),
});
export type MarketReply = z.output<typeof market>;

/** An open market that cannot be traded here; the question is empty where not even that could be read. */
const leftOutMarket = z.object({ id: z.string(), question: z.string(), event, reason: z.string() });
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
    search: z.optional(z.string().check(z.maxLength(200))),
    event: z.optional(z.string().check(z.maxLength(200))),
  }),
  /** `left_out`: the first of those that cannot be traded here and match as well; whatever is skipped, as many as `limit`. */
  reply: z.extend(listOf(market), { left_out: listOf(leftOutMarket) }),
});
