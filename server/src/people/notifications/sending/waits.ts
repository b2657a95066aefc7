/** What holds notifications back, and what each that waits says of it: until when, and why. */
import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { and, eq, gt, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/runtime/runtime.ts';
import type { ChannelRow } from '../channel.ts';
import { notifications, notificationTopics } from '../table.ts';

export const MUTE_MS = 3_600_000;

/** Conditions on a topic. */
export type Held = { throttled: SQL | undefined; muted: SQL | undefined };

/** A moment in the future, or a mute of longer than there is, was written under another clock and holds nothing back. */
export function heldBack(now: Instant, throttleSeconds: number): Held {
  const { lastSentAt, mutedUntil } = notificationTopics;
  const muteEnd = instantFromMs(now + MUTE_MS);
  return {
    throttled: and(gt(lastSentAt, instantFromMs(now - throttleSeconds * 1000)), lte(lastSentAt, now)),
    muted: and(gt(mutedUntil, now), lte(mutedUntil, muteEnd)),
  };
}

const waiting = and(eq(notifications.status, 'pending'), isNull(notifications.sendingId));

/** Writes it to those of which it has changed, whatever holds them back. @returns their ids */
export async function sayUntilWhen(
  tx: Db,
  rest: Pick<ChannelRow, 'restUntil' | 'restReason'> | null,
  { throttled, muted }: Held,
  throttleSeconds: number,
  now: Instant,
): Promise<string[]> {
  const { topic, lastSentAt, mutedUntil } = notificationTopics;
  const { restUntil = null, restReason = null } = rest ?? {};
  const isHeldByTopic = ne(notifications.notificationType, 'test');
  const restEnd = sql`${restReason === null || restUntil === null ? null : instantToIso(restUntil)}::timestamptz`;
  const muteEnd = sql`case when ${and(isHeldByTopic, muted)} then ${mutedUntil} end`;
  const pauseEnd = sql`case when ${and(isHeldByTopic, throttled)} then ${lastSentAt} + ${throttleSeconds} * interval '1 second' end`;
  const end = sql`greatest(${restEnd}, ${muteEnd}, ${pauseEnd})`;
  const reason = sql`case ${end} when ${restEnd} then ${restReason}::text when ${muteEnd} then 'Muted in the chat.'
    else ${`${throttleSeconds} seconds pass between two messages about the same.`}::text end`;
  const says = sql<string | null>`'Waits until ' || to_char(${end} at time zone 'UTC', ${ISO}) || '. ' || ${reason}`;
  const held = tx
    .select({ id: notifications.id, says: says.as('says') })
    .from(notifications)
    .leftJoin(notificationTopics, eq(topic, notifications.topic))
    .where(waiting)
    .as('held');
  return await changed(
    tx
      .update(notifications)
      .set({ errorMessage: sql`${held.says}`, updatedAt: now })
      .from(held)
      .where(
        and(
          eq(held.id, notifications.id),
          isNotNull(held.says),
          sql`${notifications.errorMessage} is distinct from ${held.says}`,
        ),
      )
      .returning({ id: notifications.id }),
  );
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** Sending stops without a known end. @returns the ids of those that said so */
export async function sayNoMoment(tx: Db, now: Instant): Promise<string[]> {
  return await changed(
    tx
      .update(notifications)
      .set({ errorMessage: null, updatedAt: now })
      .where(and(waiting, isNotNull(notifications.errorMessage)))
      .returning({ id: notifications.id }),
  );
}

async function changed(rows: PromiseLike<{ id: string }[]>): Promise<string[]> {
  return (await rows).map(({ id }) => id);
}
