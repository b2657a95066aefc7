/** How notifications leave: the chat channel, the switch for all of them, and a message to try it with. */
import * as z from 'zod/mini';
import { endpoint, refusal } from './endpoint.ts';
import { countInQuery, flagInQuery } from './listing.ts';
import { described } from './notes/described.ts';
import { messageText, notification } from './notifications.ts';
import { sendingStatus } from './sending-status.ts';

/** A day. */
export const THROTTLE_SECONDS_MAX = 86_400;

/** It becomes part of an address, so nothing that means anything there; whether it is right only Telegram knows. */
const TOKEN = /^[\w:-]{1,200}$/;
const CHAT = /^(?:-?\d{1,20}|@[A-Za-z]\w{3,63})$/;

const CHAT_PROBLEM = 'Chat ID must be a number, or @ and the name of a public channel';
const chatId = z.union([z.string().check(z.regex(CHAT, CHAT_PROBLEM)), z.int()], CHAT_PROBLEM);

/** How many people may press Mute, and how many may send commands. */
const USERS_MAX = 50;
const USERS_PROBLEM = `User IDs must be whole numbers above 0, ${USERS_MAX} at most`;
const isUserId = (id: number) => Number.isSafeInteger(id) && id > 0;
const userIds = z
  .array(z.number(USERS_PROBLEM), USERS_PROBLEM)
  .check(z.refine((ids) => ids.length <= USERS_MAX && ids.every(isUserId), USERS_PROBLEM));

const telegramConfig = z.object({
  configured: described('A bot token and a chat are stored; the token itself is never served.', z.boolean()),
  chat_id: z.nullable(z.string()),
  enabled: described('Whether messages are sent.', z.boolean()),
  mute_user_ids: described('The Telegram user ids of those who may press Mute; empty: none may.', z.array(z.number())),
  command_user_ids: described(
    'Of those who may ask for status and positions, and disarm; empty: none may, and no command is read.',
    z.array(z.number()),
  ),
});
export type TelegramConfig = z.output<typeof telegramConfig>;

/** What is left out stays as it is; null forgets it. The channel is on from its first token and chat, unless said. */
export const telegramChanges = z.strictObject({
  bot_token: described(
    'The token of the Telegram bot; null removes it.',
    z.optional(
      z.nullable(
        z.string().check(z.regex(TOKEN, 'Bot token may hold letters, digits, colons, hyphens and underscores only')),
      ),
    ),
  ),
  chat_id: z.optional(z.nullable(chatId)),
  enabled: described('Whether messages are sent.', z.optional(z.boolean())),
  mute_user_ids: described('Telegram users who may mute messages, by their numbers.', z.optional(userIds)),
  command_user_ids: described('Telegram users whose commands are carried out, by their numbers.', z.optional(userIds)),
});
export type TelegramChanges = z.output<typeof telegramChanges>;

const tag = 'Notifications';

export const readTelegram = endpoint({
  method: 'GET',
  path: '/notifications/telegram/config',
  access: 'superuser',
  tag,
  summary: 'Read how the Telegram channel is set up',
  reply: telegramConfig,
});

export const writeTelegram = endpoint({
  method: 'POST',
  path: '/notifications/telegram/config',
  access: 'superuser',
  tag,
  summary: 'Set up the Telegram channel',
  refusals: [
    refusal(
      409,
      'It is switched on and the bot token or the chat is not set.',
      'Set the bot token and the chat first.',
    ),
  ],
  body: telegramChanges,
  reply: telegramConfig,
});

export const switchSending = endpoint({
  method: 'POST',
  path: '/notifications/global',
  access: 'superuser',
  tag,
  summary: 'Have notifications sent or kept, and say how often at most',
  refusals: [refusal(409, 'The bot token or the chat is not set.', 'Set the bot token and the chat first.')],
  query: z.object({
    enabled: described('Whether messages are sent.', z.optional(flagInQuery)),
    throttle_seconds: described(
      'At least so many seconds lie between two messages.',
      z.optional(
        countInQuery.check(
          z.maximum(THROTTLE_SECONDS_MAX, `Input should be less than or equal to ${THROTTLE_SECONDS_MAX}`),
        ),
      ),
    ),
  }),
  reply: sendingStatus,
});

export const testNotifications = endpoint({
  method: 'POST',
  path: '/notifications/test',
  access: 'user',
  tag,
  summary: 'Record a notification to see whether it arrives',
  body: z.optional(z.strictObject({ message: z.optional(messageText) })),
  reply: notification,
});
