/** What is kept of the books over time. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { instant } from './quantities.ts';

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
