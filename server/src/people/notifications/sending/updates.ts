/** What people press and write in the chat. Telegram is asked for it: that works from behind any router. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { recordAction } from '../../../platform/audit/record.ts';
import { type ChatText, ChatUnavailable, type Press } from '../../../platform/runtime/chat.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type ChannelRow, type Destination, destinationOf, lockChannel, updateChannel } from '../channel.ts';
import { recordNotification } from '../record.ts';
import { readNotification } from '../store.ts';
import { notificationTopics } from '../table.ts';
import { isMutable, MUTE_PREFIX } from './compose-message.ts';
import { type Position, readUpdates } from './read-updates.ts';
import { MUTE_MS } from './waits.ts';

export const ASK_EVERY_MS = 5000;
/** Without users who may send commands, buttons under older messages are not answered any more: an idle product makes no calls. */
const ANSWERED_FOR_MS = 2 * 24 * 3_600_000;
const TOLD_AFTER_MS = 60_000;

const ID = /^[0-9a-f-]{36}$/;

/** What is done about messages that people write to the bot, and about the buttons under its answers. */
export type ChatCommands = {
  /** Whether it is a command of a person who may send it: what others write does not count. */
  isCommand: (to: Destination, text: ChatText) => boolean;
  answer: (to: Destination, text: ChatText) => Promise<void>;
  isOurs: (press: Press) => boolean;
  /** Answers the line shown to the user who pressed. */
  confirm: (to: Destination, press: Press) => Promise<string>;
};

/**
 * Answers what was pressed and written since it was last asked, whichever process asks: one every few seconds. Confirmations of listed
 * people come first, then commands, then all else.
 */
export async function answerUpdates(runtime: Runtime, commands: ChatCommands): Promise<void> {
  const asking = await takeAsking(runtime);
  if (asking === null) return;
  const { to, received, unread } = await readUpdates(runtime, asking, commands.isCommand);
  const answerPress = async (press: Press) => {
    const answer = await answerTo(runtime, commands, to, press);
    await runtime.chat.acknowledge(to.token, press.id, answer).catch(logUnavailable(runtime));
  };
  for (const press of received.listed.filter(commands.isOurs)) await answerPress(press);
  for (const text of received.texts) await commands.answer(to, text);
  for (const press of received.listed) if (!commands.isOurs(press)) await answerPress(press);
  await Promise.all(received.strangers.map(answerPress));
  await noteReading(runtime, asking, unread);
}

/** One notification is recorded when nothing could be read for a minute, until something is again. */
async function noteReading(runtime: Runtime, { isUnread }: Asking, reason: string | null): Promise<void> {
  const { db, clock, log } = runtime;
  if (reason === null) {
    if (isUnread) await updateChannel(db, { unreadSince: null, unreadNotifiedAt: null });
    return;
  }
  log.debug({ reason }, 'Telegram updates not read');
  await db.transaction(async (tx) => {
    const channel = await lockChannel(tx);
    const now = clock.now();
    const unreadSince = channel?.unreadSince ?? now;
    const isDue = channel?.unreadNotifiedAt === null && now - unreadSince >= TOLD_AFTER_MS;
    await updateChannel(tx, { unreadSince, ...(isDue && { unreadNotifiedAt: now }) });
    if (!isDue || channel.commandUserIds.length === 0) return;
    log.warn({ reason }, 'Telegram updates not read for a minute');
    const message = `Nothing that is written or pressed in the chat could be read for a minute, ${COMMANDS_LOST}: ${reason}.`;
    await recordNotification(tx, runtime, { type: 'chat_unreadable', opportunityId: null, message, data: {} });
  });
}

const COMMANDS_LOST = 'so that /disarm does nothing there';

async function answerTo(runtime: Runtime, commands: ChatCommands, to: Destination, press: Press): Promise<string> {
  if (commands.isOurs(press)) return await commands.confirm(to, press);
  return refusalOf(press, to) ?? (await mute(runtime, press));
}

function refusalOf({ chatIds, userId }: Press, { chatId, muteUserIds }: Destination): string | null {
  const isFromHere = chatIds.some((id) => id.toLowerCase() === chatId.toLowerCase());
  if (!isFromHere) return 'This chat is not the one that notifications go to.';
  if (muteUserIds.includes(userId)) return null;
  return `You may not mute. A superuser may add your Telegram user ID ${userId} to the channel.`;
}

function logUnavailable({ log }: Pick<Runtime, 'log'>): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ChatUnavailable)) throw error;
    log.debug({ reason: error.message }, 'Telegram button not answered');
  };
}

type Asking = Position & { isUnread: boolean };

/** Null unless it is time to ask and no other process is asking. */
async function takeAsking(runtime: Runtime): Promise<Asking | null> {
  return await runtime.db.transaction(async (tx) => {
    const channel = await lockChannel(tx);
    const destination = destinationOf(runtime, channel);
    const now = runtime.clock.now();
    if (channel === null || destination === null || !isTimeToAsk(channel, now)) return null;
    await updateChannel(tx, { askedAt: now });
    const { lastUpdate, sealedToken, unreadSince } = channel;
    return { ...destination, lastUpdate, sealedToken: sealedToken ?? '', isUnread: unreadSince !== null };
  });
}

function isTimeToAsk({ askedAt, lastSentAt, commandUserIds }: ChannelRow, now: number): boolean {
  const isAnswered = commandUserIds.length > 0 || (lastSentAt !== null && now - lastSentAt < ANSWERED_FOR_MS);
  return isAnswered && (askedAt === null || Math.abs(now - askedAt) >= ASK_EVERY_MS - 500);
}

/** Answers the line shown to the user who pressed. Pressed twice, it is muted for an hour from the second time. */
async function mute(runtime: Runtime, { data, by }: Press): Promise<string> {
  const id = data.startsWith(MUTE_PREFIX) ? data.slice(MUTE_PREFIX.length) : '';
  return await runtime.db.transaction(async (tx) => {
    const record = ID.test(id) ? await readNotification(tx, id) : null;
    if (record === null) return 'This notification was deleted.';
    if (!isMutable(record)) return 'Notifications of this type cannot be muted.';
    const mutedUntil = instantFromMs(runtime.clock.now() + MUTE_MS);
    await holdTopic(tx, record.topic, mutedUntil);
    const { notificationType, opportunityId } = record;
    await recordAction(
      tx,
      runtime,
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
