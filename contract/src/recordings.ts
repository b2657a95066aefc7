/** What is kept of the books over time. */
import * as z from 'zod/mini';
import { endpoint, refusal } from './endpoint.ts';
import { notReversed } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { TRUST_MEANINGS } from './notes/meanings.ts';
import { instant, price, shares } from './quantities.ts';
import { isVenueId } from './rules/finding.ts';

/** From then until then nothing was recorded; `until` is null while that goes on, `from` where nothing ever was before. */
const hole = z.object({
  from: described('Since when nothing was recorded; null where nothing ever was before.', z.nullable(instant)),
  until: described('Until when nothing was recorded; null while that goes on.', z.nullable(instant)),
  reason: z.string(),
});
export type RecordingHole = z.output<typeof hole>;

const recordingsStatus = z.object({
  state: described(
    'Whether books are recorded.',
    explained(
      {
        recording: 'books are recorded',
        interrupted: 'books cannot be recorded now',
        off: 'recording is switched off',
        elsewhere: 'this process follows no books by itself, others record what they follow',
      },
      z.enum(['recording', 'interrupted', 'off', 'elsewhere']),
    ),
  ),
  tokens: described('Tokens that are recorded now, and since when without a gap.', z.int()),
  since: described('Since when they have been recorded without a gap; null while nothing is.', z.nullable(instant)),
  oldest: described('When the oldest record that is kept arrived.', z.nullable(instant)),
  files: described('How many files there are.', z.int()),
  bytes: described('Size of all files, in bytes.', z.int()),
  bytes_per_hour: described('At the pace of the last day; null before a minute was recorded.', z.nullable(z.int())),
  hours: described(
    'The last 24 hours that have something, the newest first.',
    z.array(
      z.object({
        hour: described('Beginning of the hour.', instant),
        bytes: described('Size of all files, in bytes.', z.int()),
      }),
    ),
  ),
  holes: described('The newest first, at most 100 of `hole_count`.', z.array(hole)),
  hole_count: described('How many spans were not recorded.', z.int()),
  max_bytes: described('Size beyond which the oldest files are deleted, in bytes.', z.int()),
  days: described('Days after which files are deleted.', z.int()),
});
export type RecordingsStatus = z.output<typeof recordingsStatus>;

export const readRecordingsStatus = endpoint({
  method: 'GET',
  path: '/recordings/status',
  access: 'superuser',
  tag: 'Recordings',
  summary: 'What is recorded of the books, how much of it is kept, and where it has holes',
  reply: recordingsStatus,
});

export const RECORDS_SPAN_MAX_MS = 3_600_000;
export const RECORDS_MAX = 5000;

const level = z.object({ price, size: shares });
const at = {
  at: described('When it arrived.', instant),
  venue_at: described('The time that the venue gives it; null where it gives none.', z.nullable(instant)),
};

const record = z.union([
  z.object({
    kind: z.literal('book'),
    ...at,
    bids: described('Bids, best first.', z.array(level)),
    asks: described('Offers, best first.', z.array(level)),
  }),
  z.object({
    ...{ kind: z.literal('changes'), ...at },
    changes: described(
      'The levels that changed. A size of 0: nothing rests at that price any more.',
      z.array(
        z.object({
          side: explained({ buy: 'of the bids', sell: 'of the offers' }, z.enum(['buy', 'sell'])),
          price,
          size: shares,
        }),
      ),
    ),
  }),
  z.object({
    kind: z.literal('trust'),
    at: instant,
    trust: described(
      'How far the book can be trusted from then on.',
      explained(TRUST_MEANINGS, z.enum(['verified', 'live', 'polled', 'stale', 'none'])),
    ),
  }),
  /** Nothing is known until then, and of the book until it is recorded whole again. */
  z.object({ kind: z.literal('gap'), at: instant, until: instant, reason: z.string() }),
]);
export type RecordOfToken = z.output<typeof record>;

export const readRecords = endpoint({
  method: 'GET',
  path: '/recordings/records',
  access: 'superuser',
  tag: 'Recordings',
  summary: 'What was recorded of a token, with its book as it was at the beginning',
  query: z
    .object({ token_id: z.string().check(z.minLength(1), z.maxLength(100), isVenueId), from: instant, until: instant })
    .check(notReversed('from')),
  reply: z.object({
    data: z.array(record),
    next: described(
      'From when to ask on; null where that is all. An answer has at most an hour, and about 5,000 records.',
      z.nullable(instant),
    ),
  }),
});

export const EXPORT_SPAN_MAX_MS = 86_400_000;

export const exportRecordings = endpoint({
  method: 'GET',
  path: '/recordings/export',
  access: 'superuser',
  heavy: 'file',
  tag: 'Recordings',
  summary: 'What was recorded within at most 24 hours, as a Parquet file; one is made at a time',
  refusals: [
    refusal(429, 'An export runs already.', 'Recordings are being exported already. Try again once that is done.'),
  ],
  query: z
    .object({
      ...{ from: instant, until: instant },
      token_ids: described(
        'Their ids, separated by commas; all tokens without.',
        z.optional(z.string().check(z.regex(/^[^,\s]{1,100}(,[^,\s]{1,100}){0,99}$/))),
      ),
    })
    .check(notReversed('from')),
  /** The bytes of the file. */
  reply: z.string(),
});
