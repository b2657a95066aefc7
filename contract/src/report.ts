/** What was earned, where it went, and what was missed. Days, hours and months are those of UTC. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, id, listOf, notReversed, page, sortOrder, sortsOf } from './listing.ts';
import { fraction, instant, setPrice, shares, usd } from './quantities.ts';

const tag = 'Report';

const NOT_A_DAY = 'Input should be a day, like 2026-01-31';

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, NOT_A_DAY), z.refine(isDay, NOT_A_DAY));

/** Of the calendar: neither 2026-02-30 nor the year 0, which no database reads. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) && !text.startsWith('0000');
}

const filters = {
  /** By when batches triggered; both days included. */
  since: z.optional(day),
  until: z.optional(day),
  operator_id: z.optional(id),
  automatic: z.optional(flagInQuery),
  event_id: z.optional(z.string().check(z.maxLength(200))),
  /** These two exactly; empty for those that have none. */
  source: z.optional(z.string().check(z.maxLength(255))),
  structure: z.optional(z.string().check(z.maxLength(40))),
};

/** Profit in three parts. `at_risk_usd`: what may be lost of what no whole set needs; not part of the other two. */
const profitParts = {
  paid_usd: usd,
  locked_usd: usd,
  at_risk_usd: usd,
};

const slippageParts = {
  /** Dollars more than predicted for what was bought; the three parts add up to it. */
  slippage_usd: usd,
  moved_before_send_usd: usd,
  moved_in_flight_usd: usd,
  size_added_usd: usd,
};

const spread = z.nullable(z.object({ p50_ms: z.int(), p90_ms: z.int(), count: z.int() }));

export const reportSummary = z.object({
  batches: z.int(),
  ...profitParts,
  predicted_usd: usd,
  fees_usd: usd,
  gas: z.array(z.object({ unit: z.string(), amount: z.string() })),
  /** What came of these days beside trading, of all batches: rewards and rebates of the venue, and dollars that nobody has named yet. */
  income: z.object({ rewards_usd: usd, rebates_usd: usd, unknown_usd: usd }),
  ...slippageParts,
  /** Predicted profit of sets that were not filled. */
  shortfall_usd: usd,
  cost_usd: usd,
  /** What is not cash again yet, at cost. */
  capital_usd: usd,
  /** Dollars times days of all of it so far. */
  capital_days: usd,
  /**
   * Profit that is paid or locked, over the dollars and days that it takes, times 365: until the cash was there, or is expected a
   * day after the last market ends. What nobody knows the end of is left out; null where nothing else was bound.
   */
  annualised: z.nullable(fraction),
  /** What the platform's capital costs a year, by a setting. */
  hurdle: fraction,
  legs: z.int(),
  filled_legs: z.int(),
  fills: z.int(),
  undone_fills: z.int(),
  times: z.object({ sent: spread, matched: spread, confirmed: spread, cash: spread }),
});
export type ReportSummary = z.output<typeof reportSummary>;

export const readReport = endpoint({
  method: 'GET',
  path: '/report/summary',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Profit in three parts, slippage, capital, return and times of the batches that match',
  query: z.object(filters).check(notReversed('since')),
  reply: reportSummary,
});

/** By cash nothing is locked or at risk: what still is has not become cash on any day. */
const reportDay = z.object({ day, batches: z.int(), ...profitParts, fees_usd: usd, slippage_usd: usd });
export type ReportDay = z.output<typeof reportDay>;

export const listReportDays = endpoint({
  method: 'GET',
  path: '/report/days',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary:
    'The profit of each day: of the day on which it became cash, which adds up to what is paid, or of the day on which it was locked in',
  query: z.object({ ...filters, by: z._default(z.enum(['cash', 'lock']), 'cash') }).check(notReversed('since')),
  reply: z.object({ days: z.array(reportDay) }),
});

const exposureRow = z.object({
  /** An event, or a month as `2026-01`; null where it is not known when it ends. */
  key: z.nullable(z.string()),
  title: z.string(),
  batches: z.int(),
  capital_usd: usd,
  locked_usd: usd,
  /** What is lost at worst, whatever comes true. */
  at_risk_usd: usd,
});

