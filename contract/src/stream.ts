/**
 * The live stream, one WebSocket per tab at `/api/v1/stream`. The client authenticates in its first frame, so that no
 * token stands in a URL, and then subscribes to topics; the server sends changes coalesced to five per second and object.
 */
import * as z from 'zod/mini';
import { batch } from './batches.ts';
import { chainSubmission } from './chain-steps.ts';
import { job } from './jobs.ts';
import { notification } from './notifications.ts';
import { opportunity, opportunityRow } from './opportunities.ts';
import { order } from './orders.ts';
import { relationRow } from './relations.ts';
import { TOPIC } from './rules/topics.ts';
import { systemStatus } from './status.ts';

export const STREAM_PATH = '/stream';

/** Why the server closes a connection, as the close code says it. */
export const STREAM_CLOSED = {
  badFrame: 1008,
  stopping: 1001,
  notAuthenticated: 4401,
  /** The session is not accepted, or not any more: the same token will not be. */
  refused: 4403,
} as const;

const topic = z.string().check(z.regex(TOPIC, 'Unknown topic'));

export const clientFrame = z.union([
  z.object({ type: z.literal('auth'), token: z.string().check(z.maxLength(4096)) }),
  z.object({
    type: z.literal('subscribe'),
    topics: z.array(topic).check(z.maxLength(100)),
    since: z.optional(z.int().check(z.minimum(0))),
  }),
]);
export type ClientFrame = z.output<typeof clientFrame>;

/** What may change, by the `type` of the frame; `data` is the object as its read call would serve it. */
export const changeData = {
  opportunity: opportunityRow,
  opportunity_detail: opportunity,
  opportunity_deleted: z.literal(null),
  batch,
  order,
  relation: relationRow,
  chain_submission: chainSubmission,
  notification,
  notification_deleted: z.literal(null),
  job,
  system: systemStatus,
} as const;
export type ChangeType = keyof typeof changeData;

export type Change = {
  [Type in ChangeType]: {
    seq: number;
    topic: string;
    type: Type;
    id: string;
    data: z.output<(typeof changeData)[Type]>;
  };
}[ChangeType];

/** Frames that are not changes: the subscription stands (with the latest `seq`), or what was missed is too old. */
export const controlFrame = z.union([
  z.object({ type: z.literal('ready'), seq: z.int() }),
  z.object({ type: z.literal('resync'), seq: z.int() }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);

export const changeFrame = z.object({
  seq: z.int(),
  topic: z.string(),
  type: z.enum(Object.keys(changeData) as [ChangeType, ...ChangeType[]]),
  id: z.string(),
  data: z.unknown(),
});
