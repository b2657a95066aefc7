/** The Telegram channel: who it sends as, where to, and whether it does. */

import type { TelegramChanges, TelegramConfig } from '@dutchbook/contract/notification-sending.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { openSecret, sealSecret } from '../../platform/config/sealed-secret.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { ChatMove } from '../../platform/runtime/chat.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { sayNoMoment } from './sending/waits.ts';
import { notificationChannels, notifications } from './table.ts';

export type ChannelRow = typeof notificationChannels.$inferSelect;
export type ChannelChange = Partial<Omit<ChannelRow, 'name'>>;

const ROW = 'telegram';
const TOKEN_NAME = 'telegram.bot_token';
const its = eq(notificationChannels.name, ROW);

export async function readTelegram({ config, db }: Pick<Runtime, 'config' | 'db'>): Promise<TelegramConfig> {
  return asServed(config.secretKey, await readChannel(db));
}

export async function readChannel(db: Db): Promise<ChannelRow | null> {
  const [row] = await db.select().from(notificationChannels).where(its);
  return row ?? null;
}

/** `muteUserIds`: who may mute there; `commandUserIds`: who may send commands. */
export type Destination = {
  token: string;
  chatId: string;
  muteUserIds: readonly number[];
  commandUserIds: readonly number[];
};

/** Where messages go now; null while the channel is not set up, is off, or its token cannot be read. */
export function destinationOf({ config }: Pick<Runtime, 'config'>, row: ChannelRow | null): Destination | null {
  if (row === null || !row.enabled || row.chatId === null) return null;
  const token = tokenIn(config.secretKey, row);
  const { chatId, muteUserIds, commandUserIds } = row;
  return token === null ? null : { token, chatId, muteUserIds, commandUserIds };
}

/** Reads the channel and locks it until the transaction ends. */
export async function lockChannel(tx: Db): Promise<ChannelRow | null> {
  const [row] = await tx.select().from(notificationChannels).where(its).for('update');
  return row ?? null;
}

export async function updateChannel(tx: Db, change: ChannelChange): Promise<void> {
  await tx.update(notificationChannels).set(change).where(its);
}

/**
 * The channel follows its group, which has become a supergroup with another id; nothing is done where the channel is another chat.
 * Call it last in the transaction.
 */
export async function followGroup(tx: Db, runtime: Pick<Runtime, 'clock'>, { from, to }: ChatMove): Promise<void> {
  if ((await lockChannel(tx))?.chatId !== from) return;
  await updateChannel(tx, { chatId: to });
  await recordAction(tx, runtime, THE_SYSTEM, {
    ...{ action: 'notifications.configured', object: ROW },
    ...{ before: { chat_id: from }, after: { chat_id: to } },
  });
}

/** What is left out stays as it is; recorded in the audit log, without the token. @throws Conflict */
export async function configureTelegram(
  runtime: Pick<Runtime, 'clock' | 'config' | 'db' | 'random' | 'pubsub'>,
  changes: TelegramChanges,
  actor: Actor,
): Promise<TelegramConfig> {
  const { secretKey } = runtime.config;
  return runtime.db.transaction(async (tx) => {
    await tx.insert(notificationChannels).values({ name: ROW, enabled: false }).onConflictDoNothing();
    const stored = await lockChannel(tx);
    if (stored === null) throw new Error('the channel is neither there nor could it be added');
    const before = asServed(secretKey, stored);
    const next = { ...stored, ...storedChanges(runtime, changes) };
    const { configured } = asServed(secretKey, next);
    const enabled = changes.enabled ?? (configured && (stored.enabled || !before.configured));
    if (enabled && !configured) throw new Conflict('Set the bot token and the chat first.');
    const { sealedToken, chatId, muteUserIds, commandUserIds } = next;
    // Whatever went wrong with the old settings need not go wrong again; a message under way is waited for all the same.
    const rest = (await isSending(tx)) ? {} : { restUntil: null, restReason: null };
    const anotherBot = changes.bot_token === undefined ? {} : { lastUpdate: null };
    const reading = { unreadSince: null, unreadNotifiedAt: null };
    await updateChannel(tx, {
      ...{ sealedToken, chatId, muteUserIds, commandUserIds, enabled },
      ...{ ...rest, ...anotherBot, ...reading },
    });
    if (!enabled)
      await runtime.pubsub.publishEach(tx, 'notification_changed', await sayNoMoment(tx, runtime.clock.now()));
    await runtime.pubsub.publish(tx, 'notification_changed');
    const after = asServed(secretKey, { ...next, enabled });
    await recordAction(tx, runtime, actor, {
      action: 'notifications.configured',
      object: ROW,
      before,
      after: { ...after, bot_token: changes.bot_token === undefined ? 'kept' : 'replaced' },
    });
    return after;
  });
}

function storedChanges(
  { config, random }: Pick<Runtime, 'config' | 'random'>,
  { bot_token: token, chat_id: chatId, mute_user_ids: muteUserIds, command_user_ids: commandUserIds }: TelegramChanges,
): ChannelChange {
  return {
    ...(token !== undefined && {
      sealedToken: token === null ? null : sealSecret(config.secretKey, TOKEN_NAME, token, random),
    }),
    ...(chatId !== undefined && { chatId: chatId === null ? null : String(chatId) }),
    ...(muteUserIds !== undefined && { muteUserIds: [...new Set(muteUserIds)] }),
    ...(commandUserIds !== undefined && { commandUserIds: [...new Set(commandUserIds)] }),
  };
}

async function isSending(tx: Db): Promise<boolean> {
  const underWay = and(isNotNull(notifications.sendingId), eq(notifications.status, 'pending'));
  return (await tx.$count(notifications, underWay)) > 0;
}

function asServed(secretKey: string, row: ChannelRow | null): TelegramConfig {
  const isReadable = row !== null && tokenIn(secretKey, row) !== null;
  return {
    configured: isReadable && row.chatId !== null,
    chat_id: row?.chatId ?? null,
    enabled: row?.enabled ?? false,
    mute_user_ids: [...(row?.muteUserIds ?? [])],
    command_user_ids: [...(row?.commandUserIds ?? [])],
  };
}

function tokenIn(secretKey: string, { sealedToken }: ChannelRow): string | null {
  return sealedToken === null ? null : openSecret(secretKey, TOKEN_NAME, sealedToken);
}
