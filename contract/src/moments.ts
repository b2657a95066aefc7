/** The books of the past, moment by moment: of an opportunity, of a relation, and of a batch from before its trigger on. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { timelineEntry } from './execution.ts';
import { id, notReversed } from './listing.ts';
import { instant, percent, price, setPrice, shares, usd } from './quantities.ts';

/** The most time, levels of a side, and moments that one answer has. */
export const MOMENTS_SPAN_MAX_MS = 600_000;
export const MOMENT_LEVELS_MAX = 10;
export const MOMENTS_MAX = 2000;

const level = z.object({ price, size: shares });

/** `index`: its place among `legs`, from 0. */
const momentLeg = z.object({
  index: z.int(),
  trust: z.enum(['verified', 'live', 'polled', 'stale', 'none']),
  /** Best first; null where nothing is known of the book. */
  bids: z.nullable(z.array(level)),
  asks: z.nullable(z.array(level)),
});
export type MomentLeg = z.output<typeof momentLeg>;

/** `legs`: those whose book or trust has changed since the moment before; the first has all of them. */
const bookMoment = z.object({ at: instant, legs: z.array(momentLeg) });

const setMoment = z.object({
  ...bookMoment.shape,
  /** Of one set, as pricing and settings of then had it; null where it had no price, and `reason` says why. */
  current_price: z.nullable(setPrice),
  fees_per_set: z.nullable(usd),
  profit_percentage: z.nullable(percent),
  reason: z.nullable(z.string()),
  /** What would have refused an automatic order then; null where that is not known. */
  refusals: z.nullable(z.array(z.object({ gate: z.string(), message: z.string() }))),
});
export type SetMoment = z.output<typeof setMoment>;

const relationMoment = z.object({
  ...bookMoment.shape,
  /** Dollars a set is away from paying, below zero where it pays; null where a leg has no quote. */
  distance_usd: z.nullable(usd),
  profit_usd: z.nullable(usd),
  size: z.nullable(shares),
});
export type RelationMoment = z.output<typeof relationMoment>;

const leg = z.object({
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  outcome: z.string(),
  token_id: z.nullable(z.string()),
});
export type LegOfMoments = z.output<typeof leg>;

/** `unknown`: nothing is known of any book then. `next`: from when to ask on; null where that is all. */
const around = {
  legs: z.array(leg),
  unknown: z.array(z.object({ from: instant, until: instant, reason: z.string() })),
  next: z.nullable(instant),
};

const span = z.object({ from: instant, until: instant }).check(notReversed('from'));

export const readOpportunityMoments = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/moments',
  access: 'viewer',
  tag: 'Arbitrage',
  summary:
    'Books, profit and refusing gates of an opportunity at every moment of a span of the past, ten minutes at most',
  params: z.object({ opportunity_id: id }),
  query: span,
  reply: z.object({ ...around, moments: z.array(setMoment) }),
});

export const readRelationMoments = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}/moments',
  access: 'viewer',
  tag: 'Discovery',
  summary: 'Books and distance of a relation at every moment of a span of the past, ten minutes at most',
  params: z.object({ relation_id: id }),
  query: span,
  reply: z.object({ ...around, moments: z.array(relationMoment) }),
});

export const readBatchMoments = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/moments',
  access: 'viewer',
  tag: 'Batches',
  summary: 'The books of a batch’s legs from five seconds before its trigger to five after the last answer',
  params: z.object({ batch_id: id }),
  query: z.object({ from: z.optional(instant) }),
  reply: z.object({
    ...around,
    /** `waiting`: it is not over yet. `missing`: nothing was recorded, or it is not kept any more. */
    state: z.enum(['kept', 'waiting', 'missing']),
    from: z.nullable(instant),
    until: z.nullable(instant),
    /** Of the timeline, what happened between these two. */
    events: z.array(timelineEntry),
    moments: z.array(bookMoment),
  }),
});
