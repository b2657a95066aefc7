/** What other settings would have done: the last hours decided again by what was recorded. */
import * as z from 'zod/mini';
import { discoverySettingsForm } from './discovery-settings.ts';
import { endpoint, message, optional } from './endpoint.ts';
import { limitsForm } from './limits.ts';
import { id, listOf, page } from './listing.ts';
import { instant, percent, setPrice, shares, usd } from './quantities.ts';
import { settingsForm } from './system-settings.ts';

const tag = 'Rehearsals';

export const REHEARSAL_SPAN_MAX_MS = 7 * 24 * 3_600_000;
/** One runs at a time in the whole product; so many wait behind it, and so many are kept in all: the oldest that have ended go. */
export const REHEARSALS_WAITING_MAX = 10;
export const REHEARSALS_KEPT_MAX = 50;
/** Of more opportunities that differ, those with the fewest dollars are only counted. */
export const REHEARSAL_DIFFERENCES_MAX = 1000;

/**
 * How orders fill: `touch`, against the books of the decision; `measured`, against those that stood when our orders have been reaching
 * the venue; `pessimistic`, as late as the slowest tenth, of what stood there all the while, and what was taken stays taken.
 */
export const FILL_MODELS = ['touch', 'measured', 'pessimistic'] as const;
export type FillModel = (typeof FILL_MODELS)[number];

export const REHEARSAL_STATES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type RehearsalState = (typeof REHEARSAL_STATES)[number];

/** What differs from the present settings; what is left out stays as it was at each moment. */
export const rehearsalChanges = z.strictObject({
  settings: z.optional(z.strictObject(optional(settingsForm.shape))),
  limits: z.optional(z.strictObject(optional(limitsForm.shape))),
  discovery: z.optional(z.strictObject(optional(discoverySettingsForm.shape))),
});
export type RehearsalChanges = z.output<typeof rehearsalChanges>;

const rehearsalForm = z.strictObject({
  from: instant,
  /** Now when missing, and not later; a week behind `from` at most. */
  until: z.optional(instant),
  changes: rehearsalChanges,
  /** Counts as armed, and as placed automatically, whatever stood then: for a desk that has only watched so far. */
  assume_placing: z._default(z.boolean(), false),
});

const modelTotals = z.object({
  profit_usd: usd,
  /** Batches of which every order filled; of which some had to be sold again; of which nothing filled. */
  completed: z.int(),
  unwound: z.int(),
  unfilled: z.int(),
  /** What the batch that lost most has lost; null where there was none. */
  worst_batch_usd: z.nullable(usd),
});

const runTotals = z.object({
  triggers: z.int(),
  batches: z.int(),
  refused: z.int(),
  /** How often each gate has refused, by its name. */
  refusals: z.array(z.object({ gate: z.string(), count: z.int() })),
  /** How often a limit has. */
  limit_hits: z.int(),
  models: z.object({ touch: modelTotals, measured: modelTotals, pessimistic: modelTotals }),
});
export type RunTotals = z.output<typeof runTotals>;

/** Nothing is known of then: neither run has decided anything. */
const unknownSpan = z.object({ from: instant, until: instant, reason: z.string() });

export const rehearsalResult = z.object({
  present: runTotals,
  proposed: runTotals,
  /** Opportunities that the two runs treat differently. */
  differences: z.int(),
  unknown: z.array(unknownSpan),
  /**
   * Opportunities that discovery would have found in markets of which only prices were recorded, because no opportunity was ever about
   * them: neither run has them. Absent of one that ended before this was counted.
   */
  left_out: z.optional(z.int()),
  records: z.int(),
  tokens: z.int(),
  /** What was taken as the time to the venue, in milliseconds, and whether it was measured here. */
  latency: z.object({ measured_ms: z.int(), pessimistic_ms: z.int(), is_own: z.boolean() }),
  took_ms: z.int(),
});
export type RehearsalResult = z.output<typeof rehearsalResult>;

export const rehearsal = z.object({
  id,
  created_at: instant,
  created_by: z.nullable(z.string()),
  state: z.enum(REHEARSAL_STATES),
  from: instant,
  until: instant,
  changes: rehearsalChanges,
  assume_placing: z.boolean(),
  /** 0 to 1. */
  progress: z.number(),
  /** Why it failed; null otherwise. */
  error: z.nullable(z.string()),
  ended_at: z.nullable(instant),
  result: z.nullable(rehearsalResult),
});
export type Rehearsal = z.output<typeof rehearsal>;

/** What one run has decided at one moment. */
const decision = z.object({
  profit_percentage: percent,
  current_price: setPrice,
  size: z.nullable(shares),
  /** Null where nobody asked for a batch. */
  refusals: z.nullable(z.array(z.string())),
  profit_usd: z.nullable(z.object({ touch: usd, measured: usd, pessimistic: usd })),
});
export type RehearsedDecision = z.output<typeof decision>;

export const MOMENTS_OF_DIFFERENCE_MAX = 20;

export const rehearsalDifference = z.object({
  opportunity_id: id,
  title: z.string(),
  present_triggers: z.int(),
  proposed_triggers: z.int(),
  present_batches: z.int(),
  proposed_batches: z.int(),
  /** Proposed less present. */
  profit_usd: z.object({ touch: usd, measured: usd, pessimistic: usd }),
  /** The first twenty at which the runs differ; null where that run has not triggered then. */
  moments: z.array(z.object({ at: instant, present: z.nullable(decision), proposed: z.nullable(decision) })),
});
export type RehearsalDifference = z.output<typeof rehearsalDifference>;

const byId = z.object({ rehearsal_id: id });

export const createRehearsal = endpoint({
  method: 'POST',
  path: '/rehearsals/',
  access: 'superuser',
  tag,
  summary: 'Decide the last hours again with other settings; answers at once, and it runs beside trading',
  body: rehearsalForm,
  reply: rehearsal,
});

export const listRehearsals = endpoint({
  method: 'GET',
  path: '/rehearsals/',
  access: 'superuser',
  heavy: 'list',
  tag,
  summary: 'Rehearsals, the newest first',
  query: z.object(page),
  reply: listOf(rehearsal),
});

export const readRehearsal = endpoint({
  method: 'GET',
  path: '/rehearsals/{rehearsal_id}',
  access: 'superuser',
  tag,
  summary: 'A rehearsal, how far it has come, and what it has found',
  params: byId,
  reply: rehearsal,
});

export const listRehearsalDifferences = endpoint({
  method: 'GET',
  path: '/rehearsals/{rehearsal_id}/differences',
  access: 'superuser',
  heavy: 'list',
  tag,
  summary: 'The opportunities that present and proposed settings treat differently, the most dollars first',
  params: byId,
  query: z.object(page),
  reply: listOf(rehearsalDifference),
});

export const cancelRehearsal = endpoint({
  method: 'POST',
  path: '/rehearsals/{rehearsal_id}/cancel',
  access: 'superuser',
  tag,
  summary: 'End a rehearsal that waits or runs',
  params: byId,
  reply: rehearsal,
});

export const deleteRehearsal = endpoint({
  method: 'DELETE',
  path: '/rehearsals/{rehearsal_id}',
  access: 'superuser',
  tag,
  summary: 'Remove a rehearsal',
  params: byId,
  reply: message,
});
