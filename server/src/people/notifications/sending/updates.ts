/** What people press and write in the chat. Telegram is asked for it: that works from behind any router. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { recordAction } from '../../../platform/audit/record.ts';
import { type ChatText, ChatUnavailable, type Press } from '../../../platform/runtime/chat.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type ChannelRow, type Destination, destinationOf, lockChannel, updateChannel } from '../channel.ts';
import { readNotification } from '../store.ts';
import { notificationTopics } from '../table.ts';
import { isMutable, MUTE_PREFIX } from './compose-message.ts';
import { MUTE_MS } from './waits.ts';

export const ASK_EVERY_MS = 5000;
/** Over before somebody else asks. */
const ASK_FOR_MS = 3000;
/** Where nobody may send commands, buttons under older messages are not answered any more: an idle product asks nobody anything. */
const ANSWERED_FOR_MS = 2 * 24 * 3_600_000;

const ID = /^[0-9a-f-]{36}$/;
/** Of those that came at a time, the last ones are answered. */
const COMMANDS_MAX = 10;

/** What is done about messages that people write to the bot, and about the buttons under its answers. */
export type ChatCommands = {
  /** Whether it is one, by somebody who may send it: what others write does not count. */
  isCommand: (to: Destination, text: ChatText) => boolean;
  answer: (to: Destination, text: ChatText) => Promise<void>;
  isOurs: (press: Press) => boolean;
  /** Answers the line that whoever pressed is shown. */
  confirm: (to: Destination, press: Press) => Promise<string>;
};

/** Answers what was pressed and written since it was last asked, whichever process asks: one every few seconds. */
export async function answerUpdates(runtime: Runtime, commands: ChatCommands): Promise<void> {
  const asking = await takeAsking(runtime);
  if (asking === null) return;
  const { token } = asking;
  const beganAt = runtime.clock.now();
  let { lastUpdate } = asking;
  try {
    // Until nothing is left: what strangers write in front of a command must not make it too old.
    while (runtime.clock.now() - beganAt < ASK_FOR_MS) {
      const { presses, texts, last } = await runtime.chat.updates(token, lastUpdate);
      for (const press of presses) {
        const answer = await answerTo(runtime, commands, asking, press);
        await runtime.chat.acknowledge(token, press.id, answer).catch(logUnavailable(runtime));
      }
      const given = texts.filter((text) => commands.isCommand(asking, text));
      for (const text of given.slice(-COMMANDS_MAX)) await commands.answer(asking, text);
      if (last === lastUpdate) return;
      await updateChannel(runtime.db, { lastUpdate: last });
      lastUpdate = last;
    }
  } catch (error) {
    logUnavailable(runtime)(error);
  }
}

async function answerTo(runtime: Runtime, commands: ChatCommands, asking: Asking, press: Press): Promise<string> {
  if (commands.isOurs(press)) return await commands.confirm(asking, press);
  return refusalOf(press, asking) ?? (await mute(runtime, press));
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
    log.debug({ reason: error.message }, 'Telegram updates not read');
  };
}

type Asking = Destination & { lastUpdate: number | null };

/** Null unless it is time to ask and nobody else does. */
async function takeAsking(runtime: Runtime): Promise<Asking | null> {
  return await runtime.db.transaction(async (tx) => {
    const channel = await lockChannel(tx);
    const destination = destinationOf(runtime, channel);
    const now = runtime.clock.now();
    if (channel === null || destination === null || !isTimeToAsk(channel, now)) return null;
    await updateChannel(tx, { askedAt: now });
    return { ...destination, lastUpdate: channel.lastUpdate };
  });
}

function isTimeToAsk({ askedAt, lastSentAt, commandUserIds }: ChannelRow, now: number): boolean {
  const isAnswered = commandUserIds.length > 0 || (lastSentAt !== null && now - lastSentAt < ANSWERED_FOR_MS);
  return isAnswered && (askedAt === null || Math.abs(now - askedAt) >= ASK_EVERY_MS - 500);
}

/** Answers the line that whoever pressed is shown. Pressed twice, it is muted for an hour from the second time. */
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
