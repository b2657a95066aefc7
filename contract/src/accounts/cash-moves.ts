/** Cash pockets of an account (at Kalshi: shards), and moves between them. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from '../endpoint.ts';
import { id, listOf, page } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { instant, usd } from '../quantities.ts';
import { venueName } from '../venue-names.ts';

export const CASH_MOVE_STATUSES = {
  recorded: 'nothing is sent yet',
  sent: 'marked as sent to the venue; the cash of the two pockets does not show the move yet',
  unknown:
    'the cash of the two pockets did not show the move in time. It is not sent again, and is done once they show it; else a superuser looks it up at the venue and closes it',
  done: 'the move was made',
  rejected: 'the move was not made',
} as const;
const MOVE_STATUSES = Object.keys(CASH_MOVE_STATUSES) as (keyof typeof CASH_MOVE_STATUSES)[];

const part = z.string().check(z.regex(/^\d{1,4}$/, 'Input should be the name of a pocket of the account'));
const MOVE_MIN_USD = 0.01;
const MOVE_MAX_USD = 100_000_000;

const pocket = z.object({
  name: described(
    'The pocket, as the markets that spend from it name it: at Kalshi the number of a shard.',
    z.string(),
  ),
  description: described('What is traded there, as the venue says.', z.string()),
  free_usd: described('Dollars free for orders there; null while the venue does not say.', z.nullable(usd)),
  trades: described('Whether the venue takes orders of its markets now.', z.boolean()),
  takes_moves: described('Whether cash may be moved into or out of it now.', z.boolean()),
  target_percent: described(
    'Percent of the cash of the account that the venue itself keeps there, as set on its own pages; null where nothing is set.',
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
  summary: 'Cash pockets, of venues where an account has several',
  asksVenue: true,
  reply: z.object({
    venues: described(
      'Each venue that keeps cash in several pockets.',
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
  from_pocket: described('The pocket that it leaves.', z.string()),
  to_pocket: described('The pocket that it comes to.', z.string()),
  amount_usd: described('How much is moved.', usd),
  status: described('Status of the move.', explained(CASH_MOVE_STATUSES, z.enum(MOVE_STATUSES))),
  reason: described(
    'Why the move was rejected or is unknown, or who closed it; null otherwise.',
    z.nullable(z.string()),
  ),
  requested_by: described('Email of the user who requested it.', z.string()),
  created_at: described('When it was asked for here.', instant),
  sent_at: described(
    'When the move was marked as sent, just before the venue was called; null before.',
    z.nullable(instant),
  ),
  ended_at: described('When the move became done or rejected; null before.', z.nullable(instant)),
});
export type CashMove = z.output<typeof cashMove>;

export const listCashMoves = endpoint({
  method: 'GET',
  path: '/cash-moves',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Moves of cash between pockets of an account, newest first',
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
  summary: 'Move cash between two pockets of an account; the move is recorded, and sent to the venue once',
  refusals: [
    refusal(409, 'It cannot be moved now; `detail` says why.', 'All cash at Kalshi lies in one place.'),
    refusal(409, 'The id was used for another move.', 'The id was used for another move.'),
  ],
  body: z.strictObject({
    id: described(
      'Chosen by the caller, in place of an idempotency key. A second call with this id makes no second move: it is answered with the first.',
      id,
    ),
    venue: described('At which venue.', venueName),
    from_pocket: described('The pocket that it leaves.', part),
    to_pocket: described('The pocket that it comes to.', part),
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
  summary: 'Close an unknown move as made or not made',
  refusals: [
    notFound('Cash move not found'),
    refusal(409, 'What became of it is known.', 'What became of it is known.'),
  ],
  params: z.object({ cash_move_id: described('The move.', id) }),
  body: z.strictObject({ was_made: described('Whether the venue shows that it was made.', z.boolean()) }),
  reply: cashMove,
});
