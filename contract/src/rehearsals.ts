/** What other settings would have done: the last hours decided again by what was recorded. */
import * as z from 'zod/mini';
import { discoverySettingsForm } from './discovery-settings.ts';
import { endpoint, message, notFound, optional, refusal } from './endpoint.ts';
import { limitsForm } from './limits.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant, percent, setPrice, shares, usd } from './quantities.ts';
import { settingsForm } from './system-settings.ts';
import { venueName } from './venue-names.ts';

const tag = 'Rehearsals';

export const REHEARSAL_SPAN_MAX_MS = 7 * 24 * 3_600_000;
/** One runs at a time in the whole product; so many wait behind it, and so many are kept in all: the oldest that have ended go. */
export const REHEARSALS_WAITING_MAX = 10;
export const REHEARSALS_KEPT_MAX = 50;
/** Differing opportunities listed, by dollars; further ones are only counted. */
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
  settings: described('Trading settings that differ.', z.optional(z.strictObject(optional(settingsForm.shape)))),
  limits: described('Limits that differ.', z.optional(z.strictObject(optional(limitsForm.shape)))),
  discovery: described(
    'Settings of discovery that differ.',
    z.optional(z.strictObject(optional(discoverySettingsForm.shape))),
  ),
});
export type RehearsalChanges = z.output<typeof rehearsalChanges>;

const rehearsalForm = z.strictObject({
  from: instant,
  until: described('Now when missing, and not later; a week behind `from` at most.', z.optional(instant)),
  changes: described(
    'What the proposed settings change; what is left out stays as it was at each moment.',
    rehearsalChanges,
  ),
  assume_placing: described(
    'Counts as armed, and as placed automatically, whatever stood then: for a desk that has only watched so far.',
    z._default(z.boolean(), false),
  ),
});

const modelTotals = z.object({
  profit_usd: usd,
  completed: described(
    'Batches of which every order filled; of which some had to be sold again; of which nothing filled.',
    z.int(),
  ),
  unwound: described('Batches of which some had to be sold again.', z.int()),
  unfilled: described('Batches of which nothing filled.', z.int()),
  worst_batch_usd: described('What the batch that lost most has lost; null where there was none.', z.nullable(usd)),
});

const runTotals = z.object({
  triggers: described('How often an opportunity triggered.', z.int()),
  batches: z.int(),
  refused: described('How many triggers were refused.', z.int()),
  refusals: described(
    'How often each gate has refused, by its name.',
    z.array(z.object({ gate: described('The gate that refused.', z.string()), count: z.int() })),
  ),
  limit_hits: described('How often a limit has.', z.int()),
  clips: described(
    'How many of the batches bought what still paid after another one. Absent of one that ended before this was counted.',
    z.optional(z.int()),
  ),
  worst_at_risk_usd: described(
    'What the batches under way at one moment would have lost on unequal legs at worst, at the moment at which that was most. Absent of one that ended before this was counted.',
    z.optional(usd),
  ),
  models: described(
    'What became of the batches by each model of how orders fill.',
    z.object({
      touch: described('By the books of the decision.', modelTotals),
      measured: described('By the books that stood when orders have been reaching the venue.', modelTotals),
      pessimistic: described(
        'By the books that stood when the slowest tenth of orders reached the venue, and what was taken stays taken.',
        modelTotals,
      ),
    }),
  ),
});
export type RunTotals = z.output<typeof runTotals>;

const policyRun = z.object({
  policy: described('The value of SIZE_POLICY.', settingsForm.shape.SIZE_POLICY),
  totals: described('What it would have made.', runTotals),
  course: described(
    'Profit by then, by the model `measured`, at moments that divide the span evenly.',
    z.array(z.object({ at: instant, profit_usd: usd })),
  ),
});
export type PolicyRun = z.output<typeof policyRun>;

/** Nothing is known of that span: neither run has decided anything. */
const unknownSpan = z.object({ from: instant, until: instant, reason: z.string() });

export const rehearsalResult = z.object({
  present: described('The run with the settings as they were.', runTotals),
  proposed: described('The run with the proposed changes.', runTotals),
  policies: described(
    'Where a setting of sizes was changed, what each size policy would have made with the other changes. Absent otherwise.',
    z.optional(z.array(policyRun)),
  ),
  differences: described('Opportunities that the two runs treat differently.', z.int()),
  unknown: described('Spans of which nothing is known: neither run has decided anything then.', z.array(unknownSpan)),
  left_out: described(
    'Opportunities that discovery would have found in markets of which only prices were recorded, because no opportunity was ever about them: neither run has them. Absent of one that ended before this was counted.',
    z.optional(z.int()),
  ),
  records: described('How many records were read.', z.int()),
  tokens: described('How many tokens they were of.', z.int()),
  latency: described(
    'What was taken as the time to the venue, in milliseconds, and whether it was measured here.',
    z.object({
      measured_ms: described('Milliseconds to the venue of the model `measured`.', z.int()),
      pessimistic_ms: described('Milliseconds to the venue of the model `pessimistic`.', z.int()),
      is_own: described('Whether they were measured here; else they are assumed.', z.boolean()),
    }),
  ),
  took_ms: described('How long the rehearsal took, in milliseconds.', z.int()),
});
export type RehearsalResult = z.output<typeof rehearsalResult>;

