/** The Telegram channel: who it sends as, where to, and whether it does. */
import type { TelegramChanges, TelegramConfig } from '@dutchbook/contract/notification-sending.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import { type Actor, recordAction } from '../audit/record.ts';
import { Conflict } from '../http/errors.ts';
import { openSecret, sealSecret } from '../world/sealed-secret.ts';
import type { Db, World } from '../world/world.ts';
import { notificationChannels, notifications } from './table.ts';

export type ChannelRow = typeof notificationChannels.$inferSelect;
export type ChannelChange = Partial<Omit<ChannelRow, 'name'>>;

const ROW = 'telegram';
const TOKEN_NAME = 'telegram.bot_token';
const its = eq(notificationChannels.name, ROW);

export async function readTelegram({ config, db }: Pick<World, 'config' | 'db'>): Promise<TelegramConfig> {
  const [row] = await db.select().from(notificationChannels).where(its);
  return asServed(config.secretKey, row ?? null);
}

/** Where messages go now; null while the channel is not set up, is off, or its token cannot be read. */
export function destinationOf(
  { config }: Pick<World, 'config'>,
  row: ChannelRow | null,
): { token: string; chatId: string } | null {
  if (row === null || !row.enabled || row.chatId === null) return null;
  const token = tokenIn(config.secretKey, row);
  return token === null ? null : { token, chatId: row.chatId };
}

export async function readChannel(db: Db): Promise<ChannelRow | null> {
  const [row] = await db.select().from(notificationChannels).where(its);
  return row ?? null;
}

/** As it stands now; until the transaction ends nobody else decides what to send. */
export async function lockChannel(tx: Db): Promise<ChannelRow | null> {
  const [row] = await tx.select().from(notificationChannels).where(its).for('update');
  return row ?? null;
}

export async function updateChannel(tx: Db, change: ChannelChange): Promise<void> {
  await tx.update(notificationChannels).set(change).where(its);
}

/** What is left out stays as it is; recorded in the audit log, without the token. @throws Conflict */
export async function configureTelegram(
  world: Pick<World, 'clock' | 'config' | 'db' | 'dice' | 'notices'>,
  changes: TelegramChanges,
  actor: Actor,
): Promise<TelegramConfig> {
  const { secretKey } = world.config;
  return world.db.transaction(async (tx) => {
    await tx.insert(notificationChannels).values({ name: ROW, enabled: false }).onConflictDoNothing();
    const stored = await lockChannel(tx);
    if (stored === null) throw new Error('the channel is neither there nor could it be added');
    const before = asServed(secretKey, stored);
    const next = { ...stored, ...storedChanges(world, changes) };
    const { configured } = asServed(secretKey, next);
    const enabled = changes.enabled ?? (configured && (stored.enabled || !before.configured));
    if (enabled && !configured) throw new Conflict('Set the bot token and the chat first.');
    const { sealedToken, chatId } = next;
    // Whatever went wrong with the old settings need not go wrong again; a message under way is waited for all the same.
    const restUntil = (await isSending(tx)) ? stored.restUntil : null;
    const anotherBot = changes.bot_token === undefined ? {} : { lastUpdate: null };
    await updateChannel(tx, { sealedToken, chatId, enabled, restUntil, ...anotherBot });
    await world.notices.tell(tx, 'notification_changed');
    const after = asServed(secretKey, { ...next, enabled });
    await recordAction(tx, world, actor, {
      action: 'notifications.configured',
      object: ROW,
      before,
      after: { ...after, bot_token: changes.bot_token === undefined ? 'kept' : 'replaced' },
    });
    return after;
  });
}

function storedChanges(
  { config, dice }: Pick<World, 'config' | 'dice'>,
  { bot_token: token, chat_id: chatId }: TelegramChanges,
): ChannelChange {
  return {
    ...(token !== undefined && {
      sealedToken: token === null ? null : sealSecret(config.secretKey, TOKEN_NAME, token, dice),
    }),
    ...(chatId !== undefined && { chatId: chatId === null ? null : String(chatId) }),
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
  };
}

function tokenIn(secretKey: string, { sealedToken }: ChannelRow): string | null {
  return sealedToken === null ? null : openSecret(secretKey, TOKEN_NAME, sealedToken);
}
