/** What became of a message, written to its records. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { ChatOutcome } from '../../../platform/runtime/chat.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type ChannelRow, followGroup, lockChannel, updateChannel } from '../channel.ts';
import { notifications, notificationTopics, TRIES } from '../table.ts';
import { REST_MAX_MS, type Sending } from './next-send.ts';

/** Telegram takes about one message a second for a person, and twenty a minute for a group or a channel. */
const PACE_MS = 1000;
const GROUP_PACE_MS = 3000;
/** Waits after the first failed attempt, the second and so on. */
const BACKOFF_MS = [2000, 10_000, 60_000, 300_000];
/** A shorter wait is not explained to users. */
const SAID_ABOVE_MS = 1500;
/** What went wrong will likely go wrong for the next message too. */
const TROUBLE_MS = 30_000;
const TOPICS_KEPT_MS = 2 * 24 * 3_600_000;

export async function recordOutcome(runtime: Runtime, sending: Sending, outcome: ChatOutcome): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await lockChannel(tx);
    const now = runtime.clock.now();
    const sent =
      outcome.kind === 'sent' ? await recordSent(tx, sending, now) : await recordTrouble(tx, sending, outcome, now);
    const lastSentAt = outcome.kind === 'sent' ? { lastSentAt: now } : {};
    await updateChannel(tx, { ...restAfter(sending, outcome, now), ...lastSentAt });
    await runtime.pubsub.publishEach(tx, 'notification_changed', sent);
    if (outcome.kind === 'moved') await followGroup(tx, runtime, { from: sending.chatId, to: outcome.chatId });
  });
}

/** Also of records that were given up meanwhile: Telegram's word is what counts. */
async function recordSent(tx: Db, { id }: Sending, now: Instant): Promise<string[]> {
  const sent = await tx
    .update(notifications)
    .set({ status: 'sent', sentAt: now, updatedAt: now, errorMessage: null, sendingId: null })
    .where(eq(notifications.sendingId, id))
    .returning({ id: notifications.id, topic: notifications.topic });
  const topics = [...new Set(sent.map(({ topic }) => topic))];
  await tx.delete(notificationTopics).where(lt(notificationTopics.lastSentAt, instantFromMs(now - TOPICS_KEPT_MS)));
  if (topics.length > 0) {
    await tx
      .insert(notificationTopics)
      .values(topics.map((topic) => ({ topic, lastSentAt: now })))
      .onConflictDoUpdate({ target: notificationTopics.topic, set: { lastSentAt: now } });
  }
  return sent.map((row) => row.id);
}

/** Back among those that wait, where it may be tried again; a pause that Telegram asks for is not a try. */
async function recordTrouble(
  tx: Db,
  { id }: Sending,
  outcome: Exclude<ChatOutcome, { kind: 'sent' }>,
  now: Instant,
): Promise<string[]> {
  const { sendingId, status, triesLeft } = notifications;
  const mayTryAgain = outcome.kind !== 'unknown' && outcome.kind !== 'refused';
  const triesBack = outcome.kind === 'slow_down' || outcome.kind === 'moved' ? 1 : 0;
  const rows = await tx
    .update(notifications)
    .set({
      status: mayTryAgain ? sql`case when ${triesLeft} + ${triesBack} > 0 then 'pending' else 'failed' end` : 'failed',
      triesLeft: sql`${triesLeft} + ${triesBack}`,
      errorMessage: reasonOf(outcome),
      updatedAt: now,
      sendingId: null,
    })
    .where(and(eq(sendingId, id), eq(status, 'pending')))
    .returning({ id: notifications.id });
  return rows.map((row) => row.id);
}

function reasonOf(outcome: Exclude<ChatOutcome, { kind: 'sent' }>): string {
  const addition =
    outcome.kind === 'unknown' ? '. It is not sent again by itself, so that it is not received twice.' : '';
  return `${outcome.reason}${addition}`;
}

function restAfter(sending: Sending, outcome: ChatOutcome, now: Instant): Pick<ChannelRow, 'restUntil' | 'restReason'> {
  const ms = restMs(sending, outcome);
  const isPause = outcome.kind !== 'sent' && outcome.kind !== 'refused' && ms >= SAID_ABOVE_MS;
  return { restUntil: instantFromMs(now + ms), restReason: isPause ? outcome.reason : null };
}

/** How long the whole channel rests: what waits keeps its order. */
function restMs({ chatId, records }: Sending, outcome: ChatOutcome): number {
  const pace = /^[-@]/.test(chatId) ? GROUP_PACE_MS : PACE_MS;
  switch (outcome.kind) {
    case 'slow_down':
      return Math.min(Math.max(pace, outcome.seconds * 1000), REST_MAX_MS);
    case 'not_sent': {
      const triesMade = TRIES - Math.min(...records.map(({ triesLeft }) => triesLeft));
      return BACKOFF_MS[triesMade - 1] ?? TROUBLE_MS;
    }
    case 'sent':
    case 'moved':
    case 'refused':
      return pace;
    case 'unknown':
      return TROUBLE_MS;
  }
}
