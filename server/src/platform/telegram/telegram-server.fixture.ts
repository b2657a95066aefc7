/** A server on loopback that speaks Telegram's bot API and takes messages, refuses them or falls silent, as a test says. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const TEST_TOKEN = '123456789:AAtestTokenOfNobody_0123456789-abcd';

export type Behaviour =
  | 'take'
  /** The message arrives, and no answer comes. */
  | 'take_and_hang_up'
  | 'stall'
  | 'garbage'
  /** Sends elsewhere: to `redirectTo`. */
  | { redirectTo: string }
  /** Telegram's own words for a failure. */
  | { code: number; description: string; retryAfter?: number; movedTo?: number };

type Button = { text: string; url?: string; callback_data?: string };
export type Message = { token: string; chatId: string; text: string; buttons: Button[] };

export type TelegramServer = AsyncDisposable & {
  root: string;
  /** What it makes of the next messages, in order; of those after them it takes each. */
  next: (...behaviours: Behaviour[]) => void;
  /** Every message it was asked to send, taken or not. */
  asked: Message[];
  /** Messages that it has delivered. */
  delivered: Message[];
  /** Resolves once it was asked for so many messages. */
  untilAsked: (count: number) => Promise<void>;
  /** A person in a chat presses a button. */
  press: (data: string, chatId?: string, userId?: number) => void;
  /** A person writes to the bot; `date` in seconds. */
  write: (text: string, from: { chatId?: string; userId?: number; date: number }) => void;
  /** A group says that it has become a supergroup. */
  migrate: (chatId: string, to: string) => void;
  /** What it answers from now on when it is asked for updates, in place of them; null: updates. */
  insteadOfUpdates: (body: string | null) => void;
  /** Ends every call that it has not answered. */
  hangUp: () => void;
  /** What updates it was asked for, each time. */
  askedForUpdates: { limit: number; offset: number | null }[];
  /** What those who pressed were shown. */
  shown: string[];
};

type Sent = { chat_id: string; text: string; reply_markup?: { inline_keyboard: Button[][] } };
type Update = { update_id: number; callback_query?: object; message?: object };

export async function openTelegramServer(): Promise<TelegramServer> {
  const behaviours: Behaviour[] = [];
  const asked: Message[] = [];
  const delivered: Message[] = [];
  const shown: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const askedForUpdates: { limit: number; offset: number | null }[] = [];
  let instead: string | null = null;
  let updates: Update[] = [];
  let nextUpdate = 1;

  const takeMessage = (token: string, sent: Sent, reply: ServerResponse) => {
    const buttons = sent.reply_markup?.inline_keyboard.flat() ?? [];
    const message = { token, chatId: sent.chat_id, text: sent.text, buttons };
    const behaviour = behaviours.shift() ?? 'take';
    asked.push(message);
    if (behaviour === 'take' || behaviour === 'take_and_hang_up') delivered.push(message);
    behave(behaviour, reply, delivered.length);
    for (const { resolve } of waiting.filter(({ count }) => count <= asked.length)) resolve();
  };

  const server = createServer(async (request, reply) => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const body = (await json(request)) as Record<string, unknown>;
    if (method === 'sendMessage') takeMessage(token, body as Sent, reply);
    else if (method === 'getUpdates') {
      askedForUpdates.push({
        limit: Number(body.limit),
        offset: body.offset === undefined ? null : Number(body.offset),
      });
      updates = updates.filter(({ update_id: id }) => id >= Number(body.offset ?? 0));
      if (instead !== null) reply.writeHead(200, { 'content-type': 'application/json' }).end(instead);
      else answer(reply, 200, { ok: true, result: updates.slice(0, Number(body.limit ?? 100)) });
    } else if (method === 'answerCallbackQuery') {
      shown.push(String(body.text));
      answer(reply, 200, { ok: true, result: true });
    } else answer(reply, 404, { ok: false, error_code: 404, description: 'Not Found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (...chosen) => void behaviours.push(...chosen),
    asked,
    delivered,
    untilAsked: (count) =>
      asked.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    press: (data, chatId = '42', userId = 7) => {
      const message = { message_id: 1, date: 0, chat: { id: Number(chatId), type: 'private', first_name: 'Ada' } };
      const from = { id: userId, is_bot: false, first_name: 'Ada', username: 'ada' };
      updates.push({ update_id: nextUpdate, callback_query: { id: `press-${nextUpdate}`, from, message, data } });
      nextUpdate += 1;
    },
    write: (text, { chatId = '42', userId = 7, date }) => {
      const from = { id: userId, is_bot: false, first_name: 'Ada', username: 'ada' };
      const chat = { id: Number(chatId), type: 'private', first_name: 'Ada' };
      updates.push({ update_id: nextUpdate, message: { message_id: nextUpdate, date, chat, from, text } });
      nextUpdate += 1;
    },
    migrate: (chatId, to) => {
      const chat = { id: Number(chatId), type: 'group', title: 'Desk' };
      const message = { message_id: nextUpdate, date: 0, chat, migrate_to_chat_id: Number(to) };
      updates.push({ update_id: nextUpdate, message });
      nextUpdate += 1;
    },
    insteadOfUpdates: (body) => {
      instead = body;
    },
    hangUp: () => server.closeAllConnections(),
    askedForUpdates,
    shown,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function behave(behaviour: Behaviour, reply: ServerResponse, messageId: number): void {
  if (behaviour === 'stall') return;
  if (behaviour === 'take_and_hang_up') reply.destroy();
  else if (behaviour === 'garbage') reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  else if (behaviour === 'take') {
    const result = { message_id: messageId, date: 0, chat: { id: 42, type: 'private', first_name: 'Ada' }, text: '' };
    answer(reply, 200, { ok: true, result });
  } else if ('redirectTo' in behaviour) reply.writeHead(302, { location: behaviour.redirectTo }).end();
  else {
    const { code, description, retryAfter, movedTo } = behaviour;
    const reported = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
    const parameters = movedTo === undefined ? reported : { parameters: { migrate_to_chat_id: movedTo } };
    answer(reply, code, { ok: false, error_code: code, description, ...parameters });
  }
}

function answer(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
