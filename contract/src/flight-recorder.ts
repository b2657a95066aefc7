/** The books of the past, moment by moment: of an opportunity, of a relation, and of a batch from before its trigger on. */
import * as z from 'zod/mini';
import { endpoint, notFound } from './endpoint.ts';
import { timelineEntry } from './execution.ts';
import { id, notReversed } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { TRUST_MEANINGS } from './notes/meanings.ts';
import { sizeBound } from './orders.ts';
import { instant, percent, price, setPrice, shares, usd } from './quantities.ts';
import { settingsForm } from './system-settings.ts';
import { READING_ALREADY } from './valuation.ts';

/** The most time, levels of a side, and moments that one answer has. */
export const MOMENTS_SPAN_MAX_MS = 600_000;
export const MOMENT_LEVELS_MAX = 10;
export const MOMENTS_MAX = 2000;

const level = z.object({ price, size: described('How many shares rest at this price.', shares) });

/** `index`: its place among `legs`, from 0. */
const momentLeg = z.object({
  index: described('Its place among `legs`, from 0.', z.int()),
  trust: described(
    'How far the book could be trusted.',
    explained(TRUST_MEANINGS, z.enum(['verified', 'live', 'polled', 'stale', 'none'])),
  ),
  bids: described('Best first; null where nothing is known of the book.', z.nullable(z.array(level))),
  asks: described('Offers, best first; null where nothing is known of the book.', z.nullable(z.array(level))),
});
export type MomentLeg = z.output<typeof momentLeg>;

/** `legs`: those whose book or trust has changed since the moment before; the first has all of them. */
const bookMoment = z.object({
  at: instant,
  legs: described(
    'The books that have changed since the moment before; the first moment has all of them.',
    z.array(momentLeg),
  ),
});

/** What a size policy would have chosen by the books and the account of a moment, with the survival that is measured now. */
const policyThen = z.object({
  policy: described('The value of SIZE_POLICY.', settingsForm.shape.SIZE_POLICY),
  order_size: shares,
  bounded_by: described('What kept it from being larger, or the smallest from being smaller.', sizeBound),
  allowed: described('False where not even the smallest size was within what bounds it.', z.boolean()),
  total_cost_usd: described('What it would have cost, with fees.', usd),
  expected_profit_usd: described('What it would have left after fees.', usd),
  worst_case_loss_usd: described('What would be lost where only those orders fill that pay least.', usd),
});
export type PolicyThen = z.output<typeof policyThen>;

const setMoment = z.object({
  ...bookMoment.shape,
  current_price: described(
    'Of one set, by the prices and settings in force then; null where it had no price, and `reason` says why.',
    z.nullable(setPrice),
  ),
  fees_per_set: z.nullable(usd),
  profit_percentage: z.nullable(percent),
  reason: z.nullable(z.string()),
  refusals: described(
    'What would have refused an automatic order then; null where that is not known.',
    z.nullable(z.array(z.object({ gate: described('The gate that refuses.', z.string()), message: z.string() }))),
  ),
  policies: described(
    'What each size policy would have chosen for an automatic order then, with the other settings as they were; empty where a set left nothing, null where the account is not known.',
    z.nullable(z.array(policyThen)),
  ),
});
export type SetMoment = z.output<typeof setMoment>;

const relationMoment = z.object({
  ...bookMoment.shape,
  distance_usd: described(
    'Dollars a set is away from paying, below zero where it pays; null where a leg has no quote.',
    z.nullable(usd),
  ),
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
  unknown: described(
    'Spans of which nothing is known of any book.',
    z.array(z.object({ from: instant, until: instant, reason: z.string() })),
  ),
  next: described('From when to ask on; null where that is all.', z.nullable(instant)),
};

const span = z.object({ from: instant, until: instant }).check(notReversed('from'));

export const readOpportunityMoments = endpoint({
  method: 'GET',
  path: '/arbitrage/opportunities/{opportunity_id}/moments',
  access: 'viewer',
  tag: 'Arbitrage',
  summary:
    'Books, profit and refusing gates of an opportunity at every moment of a span of the past, ten minutes at most',
  refusals: [notFound('Opportunity not found'), READING_ALREADY],
  params: z.object({ opportunity_id: id }),
  query: span,
  reply: z.object({
    ...around,
    moments: described('Each moment at which something changed, oldest first.', z.array(setMoment)),
  }),
});

export const readRelationMoments = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}/moments',
  access: 'viewer',
  tag: 'Discovery',
  summary: 'Books and distance of a relation at every moment of a span of the past, ten minutes at most',
  refusals: [notFound('Relation not found'), READING_ALREADY],
  params: z.object({ relation_id: id }),
  query: span,
  reply: z.object({
    ...around,
    moments: described('Each moment at which something changed, oldest first.', z.array(relationMoment)),
  }),
});

export const readBatchMoments = endpoint({
  method: 'GET',
  path: '/arbitrage/batches/{batch_id}/moments',
  access: 'viewer',
  tag: 'Batches',
  summary: 'The books of a batch’s legs from five seconds before its trigger to five after the last answer',
  refusals: [notFound('Batch not found'), READING_ALREADY],
  params: z.object({ batch_id: id }),
  query: z.object({ from: z.optional(instant) }),
  reply: z.object({
    ...around,
    state: described(
      'Whether the books of the batch are there.',
      explained(
        {
          kept: 'the books are there',
          waiting: 'the batch is not over yet',
          missing: 'nothing was recorded, or it is not kept any more',
        },
        z.enum(['kept', 'waiting', 'missing']),
      ),
    ),
    from: z.nullable(instant),
    until: z.nullable(instant),
    events: described('Of the timeline, what happened between these two.', z.array(timelineEntry)),
    moments: described('Each moment at which something changed, oldest first.', z.array(bookMoment)),
  }),
});
