/** Runs of paper trading: each from its cash to its end, and beginning a new one. */
import * as z from 'zod/mini';
import { endpoint, refusal } from '../endpoint.ts';
import { id } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { instant, usd } from '../quantities.ts';

export const START_OVER_STATUSES = {
  recorded: 'nothing has been closed yet',
  ended: 'the exchange has closed what was held, and its transactions are being booked',
  done: 'the new run has begun',
  rejected: 'nothing was closed: the old run goes on',
} as const;
const STATUSES = Object.keys(START_OVER_STATUSES) as (keyof typeof START_OVER_STATUSES)[];

const CASH_MIN_USD = 0.01;
const CASH_MAX_USD = 1_000_000_000;

const startOver = z.object({
  id,
  status: described('How far it is.', explained(START_OVER_STATUSES, z.enum(STATUSES))),
  reason: described(
    'What it waits for, or why nothing was closed; null where nothing is to be said.',
    z.nullable(z.string()),
  ),
  may_be_given_up: described('Whether the old run may still go on as it was.', z.boolean()),
  cash_usd: described('What the new run begins with, at each venue.', usd),
  requested_by: described('The email of who asked for it.', z.string()),
  created_at: described('When it was asked for.', instant),
  ended_at: described('When the new run began, or it was rejected; null before.', z.nullable(instant)),
});
export type StartOver = z.output<typeof startOver>;

const run = z.object({
  number: described('Its number; the first run is 1.', z.int()),
  began_at: described('When it began; null of the first.', z.nullable(instant)),
  ended_at: described('When the next one began; null of the present one.', z.nullable(instant)),
});
export type Run = z.output<typeof run>;

const tag = 'Ledger';

export const listRuns = endpoint({
  method: 'GET',
  path: '/ledger/runs',
  access: 'viewer',
  tag,
  summary: 'The runs of paper trading, the present one first; of other accounts there is one',
  reply: z.object({
    runs: described('The present one first.', z.array(run)),
    start_over: described('The last one that was asked for; null where none was.', z.nullable(startOver)),
  }),
});

/** What a superuser fills in. */
export const startOverForm = z.object({
  cash_usd: described(
    'How many dollars the new run begins with, at each venue.',
    z
      .number('Cash must be a number')
      .check(
        z.minimum(CASH_MIN_USD, `Cash must be at least ${CASH_MIN_USD}`),
        z.maximum(CASH_MAX_USD, `Cash must be at most ${CASH_MAX_USD}`),
      ),
  ),
});

export const beginStartOver = endpoint({
  method: 'POST',
  path: '/ledger/start-over',
  access: 'superuser',
  tag,
  summary:
    'Ends the run of paper trading and begins a new one: what is held is closed at the bid, all cash leaves and the new cash comes; nothing is armed',
  refusals: [
    refusal(404, 'Nothing is on paper.', 'Only an account of paper trading can start over'),
    refusal(409, 'It cannot begin now; `detail` says why.', 'Disarm trading first: that cancels what is open.'),
  ],
  body: z.extend(startOverForm, {
    id: described('Chosen by the caller: the same id again is answered with the same.', id),
  }),
  reply: startOver,
});

export const giveUpStartOver = endpoint({
  method: 'POST',
  path: '/ledger/start-over/give-up',
  access: 'superuser',
  tag,
  summary: 'Gives up starting over: the old run goes on as it was, unless a venue has ended it already',
  refusals: [
    refusal(404, 'Nothing is on paper.', 'Only an account of paper trading can start over'),
    refusal(
      409,
      'It cannot be given up; `detail` says why.',
      'The old run has ended at a venue already: the new one begins.',
    ),
  ],
  body: z.object({ id: described('The id that it was asked for with.', id) }),
  reply: startOver,
});
