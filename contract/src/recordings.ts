/** What is kept of the books over time. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { notReversed } from './listing.ts';
import { instant, price, shares } from './quantities.ts';

/** From then until then nothing was recorded; `until` is null while that goes on, `from` where nothing ever was before. */
const hole = z.object({ from: z.nullable(instant), until: z.nullable(instant), reason: z.string() });
export type RecordingHole = z.output<typeof hole>;

const recordingsStatus = z.object({
  /** `elsewhere`: this process follows no books by itself, others record what they follow. */
  state: z.enum(['recording', 'interrupted', 'off', 'elsewhere']),
  /** Tokens that are recorded now, and since when without a gap. */
  tokens: z.int(),
  since: z.nullable(instant),
  /** When the oldest record that is kept arrived. */
  oldest: z.nullable(instant),
  files: z.int(),
  bytes: z.int(),
  /** At the pace of the last day; null before a minute was recorded. */
  bytes_per_hour: z.nullable(z.int()),
  /** The last 24 hours that have something, the newest first. */
  hours: z.array(z.object({ hour: instant, bytes: z.int() })),
  /** The newest first, at most 100 of `hole_count`. */
  holes: z.array(hole),
  hole_count: z.int(),
  max_bytes: z.int(),
  days: z.int(),
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
const at = { at: instant, venue_at: z.nullable(instant) };

const record = z.union([
  z.object({ kind: z.literal('book'), ...at, bids: z.array(level), asks: z.array(level) }),
  /** A size of zero: nothing rests at that price any more. */
  z.object({
    ...{ kind: z.literal('changes'), ...at },
    changes: z.array(z.object({ side: z.enum(['buy', 'sell']), price, size: shares })),
  }),
  z.object({ kind: z.literal('trust'), at: instant, trust: z.enum(['verified', 'live', 'polled', 'stale', 'none']) }),
  /** Nothing is known until then, and of the book until it is told whole again. */
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
    .object({ token_id: z.string().check(z.minLength(1), z.maxLength(100)), from: instant, until: instant })
    .check(notReversed('from')),
  /** `next`: from when to ask on; null where that is all. An answer has at most an hour, and about 5,000 records. */
  reply: z.object({ data: z.array(record), next: z.nullable(instant) }),
});

export const EXPORT_SPAN_MAX_MS = 86_400_000;

export const exportRecordings = endpoint({
  method: 'GET',
  path: '/recordings/export',
  access: 'superuser',
  heavy: 'file',
  tag: 'Recordings',
  summary: 'What was recorded within at most 24 hours, as a Parquet file; one is made at a time',
  query: z
    .object({
      ...{ from: instant, until: instant },
      /** Their ids, separated by commas; all tokens without. */
      token_ids: z.optional(z.string().check(z.regex(/^[^,\s]{1,100}(,[^,\s]{1,100}){0,99}$/))),
    })
    .check(notReversed('from')),
  /** The bytes of the file. */
  reply: z.string(),
});
