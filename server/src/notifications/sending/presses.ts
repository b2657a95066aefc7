/** The Mute button under a message. Telegram is asked who pressed it: that works from behind any router. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { recordAction } from '../../audit/record.ts';
import { ChatUnavailable, type Press } from '../../world/chat.ts';
import type { Db, World } from '../../world/world.ts';
import { type ChannelRow, destinationOf, lockChannel, updateChannel } from '../channel.ts';
import { readNotification } from '../store.ts';
import { notificationTopics } from '../table.ts';
import { MUTE_PREFIX } from './compose-message.ts';
import { MUTE_MS } from './turn.ts';

export const ASK_EVERY_MS = 5000;
/** Buttons under older messages are not answered any more, so that an idle product asks nobody anything. */
const ANSWERED_FOR_MS = 2 * 24 * 3_600_000;

const ID = /^[0-9a-f-]{36}$/;

/** Mutes what was pressed since it was last asked, whichever process asks: one every few seconds. */
export async function answerPresses(world: World): Promise<void> {
  const asking = await takeAsking(world);
  if (asking === null) return;
  const { token, chatId, lastUpdate } = asking;
  try {
    const { presses, last } = await world.chat.presses(token, lastUpdate);
    for (const press of presses) {
      const isFromHere = press.chatIds.some((id) => id.toLowerCase() === chatId.toLowerCase());
      const answer = isFromHere ? await mute(world, press) : 'This chat is not the one that notifications go to.';
      await world.chat.acknowledge(token, press.id, answer).catch(logUnavailable(world));
    }
    if (last !== lastUpdate) await updateChannel(world.db, { lastUpdate: last });
  } catch (error) {
    logUnavailable(world)(error);
  }
}

function logUnavailable({ log }: Pick<World, 'log'>): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ChatUnavailable)) throw error;
    log.debug({ reason: error.message }, 'Telegram was not asked for pressed buttons');
  };
}

type Asking = { token: string; chatId: string; lastUpdate: number | null };

/** Null unless it is time to ask and nobody else does. */
async function takeAsking(world: World): Promise<Asking | null> {
  return await world.db.transaction(async (tx) => {
    const channel = await lockChannel(tx);
    const destination = destinationOf(world, channel);
    const now = world.clock.now();
    if (channel === null || destination === null || !isTimeToAsk(channel, now)) return null;
    await updateChannel(tx, { askedAt: now });
    return { ...destination, lastUpdate: channel.lastUpdate };
  });
}

function isTimeToAsk({ askedAt, lastSentAt }: ChannelRow, now: number): boolean {
  const isAnswered = lastSentAt !== null && now - lastSentAt < ANSWERED_FOR_MS;
  return isAnswered && (askedAt === null || Math.abs(now - askedAt) >= ASK_EVERY_MS - 500);
}

/** Answers the line that whoever pressed is shown. Pressed twice, it is muted for an hour from the second time. */
async function mute(world: World, { data, by }: Press): Promise<string> {
  const id = data.startsWith(MUTE_PREFIX) ? data.slice(MUTE_PREFIX.length) : '';
  return await world.db.transaction(async (tx) => {
    const record = ID.test(id) ? await readNotification(tx, id) : null;
    if (record === null) return 'This notification was deleted.';
    const mutedUntil = instantFromMs(world.clock.now() + MUTE_MS);
    await holdTopic(tx, record.topic, mutedUntil);
    const { notificationType, opportunityId } = record;
    await recordAction(
      tx,
      world,
      { id: null, email: null, address: `telegram ${by}` },
      {
        action: 'notifications.muted',
        object: id,
        after: { notification_type: notificationType, opportunity_id: opportunityId, minutes: MUTE_MS / 60_000 },
      },
    );
    return 'Muted for 1 hour.';
  });
}

async function holdTopic(tx: Db, topic: string, mutedUntil: typeof notificationTopics.$inferInsert.mutedUntil) {
  await tx
    .insert(notificationTopics)
    .values({ topic, mutedUntil })
    .onConflictDoUpdate({ target: notificationTopics.topic, set: { mutedUntil } });
}