export const readExposure = endpoint({
  method: 'GET',
  path: '/report/exposure',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What is bound and what is at risk, by event (the largest hundred) and by the month that releases it',
  query: z.object(filters).check(notReversed('since')),
  reply: z.object({ events: z.array(exposureRow), months: z.array(exposureRow) }),
});

const band = z.object({
  /** `up to 10 shares` or `14:00`. */
  label: z.string(),
  key: z.string(),
  legs: z.int(),
  filled_legs: z.int(),
  ordered: shares,
  filled: shares,
  ...slippageParts,
});

export const readExecutionQuality = endpoint({
  method: 'GET',
  path: '/report/execution',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Slippage and fill rate by size of leg and by hour of the day',
  query: z.object(filters).check(notReversed('since')),
  reply: z.object({
    sizes: z.array(band),
    hours: z.array(band),
    settlements: z.object({
      /** Over the window that the gate looks at. */
      settled: z.int(),
      undone: z.int(),
      rate: z.nullable(fraction),
      /** Buying pauses above it; null where it is off. */
      pauses_above: z.nullable(fraction),
      is_paused: z.boolean(),
    }),
  }),
});

const funnelStep = z.object({
  step: z.enum(['seen', 'triggered', 'allowed', 'placed', 'filled', 'locked', 'cash']),
  count: z.int(),
  /** Predicted up to `placed`, then of what was filled. */
  usd,
  /** Dollars that did not come from the step before, below zero where more came; and the reason that took most of them. */
  lost_usd: usd,
  first_reason: z.nullable(z.string()),
});

/** The steps of the funnel at which something is missed before it is placed. */
export const MISSED_STEPS = ['seen', 'triggered', 'allowed'] as const;
const missedStep = z.enum(MISSED_STEPS);

/** No longer than this is a reason that the funnel gives. */
export const REASON_LENGTH_MAX = 300;

export const readFunnel = endpoint({
  method: 'GET',
  path: '/report/funnel',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary:
    'From what was seen (in the last thirty days) to cash: how many, for how many dollars, and what was lost at each step',
  query: z.object(filters).check(notReversed('since')),
  reply: z.object({
    steps: z.array(funnelStep),
    /** What was not taken, by the reason that stood in its way first, most dollars first. `reached`: the last step it came to. */
    missed: z.array(z.object({ reached: missedStep, reason: z.string(), count: z.int(), usd })),
  }),
});

/** A time that a relation paid, or a trigger of an opportunity that somebody brought, on which nothing was bought. */
export const missedEntry = z.object({
  id,
  at: instant,
  /** The title of its event, or of the market itself where that belongs to none. */
  subject: z.string(),
  event_id: z.string(),
  /** The whole of what stood in its way, with its figures. */
  reason: z.string(),
  /** At the size that made most; that is null of triggers that were missed before it was kept. */
  usd,
  size: z.nullable(shares),
  relation_id: z.nullable(id),
  /** It may have been deleted since. */
  opportunity_id: z.nullable(id),
});
export type MissedEntry = z.output<typeof missedEntry>;

export const MISSED_SORTS = sortsOf(missedEntry);

export const listMissed = endpoint({
  method: 'GET',
  path: '/report/missed',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What was missed, one by one: what is behind the first steps of the funnel and behind each of its reasons',
  query: z
    .object({
      ...page,
      ...filters,
      /** The last step that it came to. */
      reached: z.optional(missedStep),
      /** It came to this step, whether or not beyond it. */
      came_to: z.optional(missedStep),
      /** As the funnel gives it, without figures. */
      reason: z.optional(z.string().check(z.maxLength(REASON_LENGTH_MAX))),
      sort_by: z._default(z.enum(MISSED_SORTS), 'at'),
      sort_order: z._default(sortOrder, 'desc'),
    })
    .check(notReversed('since')),
  reply: listOf(missedEntry),
});

