/** What was earned, where it went, and what was missed. Days, hours and months are those of UTC. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { countInQuery, flagInQuery, id, listOf, notReversed, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { MISSED_STEP_MEANINGS, REACHED_STEP_MEANINGS } from './notes/meanings.ts';
import { REASON_LENGTH_MAX } from './notes/reason-words.ts';
import { sizeBound } from './orders.ts';
import { fraction, instant, shares, usd } from './quantities.ts';
import { day, isVenueId } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

const tag = 'Report';

export const filters = {
  since: described(
    'By when batches triggered, and of what is paid by when it became cash; both days included.',
    z.optional(day),
  ),
  until: described('The last day, included.', z.optional(day)),
  run: described('Of which run of paper trading, by its number; left out the present one.', z.optional(countInQuery)),
  operator_id: described('Only batches that this user placed.', z.optional(id)),
  automatic: described('Only batches that were placed automatically, or only the others.', z.optional(flagInQuery)),
  event_id: described(
    "Only batches of this event, by the venue's identifier.",
    z.optional(z.string().check(z.maxLength(200), isVenueId)),
  ),
  venue: described(
    'Only batches with an order at this venue, each with all of its orders; what was missed counts by the venue of its event.',
    z.optional(venueName),
  ),
  source: described(
    'These two exactly; empty for those that have none.',
    z.optional(z.string().check(z.maxLength(255))),
  ),
  structure: described(
    'Only opportunities whose positions belong together in this way; empty for those of which it is not known.',
    z.optional(z.string().check(z.maxLength(40))),
  ),
};

/** Profit in three parts. `at_risk_usd`: what may be lost of what no whole set needs; not part of the other two. */
export const profitParts = {
  paid_usd: usd,
  locked_usd: usd,
  at_risk_usd: usd,
};

export const slippageParts = {
  slippage_usd: described('Dollars more than predicted for what was bought; the three parts add up to it.', usd),
  moved_before_send_usd: usd,
  moved_in_flight_usd: usd,
  size_added_usd: usd,
};

const spread = z.nullable(
  z.object({
    p50_ms: described('The median, in milliseconds.', z.int()),
    p90_ms: described('The time within which nine of ten were, in milliseconds.', z.int()),
    count: described('How many were measured.', z.int()),
  }),
);

const atVenue = z.object({
  venue: described('Which venue.', venueName),
  batches: described('Batches with orders there; one over several venues counts at each.', z.int()),
  legs: described('How many legs.', z.int()),
  filled_legs: described('How many legs filled completely.', z.int()),
  cost_usd: usd,
  received_usd: described('What sales, redemptions and conversions brought, before fees.', usd),
  fees_usd: usd,
  ...slippageParts,
  capital_usd: described('What is not cash again yet and not lost, at cost.', usd),
});

