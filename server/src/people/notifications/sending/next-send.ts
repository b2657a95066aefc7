/** What is sent next, decided under the lock of the channel before anything leaves. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte, min, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import {
  type ChannelRow,
  type Destination,
  destinationOf,
  lockChannel,
  readChannel,
  updateChannel,
} from '../channel.ts';
import type { NotificationRow } from '../store.ts';
import { readSwitches } from '../switches.ts';
import { notifications, notificationTopics } from '../table.ts';
import { type Held, heldBack, sayUntilWhen } from './waits.ts';

/** While this many wait or fewer, each is a message of its own. */
const DIGEST_ABOVE = 20;
const DIGEST_MAX = 500;
/** Longer than any call takes: a message that is still under way then was left by a process that died. */
const UNDER_WAY_MAX_MS = 30_000;
/** A notification older than this is not worth sending. */
const WAIT_MAX_MS = 24 * 3_600_000;
/** Nothing rests for longer: a moment further away was written under a clock that has been set back since. */
export const REST_MAX_MS = 3_600_000;

const LOST =
  'It is not known whether this was sent: the process ended while it was. It is not sent again by itself, so that it is not received twice.';
const EXPIRED = 'Not sent: it had waited for more than 24 hours.';

/** One message under way, for all of `records`, in their order. */
export type Sending = Destination & { id: string; records: NotificationRow[] };

export type NextSend = { kind: 'send'; sending: Sending } | { kind: 'wait'; ms: number } | { kind: 'nothing' };

const NOTHING: NextSend = { kind: 'nothing' };

export async function claimNextSend(runtime: Runtime): Promise<NextSend> {
  const { clock, db, random, pubsub } = runtime;
  // Nothing is sent; setting the channel up wakes the sender.
  if (destinationOf(runtime, await readChannel(db)) === null) return NOTHING;
  return db.transaction(async (tx): Promise<NextSend> => {
    const channel = await lockChannel(tx);
    const destination = destinationOf(runtime, channel);
    const { enabled, throttleSeconds } = await readSwitches(tx);
    if (channel === null || destination === null || !enabled) return NOTHING;
    const now = clock.now();
    const restMs = restOf(channel, now);
    const held = heldBack(now, throttleSeconds);
    const tell = (ids: readonly string[]) => pubsub.publishEach(tx, 'notification_changed', ids);
    if (restMs > 0) {
      await tell(await sayUntilWhen(tx, channel, held, throttleSeconds, now));
      return { kind: 'wait', ms: restMs };
    }
    await tell([...(await failLost(tx, now)), ...(await failOld(tx, now))]);
    await tell(await sayUntilWhen(tx, null, held, throttleSeconds, now));

    const due = await dueRecords(tx, held);
    const sent = sentTogether(due, throttleSeconds);
    if (sent.length === 0) return await nextRelease(tx, held, now, throttleSeconds);
    const id = random.uuid();
    const records = await markUnderWay(tx, sent, id, now);
    await updateChannel(tx, { restUntil: instantFromMs(now + UNDER_WAY_MAX_MS), restReason: null });
    return { kind: 'send', sending: { id, records, ...destination } };
  });
}

function restOf({ restUntil }: ChannelRow, now: Instant): number {
  const restMs = restUntil === null ? 0 : restUntil - now;
  return restMs > REST_MAX_MS ? 0 : restMs;
}

/** No sender is active now, so that a message still marked as under way was left by a process that died. */
async function failLost(tx: Db, now: Instant): Promise<string[]> {
  const left = and(eq(notifications.status, 'pending'), isNotNull(notifications.sendingId));
  return await fail(tx, left, LOST, now);
}

async function failOld(tx: Db, now: Instant): Promise<string[]> {
  const since = sql`coalesce(${notifications.retriedAt}, ${notifications.createdAt})`;
  const old = lte(since, sql.param(instantFromMs(now - WAIT_MAX_MS), notifications.createdAt));
  return await fail(tx, and(eq(notifications.status, 'pending'), old), EXPIRED, now);
}

async function fail(tx: Db, which: SQL | undefined, errorMessage: string, now: Instant): Promise<string[]> {
  const failed = { status: 'failed' as const, errorMessage, updatedAt: now };
  const rows = await tx.update(notifications).set(failed).where(which).returning({ id: notifications.id });
  return rows.map(({ id }) => id);
}

async function dueRecords(tx: Db, { throttled, muted }: Held): Promise<NotificationRow[]> {
  // Of a topic that nothing was sent of yet, neither is known to be true.
  const isHeld = sql`coalesce(${or(throttled, muted)}, false)`;
  const rows = await tx
    .select({ record: notifications })
    .from(notifications)
    .leftJoin(notificationTopics, eq(notificationTopics.topic, notifications.topic))
    .where(and(eq(notifications.status, 'pending'), or(eq(notifications.notificationType, 'test'), not(isHeld))))
    .orderBy(asc(notifications.seq))
    .limit(DIGEST_MAX);
  return rows.map(({ record }) => record);
}

/** The first; with it what would have to wait for it, or, where very many wait, all of them. */
function sentTogether(due: readonly NotificationRow[], throttleSeconds: number): NotificationRow[] {
  const [first] = due;
  if (first === undefined) return [];
  if (due.length > DIGEST_ABOVE) return [...due];
  if (throttleSeconds === 0 || first.notificationType === 'test') return [first];
  return due.filter(({ topic }) => topic === first.topic);
}

/** From here on it may have left: only an answer, or a person, has it sent again. */
async function markUnderWay(
  tx: Db,
  records: readonly NotificationRow[],
  sendingId: string,
  now: Instant,
): Promise<NotificationRow[]> {
  const { attempts, id, triesLeft } = notifications;
  const ids = records.map((record) => record.id);
  const marked = await tx
    .update(notifications)
    .set({ sendingId, attempts: sql`${attempts} + 1`, triesLeft: sql`${triesLeft} - 1`, updatedAt: now })
    .where(and(inArray(id, ids), isNull(notifications.sendingId)))
    .returning();
  return marked.toSorted((a, b) => a.seq - b.seq);
}

async function nextRelease(
  tx: Db,
  { throttled, muted }: Held,
  now: Instant,
  throttleSeconds: number,
): Promise<NextSend> {
  const { topic, lastSentAt, mutedUntil } = notificationTopics;
  const earliest = async (moment: typeof lastSentAt | typeof mutedUntil, held: SQL | undefined) => {
    const [found] = await tx
      .select({ at: min(moment) })
      .from(notificationTopics)
      .innerJoin(notifications, eq(notifications.topic, topic))
      .where(and(eq(notifications.status, 'pending'), held));
    return found?.at ?? null;
  };
  const sent = await earliest(lastSentAt, throttled);
  const mute = await earliest(mutedUntil, muted);
  const instants = [...(sent === null ? [] : [sent + throttleSeconds * 1000]), ...(mute === null ? [] : [mute])];
  return instants.length === 0 ? NOTHING : { kind: 'wait', ms: Math.max(1, Math.min(...instants) - now) };
}