export const rehearsal = z.object({
  id,
  created_at: instant,
  created_by: described(
    'The email of the person who asked for it; null once the account is gone.',
    z.nullable(z.string()),
  ),
  state: explained(
    {
      queued: 'it waits for a slot',
      running: 'it runs',
      done: 'it is done',
      failed: 'it ended with an error',
      canceled: 'a user canceled it',
    },
    z.enum(REHEARSAL_STATES),
  ),
  from: instant,
  until: instant,
  changes: described(
    'What the proposed settings change; what is left out stays as it was at each moment.',
    rehearsalChanges,
  ),
  assume_placing: described(
    'Whether it counts as armed, and as placed automatically, whatever stood then.',
    z.boolean(),
  ),
  progress: described('0 to 1.', z.number()),
  error: described('Why it failed; null otherwise.', z.nullable(z.string())),
  ended_at: z.nullable(instant),
  result: described('What came of it; null until it is done.', z.nullable(rehearsalResult)),
});
export type Rehearsal = z.output<typeof rehearsal>;

/** What one run has decided at one moment. */
const decision = z.object({
  profit_percentage: percent,
  current_price: setPrice,
  size: z.nullable(shares),
  refusals: described('Null where no batch was asked for.', z.nullable(z.array(z.string()))),
  profit_usd: described(
    'The profit by each model of how orders fill; null where no batch was placed.',
    z.nullable(
      z.object({
        touch: described('By the books of the decision.', usd),
        measured: described('By the books that stood when orders have been reaching the venue.', usd),
        pessimistic: described(
          'By the books that stood when the slowest tenth of orders reached the venue, and what was taken stays taken.',
          usd,
        ),
      }),
    ),
  ),
});
export type RehearsedDecision = z.output<typeof decision>;

export const MOMENTS_OF_DIFFERENCE_MAX = 20;

export const rehearsalDifference = z.object({
  opportunity_id: id,
  title: z.string(),
  present_triggers: described('How often it triggered with the settings as they were.', z.int()),
  proposed_triggers: described('How often it triggered with the proposed changes.', z.int()),
  present_batches: described('How many batches were placed with the settings as they were.', z.int()),
  proposed_batches: described('How many batches were placed with the proposed changes.', z.int()),
  profit_usd: described(
    'Proposed less present.',
    z.object({
      touch: described('By the books of the decision.', usd),
      measured: described('By the books that stood when orders have been reaching the venue.', usd),
      pessimistic: described(
        'By the books that stood when the slowest tenth of orders reached the venue, and what was taken stays taken.',
        usd,
      ),
    }),
  ),
  moments: described(
    'The first twenty at which the runs differ; null where that run has not triggered then.',
    z.array(
      z.object({
        at: instant,
        present: described(
          'What was decided with the settings as they were; null where nothing was.',
          z.nullable(decision),
        ),
        proposed: described(
          'What was decided with the proposed changes; null where nothing was.',
          z.nullable(decision),
        ),
      }),
    ),
  ),
});
export type RehearsalDifference = z.output<typeof rehearsalDifference>;

const byId = z.object({ rehearsal_id: described('The rehearsal.', id) });

export const createRehearsal = endpoint({
  method: 'POST',
  path: '/rehearsals/',
  access: 'superuser',
  tag,
  summary: 'Decide the last hours again with other settings; answers at once, and it runs beside trading',
  refusals: [
    refusal(409, 'As many rehearsals wait as may.', '10 rehearsals wait already. Cancel one, or try again later.'),
  ],
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
  refusals: [notFound('Rehearsal not found')],
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
  refusals: [notFound('Rehearsal not found')],
  params: byId,
  query: z.object({
    ...page,
    venue: described('Only opportunities with a position at this venue.', z.optional(venueName)),
  }),
  reply: listOf(rehearsalDifference),
});

export const cancelRehearsal = endpoint({
  method: 'POST',
  path: '/rehearsals/{rehearsal_id}/cancel',
  access: 'superuser',
  tag,
  summary: 'End a rehearsal that waits or runs',
  refusals: [
    notFound('Rehearsal not found'),
    refusal(409, 'The rehearsal has ended.', 'The rehearsal has ended already.'),
  ],
  params: byId,
  reply: rehearsal,
});

export const deleteRehearsal = endpoint({
  method: 'DELETE',
  path: '/rehearsals/{rehearsal_id}',
  access: 'superuser',
  tag,
  summary: 'Remove a rehearsal',
  refusals: [notFound('Rehearsal not found')],
  params: byId,
  reply: message,
});