export const reportSummary = z.object({
  batches: z.int(),
  ...profitParts,
  paid_usd: described(
    'Profit that became cash in the days asked for, whenever its batch triggered; the days of cash add up to it.',
    usd,
  ),
  predicted_usd: described('Profit that was predicted, after fees.', usd),
  fees_usd: usd,
  gas: described(
    'Gas that was paid, by unit.',
    z.array(z.object({ unit: described('The unit of the amount.', z.string()), amount: z.string() })),
  ),
  income: described(
    'What came of these days beside trading, of all batches.',
    z.object({
      rewards_usd: described('Rewards of the venue.', usd),
      rebates_usd: described('Rebates of the venue.', usd),
      unknown_usd: described('Dollars that are not named yet.', usd),
    }),
  ),
  ...slippageParts,
  shortfall_usd: described('Predicted profit of sets that were not filled.', usd),
  being_bought_usd: described('Of that, of batches that are still being bought: it may come yet.', usd),
  sale_loss_usd: described(
    'What sales brought less, after fees, than their shares had cost with fees: of each batch that lost by its sales.',
    usd,
  ),
  cost_usd: usd,
  capital_usd: described('What is not cash again yet and not lost, at cost.', usd),
  capital_days: described('Dollars times days of all of it so far.', usd),
  annualised: described(
    'Profit that is paid or locked, over the dollars and days that it takes, times 365: until the cash was there, or is expected a day after the last market ends. What has no known end is left out; null where nothing else was bound.',
    z.nullable(fraction),
  ),
  hurdle: described("What the platform's capital costs a year, by a setting.", fraction),
  by_venue: described(
    'What each order cost, brought and still binds, at its own venue; together the figures of the report. Profit is not divided: a set pays by all of its legs, wherever they are.',
    z.array(atVenue),
  ),
  legs: described('How many legs.', z.int()),
  filled_legs: described('How many legs filled completely.', z.int()),
  fills: described('How many trades.', z.int()),
  undone_fills: described('How many trades the venue has taken back.', z.int()),
  times: described(
    'How long each step took from the decision on.',
    z.object({
      sent: described('Until the first order was sent; null where none was.', spread),
      matched: described('Until the last trade was matched; null where none was.', spread),
      confirmed: described('Until the last trade was confirmed on the chain; null where none was.', spread),
      cash: described('Until all was cash again; null where nothing is.', spread),
    }),
  ),
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

/** A day of the report. By the day of cash nothing is locked or at risk, because that is not cash yet. */
const reportDay = z.object({
  day: described('The day, as `2026-01-31`, in UTC.', day),
  batches: z.int(),
  ...profitParts,
  fees_usd: usd,
  slippage_usd: usd,
});
export type ReportDay = z.output<typeof reportDay>;

export const listReportDays = endpoint({
  method: 'GET',
  path: '/report/days',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary:
    'The profit of each day: of the day on which it became cash, which adds up to what is paid, of the day on which it was locked in, or of that on which its batch triggered, which adds up to all fees and slippage',
  query: z
    .object({
      ...filters,
      by: described(
        'By which day profit counts.',
        z._default(
          explained(
            {
              cash: 'the day of its cash',
              lock: 'the day on which it was locked in',
              trigger: 'the day on which its batch triggered',
            },
            z.enum(['cash', 'lock', 'trigger']),
          ),
          'cash',
        ),
      ),
    })
    .check(notReversed('since')),
  reply: z.object({ days: described('The days that have something, oldest first.', z.array(reportDay)) }),
});

const exposureRow = z.object({
  key: described('An event, or a month as `2026-01`; null where it is not known when it ends.', z.nullable(z.string())),
  title: z.string(),
  batches: z.int(),
  capital_usd: usd,
  locked_usd: usd,
  at_risk_usd: described('What is lost at worst, whatever comes true.', usd),
});

export const readExposure = endpoint({
  method: 'GET',
  path: '/report/exposure',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What is bound and what is at risk, by event (the largest hundred) and by the month that releases it',
  query: z.object(filters).check(notReversed('since')),
  reply: z.object({
    events: described('By event, the largest hundred.', z.array(exposureRow)),
    months: described('By the month that releases it.', z.array(exposureRow)),
  }),
});

const band = z.object({
  label: described('`up to 10 shares` or `14:00`.', z.string()),
  key: described('The band as the filters of the report name it.', z.string()),
  legs: described('How many legs.', z.int()),
  filled_legs: described('How many legs filled completely.', z.int()),
  ordered: described('Shares that were ordered.', shares),
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
    sizes: described('By size of the leg.', z.array(band)),
    hours: described('By hour of the day, in UTC.', z.array(band)),
    settlements: described(
      'How many trades failed to settle.',
      z.object({
        settled: described('Over the window that the gate looks at.', z.int()),
        undone: described('How many of them the venue has taken back.', z.int()),
        rate: described('`undone` over `settled`; null where there were none.', z.nullable(fraction)),
        pauses_above: described('Buying pauses above it; null where it is off.', z.nullable(fraction)),
        is_paused: described('Whether buying pauses for it now.', z.boolean()),
      }),
    ),
  }),
});

