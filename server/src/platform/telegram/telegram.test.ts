import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatMessage, ChatOutcome } from '../runtime/chat.ts';
import { markedChat } from './marked-chat.ts';
import { openTelegram } from './telegram.ts';
import { openTelegramServer, TEST_TOKEN, type TelegramServer } from './telegram-server.fixture.ts';

/** Shorter than any answer that never comes. */
const SOON_MS = 150;

const MESSAGE: ChatMessage = { token: TEST_TOKEN, chatId: '42', html: '<b>Hello</b>', buttons: [] };
const OPEN = { label: 'Open', url: 'https://desk.example/batches' };
const MUTE = { label: 'Mute 1 h', data: 'mute:1' };

let server: TelegramServer;
beforeEach(async () => {
  server = await openTelegramServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const send = (message: Partial<ChatMessage> = {}) => openTelegram(server.root).send({ ...MESSAGE, ...message });

describe('a message for Telegram', () => {
  it('arrives with its text and its buttons', async () => {
    expect(await send({ buttons: [OPEN, MUTE] })).toEqual({ kind: 'sent' });
    const buttons = [
      { text: 'Open', url: OPEN.url },
      { text: 'Mute 1 h', callback_data: 'mute:1' },
    ];
    expect(server.delivered).toEqual([{ token: TEST_TOKEN, chatId: '42', text: '<b>Hello</b>', buttons }]);
  });

  it('says in its first line that it is of paper trading, with the fill model', async () => {
    const chat = openTelegram(server.root);
    await markedChat(chat, { paper: { fills: 'survival', upstream: 'real' } }).send(MESSAGE);
    await markedChat(chat, { paper: null }).send(MESSAGE);
    const mark = '<b>PAPER: no real money, orders are filled by the model survival</b>';
    expect(server.delivered.map(({ text }) => text)).toEqual([`${mark}\n\n<b>Hello</b>`, '<b>Hello</b>']);
  });

  it('goes without its buttons where Telegram does not like them', async () => {
    server.next({ code: 400, description: 'Bad Request: BUTTON_URL_INVALID' });
    expect(await send({ buttons: [OPEN] })).toEqual({ kind: 'sent' });
    expect(server.delivered).toMatchObject([{ text: '<b>Hello</b>', buttons: [] }]);
  });

  it.each<[string, Parameters<TelegramServer['next']>[0], ChatOutcome]>([
    ['a pause', { code: 429, description: 'Too Many Requests: retry after 7', retryAfter: 7 }, slowDown(7)],
    ['a failure of its own', { code: 500, description: 'Internal Server Error' }, notSent()],
    ['a refusal of the message', { code: 400, description: "Bad Request: can't parse entities" }, refused()],
    ['a refusal of the token', { code: 401, description: 'Unauthorized' }, refused()],
    ['a chat that it does not know', { code: 400, description: 'Bad Request: chat not found' }, refused()],
    [
      'a chat that has shut it out',
      { code: 403, description: 'Forbidden: bot was kicked from the group chat' },
      refused(),
    ],
    ['a bot that there is none of', { code: 404, description: 'Not Found' }, refused()],
    ['an answer that is none', 'garbage', unknown()],
    ['an address elsewhere, which is not followed', { redirectTo: 'http://127.0.0.1:1/' }, unknown()],
    ['nothing, having taken it', 'take_and_hang_up', unknown()],
  ])('that Telegram answers with %s', async (_, behaviour, outcome) => {
    server.next(behaviour);
    expect(await send()).toEqual(outcome);
    expect(server.asked).toHaveLength(1);
  });

  it('is unknown once no answer has come in time', async () => {
    server.next('stall');
    expect(await openTelegram(server.root, SOON_MS).send(MESSAGE)).toEqual(unknown());
  });

  it('certainly did not leave where no server listens', async () => {
    const root = await rootOfNoServer();
    expect(await openTelegram(root).send(MESSAGE)).toEqual(notSent());
  });

  it('never says the token, whatever goes wrong', async () => {
    server.next({ code: 404, description: 'Not Found' }, 'garbage', 'take_and_hang_up');
    const outcomes = [await send(), await send(), await send()];
    const unanswered = openTelegram(await rootOfNoServer());
    outcomes.push(await unanswered.send(MESSAGE));
    const unavailable = await unanswered.updates(TEST_TOKEN, null, 100).catch((error: unknown) => error);
    expect(unavailable).toBeInstanceOf(Error);
    const said =
      JSON.stringify(outcomes) + (unavailable instanceof Error ? unavailable.message + unavailable.stack : '');
    for (const part of TEST_TOKEN.split(':')) expect(said).not.toContain(part);
  });
});

it('tells which buttons were pressed since', async () => {
  const chat = openTelegram(server.root);
  expect(await chat.updates(TEST_TOKEN, null, 100)).toEqual({ presses: [], texts: [], moves: [], last: null });
  server.press('mute:1');
  server.press('mute:2', '-100');
  const first = await chat.updates(TEST_TOKEN, null, 100);
  expect(first).toMatchObject({
    presses: [
      { data: 'mute:1', chatIds: ['42'], by: '@ada' },
      { data: 'mute:2', chatIds: ['-100'] },
    ],
    last: 2,
  });
  expect(await chat.updates(TEST_TOKEN, first.last, 100)).toEqual({ presses: [], texts: [], moves: [], last: 2 });
  await chat.acknowledge(TEST_TOKEN, 'press-1', 'Muted');
  expect(server.shown).toEqual(['Muted']);
});

function slowDown(seconds: number): ChatOutcome {
  return { kind: 'slow_down', seconds, reason: expect.stringContaining('429') };
}

function notSent(): ChatOutcome {
  return { kind: 'not_sent', reason: expect.any(String) };
}

function refused(): ChatOutcome {
  return { kind: 'refused', reason: expect.stringMatching(/^Telegram: 40[0134] /) };
}

function unknown(): ChatOutcome {
  return { kind: 'unknown', reason: expect.stringMatching(/^Telegram did not say/) };
}

/** A port that was free a moment ago. */
async function rootOfNoServer(): Promise<string> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
