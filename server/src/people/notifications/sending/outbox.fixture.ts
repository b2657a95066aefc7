/** A product with a Telegram channel to a server on loopback, whose messages a test sends one by one. */

import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import { asc } from 'drizzle-orm';
import type { Actor } from '../../../platform/http/signed-in.ts';
import {
  openTelegramServer,
  TEST_TOKEN,
  type TelegramServer,
} from '../../../platform/telegram/telegram-server.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { configureTelegram } from '../channel.ts';
import { recordNotification } from '../record.ts';
import type { NotificationRow } from '../store.ts';
import { switchSending } from '../switches.ts';
import { notifications } from '../table.ts';
import { sendNext } from './send-next.ts';
import type { ChatCommands } from './updates.ts';

export const SOMEBODY: Actor = { id: null, email: 'ada@example.com', address: '::1' };
/** Of a product that takes none. */
export const NO_COMMANDS: ChatCommands = {
  isCommand: () => false,
  answer: async () => {},
  isOurs: () => false,
  confirm: async () => '',
};
export const WEB_URL = 'https://desk.example';

export type Outbox = AsyncDisposable & {
  test: TestRuntime;
  telegram: TelegramServer;
  record: (message: string, about?: { type?: NotificationType; opportunityId?: string | null }) => Promise<string>;
  /** What waits, in the order in which it was recorded, and what came of the rest. */
  rows: () => Promise<NotificationRow[]>;
  /** Sends once, if it is time to; answers in how many milliseconds to look again. */
  send: () => Promise<number | null>;
  /** Sends, and lets the time pass that it takes, until nothing waits. */
  drain: () => Promise<void>;
};

export async function openOutbox(throttleSeconds = 0): Promise<Outbox> {
  const telegram = await openTelegramServer();
  const test = await openTestRuntime({ TELEGRAM_API_ROOT: telegram.root });
  const { runtime, time } = test;
  await configureTelegram(runtime, { bot_token: TEST_TOKEN, chat_id: '42', mute_user_ids: [7] }, SOMEBODY);
  await switchSending(runtime, { throttle_seconds: throttleSeconds }, SOMEBODY);
  const send = () => sendNext(runtime, WEB_URL);
  return {
    test,
    telegram,
    record: async (message, { type = 'opportunity_triggered', opportunityId = null } = {}) => {
      const notification = { type, opportunityId, message, data: {} };
      return (await runtime.db.transaction((tx) => recordNotification(tx, runtime, notification))).id;
    },
    rows: () => runtime.db.select().from(notifications).orderBy(asc(notifications.seq)),
    send,
    drain: async () => {
      for (let inMs = await send(); inMs !== null; inMs = await send()) await time.advance(inMs);
    },
    [Symbol.asyncDispose]: async () => {
      await test.close();
      await telegram[Symbol.asyncDispose]();
    },
  };
}