export const batchResult = z.object({
  batch_id: id,
  triggered_at: instant,
  operator: z.nullable(z.string()),
  automatic: z.boolean(),
  source: z.nullable(z.string()),
  event_id: z.string(),
  event_title: z.string(),
  structure: z.nullable(z.string()),
  basis: z.nullable(z.string()),
  size: shares,
  predicted_usd: usd,
  predicted_cost_usd: usd,
  predicted_fees_usd: usd,
  cost_usd: usd,
  received_usd: usd,
  fees_usd: usd,
  ...profitParts,
  capital_usd: usd,
  ...slippageParts,
  shortfall_usd: usd,
  books_age_ms: z.nullable(z.int()),
  sent_ms: z.nullable(z.int()),
  matched_ms: z.nullable(z.int()),
  confirmed_ms: z.nullable(z.int()),
  cash_ms: z.nullable(z.int()),
  lock_day: z.nullable(day),
  cash_day: z.nullable(day),
  release_at: z.nullable(instant),
});
export type BatchResult = z.output<typeof batchResult>;

export const BATCH_RESULT_SORTS = sortsOf(batchResult);

/** So many events are offered at once; a search finds the others. */
export const EVENT_CHOICES_MAX = 50;

export const listReportChoices = endpoint({
  method: 'GET',
  path: '/report/choices',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What the report can be narrowed to: events by their names, those that triggered last first, and sources',
  query: z.object({
    /** Part of the name of an event. */
    search: z.optional(z.string().check(z.maxLength(200))),
    /** An event that is offered in any case, before all others. */
    event_id: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({
    events: z.array(z.object({ id: z.string(), title: z.string(), batches: z.int() })),
    /** Null: batches of what has none. */
    sources: z.array(z.object({ source: z.nullable(z.string()), batches: z.int() })),
  }),
});

const batchFilters = {
  ...filters,
  lock_day: z.optional(day),
  /** Something of it became cash on that day. What is paid, fees and slippage are then of what did. */
  cash_day: z.optional(day),
  /** `2026-01`, or `unknown`. */
  release_month: z.optional(z.string().check(z.regex(/^(\d{4}-\d{2}|unknown)$/))),
  /** Something of it is not cash again yet. */
  is_open: z.optional(flagInQuery),
  /** It has come to this step of the funnel. */
  reached: z.optional(z.enum(['filled', 'locked', 'cash'])),
  /** A band of sizes or an hour, as the report calls them by `key`. */
  size_band: z.optional(z.string().check(z.maxLength(20))),
  hour: z.optional(z.string().check(z.regex(/^\d{1,2}$/))),
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
      sort_by: z._default(z.enum(BATCH_RESULT_SORTS), 'triggered_at'),
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
  ordered: shares,
  filled: shares,
  predicted_price: setPrice,
  average_price: z.nullable(setPrice),
  predicted_fee_usd: usd,
  fee_usd: usd,
  paid_usd: usd,
  ...slippageParts,
});

export const readBatchResult = endpoint({
  method: 'GET',
  path: '/report/batches/{batch_id}',
  access: 'viewer',
  tag,
  summary: 'What a batch promised and came to, leg by leg',
  params: z.object({ batch_id: id }),
  reply: z.object({ batch: batchResult, legs: z.array(legResult) }),
});

const shareOf = (name: string) =>
  z.pipe(
    z
      .number(`${name} must be a number`)
      .check(z.minimum(0, `${name} must be at least 0`), z.maximum(1, `${name} must be at most 1`)),
    fraction,
  );

export const reportSettings = z.object({
  /** What the platform's capital costs a year. */
  hurdle: shareOf('Hurdle'),
  /** Buying pauses while a greater share of the last day's settlements failed; null: it never does. */
  pause_above_failed: z.nullable(shareOf('Share of failed settlements')),
});
export type ReportSettings = z.output<typeof reportSettings>;

export const readReportSettings = endpoint({
  method: 'GET',
  path: '/report/settings',
  access: 'viewer',
  tag,
  summary: 'What capital costs, and from which rate of failed settlements buying pauses',
  reply: reportSettings,
});

export const changeReportSettings = endpoint({
  method: 'PUT',
  path: '/report/settings',
  access: 'superuser',
  tag,
  summary: 'Sets what capital costs, and from which rate of failed settlements buying pauses',
  body: reportSettings,
  reply: reportSettings,
});