const funnelStep = z.object({
  step: described(
    'The step.',
    explained(
      {
        ...MISSED_STEP_MEANINGS,
        placed: 'a batch was placed',
        ...REACHED_STEP_MEANINGS,
      },
      z.enum(['seen', 'triggered', 'allowed', 'placed', 'filled', 'locked', 'cash']),
    ),
  ),
  count: described('How many have reached it, the clips of a series being one.', z.int()),
  usd: described('Predicted up to `placed`, then of what was filled.', usd),
  lost_usd: described(
    'Dollars that did not come from the step before, below zero where more came; and the reason that took most of them.',
    usd,
  ),
  first_reason: described('The reason that took most of them; null where nothing was lost.', z.nullable(z.string())),
});

/** The steps of the funnel at which something is missed before it is placed. */
export const MISSED_STEPS = ['seen', 'triggered', 'allowed'] as const;
const missedStep = explained(MISSED_STEP_MEANINGS, z.enum(MISSED_STEPS));

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
    steps: described('The steps, in their order.', z.array(funnelStep)),
    smaller: described(
      'Dollars that batches were smaller by than what paid at best, the clips of a series together, by what bounded the last of them or how many there were, once none of them is active; most dollars first.',
      z.array(
        z.object({
          bounded_by: described('What bounded the size; null where a person said it.', z.nullable(sizeBound)),
          count: described('How many batches, the clips of a series being one.', z.int()),
          usd: described('Dollars that the best size would have made beside what was predicted.', usd),
        }),
      ),
    ),
    missed: described(
      'What was not taken, by the reason that stood in its way first, most dollars first. `reached`: the last step it got to.',
      z.array(
        z.object({
          reached: described('The last step that they reached.', missedStep),
          reason: z.string(),
          example: described(
            'The one of them that would have made most, in its own words, with its figures; null where that says no more than the reason.',
            z.nullable(z.string()),
          ),
          count: described('How many.', z.int()),
          usd: described('Dollars they would have made.', usd),
        }),
      ),
    ),
  }),
});

/** A time that a relation paid, or a trigger of an opportunity that a user added, on which nothing was bought. */
export const missedEntry = z.object({
  id,
  at: instant,
  subject: described('The title of its event, or of the market itself where that belongs to none.', z.string()),
  event_id: z.string(),
  reason: described('The whole of what stood in its way, with its figures.', z.string()),
  usd: described('At the size that made most; that is null of triggers that were missed before it was kept.', usd),
  size: z.nullable(shares),
  relation_id: z.nullable(id),
  opportunity_id: described('It may have been deleted since.', z.nullable(id)),
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
      reached: described('The last step that it reached.', z.optional(missedStep)),
      came_to: described('It reached this step, whether or not a later one.', z.optional(missedStep)),
      reason: described(
        'As the funnel gives it, without figures.',
        z.optional(z.string().check(z.maxLength(REASON_LENGTH_MAX))),
      ),
      sort_by: z._default(sortBy(MISSED_SORTS), 'at'),
      sort_order: z._default(sortOrder, 'desc'),
    })
    .check(notReversed('since')),
  reply: listOf(missedEntry),
});

/** Events offered at once; a search finds the others. */
export const EVENT_CHOICES_MAX = 50;

export const listReportChoices = endpoint({
  method: 'GET',
  path: '/report/choices',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What the report can be narrowed to: events by their names, those that triggered last first, and sources',
  query: z.object({
    search: described('Part of the name of an event.', z.optional(z.string().check(z.maxLength(200)))),
    event_id: described(
      'An event that is offered in any case, before all others.',
      z.optional(z.string().check(z.maxLength(200), isVenueId)),
    ),
  }),
  reply: z.object({
    events: described(
      'Events, those that triggered last first.',
      z.array(z.object({ id: z.string(), title: z.string(), batches: z.int() })),
    ),
    sources: described(
      'Null: batches of what has none.',
      z.array(z.object({ source: z.nullable(z.string()), batches: z.int() })),
    ),
  }),
});
