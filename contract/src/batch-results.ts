/** The batches behind the figures of the report. */
import * as z from 'zod/mini';
import { endpoint, notFound } from './endpoint.ts';
import { flagInQuery, id, listOf, notReversed, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { REACHED_STEP_MEANINGS } from './notes/meanings.ts';
import { sizeBound } from './orders.ts';
import { instant, setPrice, shares, usd } from './quantities.ts';
import { filters, profitParts, slippageParts } from './report.ts';
import { day } from './rules/finding.ts';

const tag = 'Report';

export const batchResult = z.object({
  batch_id: id,
  batch_name: described(
    'What its opportunity was called when the batch was placed; null for batches of before names.',
    z.nullable(z.string()),
  ),
  triggered_at: described('When it triggered.', instant),
  operator: described(
    'The email of the user who placed it; null where it was placed automatically.',
    z.nullable(z.string()),
  ),
  automatic: z.boolean(),
  source: z.nullable(z.string()),
  event_id: z.string(),
  event_title: z.string(),
  structure: described(
    'How the positions of the opportunity belong together, as one word; null where it is not known.',
    z.nullable(z.string()),
  ),
  basis: described('What proves the relation that it was found by; null for others.', z.nullable(z.string())),
  size: shares,
  size_bounded_by: described(
    'What kept its size from being larger; of a series that of the last clip, or that there were as many clips as CLIPS_MAX. Null where a person decided on it.',
    z.nullable(sizeBound),
  ),
  series_id: described('The id of the first clip of its series; null where it is no clip.', z.nullable(id)),
  clip_number: described('Its place in the series, from 1; null where it is none.', z.nullable(z.int())),
  clips: described('How many clips the row adds up; 1 of a batch.', z.int()),
  predicted_usd: described('Profit that was predicted, after fees.', usd),
  predicted_cost_usd: described('Cost that was predicted, before fees.', usd),
  predicted_fees_usd: described('Fees that were predicted.', usd),
  cost_usd: usd,
  received_usd: described('Dollars that came back by sales, conversions and redemptions.', usd),
  fees_usd: usd,
  ...profitParts,
  capital_usd: usd,
  ...slippageParts,
  shortfall_usd: usd,
  books_age_ms: described(
    'Age of the oldest book at the decision, in milliseconds; null where it is not known.',
    z.nullable(z.int()),
  ),
  sent_ms: described(
    'Milliseconds from the decision until the first order was sent; null where none was.',
    z.nullable(z.int()),
  ),
  matched_ms: described(
    'Milliseconds from the decision until the last trade was matched; null where none was.',
    z.nullable(z.int()),
  ),
  confirmed_ms: described(
    'Milliseconds from the decision until the last trade was confirmed; null where none was.',
    z.nullable(z.int()),
  ),
  cash_ms: described(
    'Milliseconds from the decision until all was cash again; null while it is not.',
    z.nullable(z.int()),
  ),
  lock_day: described('The day on which its profit was locked in, as `2026-01-31`; null before.', z.nullable(day)),
  cash_day: described('The day of its cash, as `2026-01-31`; null before.', z.nullable(day)),
  release_at: described('When its last market ends; null where that is not known.', z.nullable(instant)),
});
export type BatchResult = z.output<typeof batchResult>;

export const BATCH_RESULT_SORTS = sortsOf(batchResult);

const batchFilters = {
  ...filters,
  lock_day: described('Only batches whose profit was locked in on this day.', z.optional(day)),
  cash_day: described(
    'Only batches of which something became cash on this day; what is paid is that of this day.',
    z.optional(day),
  ),
  cash_since: described(
    'Only batches of which something became cash since this day; what is paid is that of these days.',
    z.optional(day),
  ),
  cash_until: described('The last day of cash, included.', z.optional(day)),
  release_month: described(
    '`2026-01`, or `unknown`.',
    z.optional(z.string().check(z.regex(/^(\d{4}-\d{2}|unknown)$/))),
  ),
  is_open: described('Something of it is not cash again yet.', z.optional(flagInQuery)),
  reached: described(
    'It has reached this step of the funnel.',
    z.optional(explained(REACHED_STEP_MEANINGS, z.enum(['filled', 'locked', 'cash']))),
  ),
  size_band: described(
    'A band of sizes or an hour, as the report calls them by `key`.',
    z.optional(z.string().check(z.maxLength(20))),
  ),
  hour: described(
    'Only batches that triggered in this hour of the day, in UTC.',
    z.optional(z.string().check(z.regex(/^\d{1,2}$/))),
  ),
};

export const listBatchResults = endpoint({
  method: 'GET',
  path: '/report/batches',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'The batches behind a figure of the report',
  query: z
    .object({
      ...page,
      ...batchFilters,
      series_id: described('Only the clips of that series.', z.optional(id)),
      series: described(
        'How a series is listed. As one row, the amounts of its clips that match are added up, and the rest is that of the first of them.',
        z.optional(
          explained(
            { one_row: 'a series is one row', every_clip: 'each of its clips is a row, as without' },
            z.enum(['one_row', 'every_clip']),
          ),
        ),
      ),
      sort_by: z._default(sortBy(BATCH_RESULT_SORTS), 'triggered_at'),
      sort_order: z._default(sortOrder, 'desc'),
    })
    .check(notReversed('since')),
  reply: listOf(batchResult),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportBatchResults = endpoint({
  method: 'GET',
  path: '/report/batches/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'The batches behind a figure as a CSV file',
  query: z.object(batchFilters).check(notReversed('since')),
  reply: z.string(),
});

const legResult = z.object({
  order_id: id,
  leg: z.int(),
  market_name: z.string(),
  outcome: z.string(),
  ordered: described('Shares that were ordered.', shares),
  filled: shares,
  predicted_price: described('Price that was predicted.', setPrice),
  average_price: z.nullable(setPrice),
  predicted_fee_usd: described('Fee that was predicted.', usd),
  fee_usd: described('Fee that was paid.', usd),
  paid_usd: described('What was paid for it, before fees.', usd),
  ...slippageParts,
});

export const readBatchResult = endpoint({
  method: 'GET',
  path: '/report/batches/{batch_id}',
  access: 'viewer',
  tag,
  summary: 'What a batch promised and its result, leg by leg',
  refusals: [notFound('Batch not found')],
  params: z.object({ batch_id: id }),
  reply: z.object({ batch: described('The batch as a whole.', batchResult), legs: z.array(legResult) }),
});
