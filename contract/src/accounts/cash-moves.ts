/** Cash that lies in several parts of an account, and moving it between them. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from '../endpoint.ts';
import { id, listOf, page } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { instant, usd } from '../quantities.ts';
import { venueName } from '../venue-names.ts';

export const CASH_MOVE_STATUSES = {
  recorded: 'nothing is sent yet',
  sent: 'the venue was asked for it, and the cash of the two parts does not show it yet',
  unknown:
    'the cash of the two parts does not show it: a superuser looks up at the venue whether it was made. The venue is not asked again',
  done: 'it was made',
  rejected: 'it was not made',
} as const;
const MOVE_STATUSES = Object.keys(CASH_MOVE_STATUSES) as (keyof typeof CASH_MOVE_STATUSES)[];

const part = z.string().check(z.regex(/^\d{1,4}$/, 'Input should be the name of a part of the account'));
const MOVE_MIN_USD = 0.01;
const MOVE_MAX_USD = 100_000_000;

const pocket = z.object({
  name: described('The part of the account, as its markets name it: at Kalshi the number of a shard.', z.string()),
  description: described('What is traded there, as the venue says.', z.string()),
  free_usd: described('Free to spend there; null while the venue does not say.', z.nullable(usd)),
  trades: described('Whether the venue takes orders of its markets now.', z.boolean()),
  takes_moves: described('Whether cash may be moved into or out of it now.', z.boolean()),
  target_percent: described(
    'The share of the cash that the venue keeps there by itself, in percent, as set on its own pages; null where nothing is set.',
    z.nullable(z.number()),
  ),
});
export type CashPocket = z.output<typeof pocket>;

const tag = 'Portfolio';

export const readCashPockets = endpoint({
  method: 'GET',
  path: '/cash-pockets',
  access: 'viewer',
  tag,
  summary: 'The parts of accounts that cash lies in; an account with all its cash in one place is left out',
  asksVenue: true,
  reply: z.object({
    venues: described(
      'Each venue that keeps cash in several parts.',
      z.array(
        z.object({
          venue: described('Which venue.', venueName),
          move_refusal: described(
            'Why no cash can be moved, as a sentence; null where it can.',
            z.nullable(z.string()),
          ),
          pockets: described('In the order of the venue.', z.array(pocket)),
        }),
      ),
    ),
  }),
});
export type CashPockets = z.output<typeof readCashPockets.reply>;

const cashMove = z.object({
  id,
  venue: described('At which venue.', venueName),
  from_pocket: described('The part that it leaves.', z.string()),
  to_pocket: described('The part that it comes to.', z.string()),
  amount_usd: described('How much is moved.', usd),
  status: described('How far it is.', explained(CASH_MOVE_STATUSES, z.enum(MOVE_STATUSES))),
  reason: described(
    'Why it was not made, or how it is known that it was; null without either.',
    z.nullable(z.string()),
  ),
  requested_by: described('The email of who asked for it.', z.string()),
  created_at: described('When it was asked for here.', instant),
  sent_at: described('When the venue was asked for it; null while it was not.', z.nullable(instant)),
  ended_at: described('When the venue was known to have made it or not; null before.', z.nullable(instant)),
});
export type CashMove = z.output<typeof cashMove>;

export const listCashMoves = endpoint({
  method: 'GET',
  path: '/cash-moves',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Cash that was moved between parts of an account, newest first',
  query: z.object({
    ...page,
    venue: described('Only at this venue.', z.optional(venueName)),
  }),
  reply: listOf(cashMove),
});

export const moveCash = endpoint({
  method: 'POST',
  path: '/cash-moves',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Move cash between two parts of an account; it is recorded, and sent to the venue once',
  refusals: [
    refusal(409, 'It cannot be moved now; `detail` says why.', 'All cash at Kalshi lies in one place.'),
    refusal(409, 'The id was used for another move.', 'The id was used for another move.'),
  ],
  body: z.strictObject({
    id: described(
      'Chosen by the caller. A second call with this id makes no second move: it is answered with the first.',
      id,
    ),
    venue: described('At which venue.', venueName),
    from_pocket: described('The part that it leaves.', part),
    to_pocket: described('The part that it comes to.', part),
    amount_usd: described(
      'How much, in whole cents.',
      z.pipe(
        z.number('Amount must be a number').check(
          z.minimum(MOVE_MIN_USD, `Amount must be at least ${MOVE_MIN_USD}`),
          z.maximum(MOVE_MAX_USD, `Amount must be at most ${MOVE_MAX_USD}`),
          z.refine(
            (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
            'Amount must be in whole cents',
          ),
        ),
        usd,
      ),
    ),
  }),
  reply: cashMove,
});

export const closeCashMove = endpoint({
  method: 'POST',
  path: '/cash-moves/{cash_move_id}/close',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Say whether an unknown move was made, after a look at the venue',
  refusals: [
    notFound('Cash move not found'),
    refusal(409, 'What became of it is known.', 'What became of it is known.'),
  ],
  params: z.object({ cash_move_id: described('The move.', id) }),
  body: z.strictObject({ was_made: described('Whether the venue shows that it was made.', z.boolean()) }),
  reply: cashMove,
});
