import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { configureTelegram } from '../people/notifications/channel.ts';
import { type Outbox, openOutbox, SOMEBODY } from '../people/notifications/sending/outbox.fixture.ts';
import { answerUpdates } from '../people/notifications/sending/updates.ts';
import { auditLog } from '../platform/audit/table.ts';
import { DatabaseDown } from '../platform/database/database-down.ts';
import { recordedBatch } from '../trading/execution/runner/runner.fixture.ts';
import { batchOrders } from '../trading/orders/table.ts';
import { disarm } from '../trading/trading-controls/arming.ts';
import { openTradingControls } from '../trading/trading-controls/controls.ts';
import { tradingControls } from '../trading/trading-controls/table.ts';
import { chatCommands } from './commands.ts';

const GROUP = '42';

/** A desk whose channel lists user 7, armed, with what a test says to the bot. */
async function openChat({ alsoAt = [] }: { alsoAt?: VenueName[] } = {}) {
  const outbox = await openOutbox();
  const { time } = outbox.test;
  const database = { stores: true };
  const stops = new Proxy(outbox.test.runtime.db, {
    get: (db, name) =>
      name === 'transaction' && !database.stores
        ? () => Promise.reject(new DatabaseDown('it is away'))
        : Reflect.get(db, name),
  });
  const runtime = { ...outbox.test.runtime, dbFor: { ...outbox.test.runtime.dbFor, stops } };
  await configureTelegram(runtime, { command_user_ids: [7] }, SOMEBODY);
  const controls = await openTradingControls(runtime, 'polymarket');
  const others = await Promise.all(alsoAt.map((venue) => openTradingControls(runtime, venue, VENUE_LABELS[venue])));
  await runtime.db.update(tradingControls).set({ armed: true });
  const all = [controls, ...others];
  for (const each of all) await each.refresh();
  const commands = chatCommands(runtime, { controls: all, feed: () => 'live' });
  const ask = async () => {
    await time.advance(5000);
    await answerUpdates(runtime, commands);
  };
  const said = () => outbox.telegram.delivered.map(({ chatId, text }) => `${chatId}: ${text}`);
  return {
    ...outbox,
    database,
    controls,
    others,
    ask,
    said,
    write: async (text: string, from: { chatId?: string; userId?: number; agoMs?: number } = {}) => {
      const { agoMs = 0, ...whom } = from;
      outbox.telegram.write(text, { ...whom, date: Math.floor((runtime.clock.now() - agoMs) / 1000) });
      await ask();
      return said().at(-1);
    },
    [Symbol.asyncDispose]: async () => {
      await controls.stop();
      await outbox[Symbol.asyncDispose]();
    },
  };
}

const actionsOf = async ({ test }: Pick<Outbox, 'test'>) => {
  const entries = await test.runtime.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'trading.disarmed'))
    .orderBy(auditLog.seq);
  return entries.map(({ address }) => address);
};

it('says how the desk stands and what it holds, to those who are listed, in its chat or alone with the bot', async () => {
  await using chat = await openChat();
  const { db } = chat.test.runtime;
  expect(await chat.write('/status')).toMatch(
    /^42: Simulated exchange: trading is armed, feed live\.\nOpportunities: 0 active, 0 triggered\.\nBatches: 0 running/,
  );
  expect(await chat.write('/POSITIONS@desk_bot now', { chatId: '7' })).toBe(
    '7: No shares are held.\nOpen exposure: $0.00.',
  );
  await recordedBatch(chat.test);
  await db
    .update(batchOrders)
    .set({ marketName: '<b>Rain</b> & snow?', filledSize: 5_000_000 as never, filledCost: 2_000_000 as never });
  expect(await chat.write('/positions')).toMatch(
    /Held, the largest first:\n10\.00 Yes: &lt;b&gt;Rain&lt;\/b&gt; &amp; snow\?\nOpen exposure: \$/,
  );
});

it('disarms once the user who asked has confirmed it, and leaves an entry that names them', async () => {
  await using chat = await openChat();
  const { telegram, controls } = chat;
  expect(await chat.write('/disarm')).toMatch(/^42: Disarm trading\?/);
  const data = telegram.delivered.at(-1)?.buttons[0]?.callback_data ?? '';
  expect(controls.current().armed).toBe(true);
  telegram.press(data, GROUP, 8);
  await chat.ask();
  expect([telegram.shown.at(-1), controls.current().armed]).toEqual([
    'Only the person who asked can use this button.',
    true,
  ]);
  telegram.press(data, GROUP, 7);
  await chat.ask();
  expect([telegram.shown.at(-1), controls.current().armed]).toEqual(['Trading is disarmed.', false]);
  telegram.press(data, GROUP, 7);
  await chat.ask();
  expect(await actionsOf(chat)).toEqual(['telegram @ada']);
  expect((await chat.rows()).at(-1)?.message).toMatch(/^Trading was disarmed by telegram @ada: /);
  expect(await chat.write('/disarm')).toBe('42: Trading is disarmed already.');
});

it('disarms all venues at once, also where one is disarmed already, and says how each stands', async () => {
  await using chat = await openChat({ alsoAt: ['kalshi'] });
  const { telegram, controls, others, test } = chat;
  await disarm(test.runtime, [controls], { actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' } });
  expect(await chat.write('/status')).toMatch(
    /: trading is armed, feed live\.\nPolymarket: trading is disarmed, feed live\.\nKalshi: trading is armed, feed live\.\n/,
  );
  await chat.write('/disarm');
  telegram.press(telegram.delivered.at(-1)?.buttons[0]?.callback_data ?? '', GROUP, 7);
  await chat.ask();
  expect([telegram.shown.at(-1), ...others.map((each) => each.current().armed)]).toEqual([
    'Trading is disarmed.',
    false,
  ]);
  expect(await chat.write('/disarm')).toBe('42: Trading is disarmed already.');
});

it('halts this process although it cannot be stored yet, and says so to the user who confirmed it', async () => {
  await using chat = await openChat();
  const { telegram, controls, database, test } = chat;
  await chat.write('/disarm');
  database.stores = false;
  telegram.press(telegram.delivered.at(-1)?.buttons[0]?.callback_data ?? '', GROUP, 7);
  await chat.ask();
  expect(telegram.shown.at(-1)).toMatch(
    /halted in this process.*; not stored yet: that follows as soon as the database/,
  );
  expect(controls.current().armed).toBe(false);
  expect(await test.runtime.db.select({ armed: tradingControls.armed }).from(tradingControls)).toEqual([
    { armed: true },
  ]);
  database.stores = true;
  await test.time.advance(2000);
  expect(await test.runtime.db.select({ armed: tradingControls.armed }).from(tradingControls)).toEqual([
    { armed: false },
  ]);
  expect(await actionsOf(chat)).toEqual(['telegram @ada']);
  expect(controls.current().armed).toBe(false);
});

it('answers a command also where many others have written after it', async () => {
  await using chat = await openChat();
  const date = Math.floor(chat.test.runtime.clock.now() / 1000);
  chat.telegram.write('/disarm', { date });
  for (let nth = 0; nth < 30; nth += 1) chat.telegram.write('/disarm', { userId: 8, chatId: '8', date });
  await chat.ask();
  expect(chat.said()).toEqual([expect.stringMatching(/^42: Disarm trading\?/)]);
});

it('answers a command at once behind 600 messages of strangers', async () => {
  await using chat = await openChat();
  const date = Math.floor(chat.test.runtime.clock.now() / 1000);
  for (let nth = 0; nth < 600; nth += 1) chat.telegram.write('hello', { userId: 8, chatId: '8', date });
  chat.telegram.write('/disarm', { date });
  await chat.ask();
  expect(chat.said()).toEqual([expect.stringMatching(/^42: Disarm trading\?/)]);
});

it('answers a command also behind more than one answer of Telegram would hold, as long as texts can be', async () => {
  await using chat = await openChat();
  const date = Math.floor(chat.test.runtime.clock.now() / 1000);
  for (let nth = 0; nth < 60; nth += 1) chat.telegram.write('\u0436'.repeat(4096), { userId: 8, chatId: '8', date });
  chat.telegram.write('/disarm', { date });
  await chat.ask();
  await chat.ask();
  expect(chat.said()).toEqual([expect.stringMatching(/^42: Disarm trading\?/)]);
});

it('answers a command also behind a message that is too long to be read', async () => {
  await using chat = await openChat();
  const { telegram, test } = chat;
  const date = Math.floor(test.runtime.clock.now() / 1000);
  for (const length of [9, 5_000_000, 9, 5_000_000])
    telegram.write('x'.repeat(length), { userId: 8, chatId: '8', date });
  telegram.write('/disarm', { date });
  // On a busy machine one reading may end before it has passed all of them.
  await chat.ask();
  await chat.ask();
  expect(chat.said()).toEqual([expect.stringMatching(/^42: Disarm trading\?/)]);
  expect(telegram.askedForUpdates.length).toBeLessThan(20);
});

it('answers commands before the buttons that strangers press in front of them, of which it answers the last ones', async () => {
  await using chat = await openChat();
  const { telegram, test } = chat;
  for (let nth = 0; nth < 200; nth += 1) telegram.press('mute:1', GROUP, 8);
  telegram.write('/disarm', { date: Math.floor(test.runtime.clock.now() / 1000) });
  telegram.next('stall');
  const first = chat.ask();
  await telegram.untilAsked(1);
  expect([telegram.asked[0]?.text, telegram.shown]).toEqual([expect.stringMatching(/^Disarm trading\?/), []]);
  telegram.hangUp();
  await first;
  expect(telegram.shown).toHaveLength(10);
});

it('gives an answer that is slow once, though the chat is read again meanwhile', async () => {
  await using chat = await openChat();
  const { telegram } = chat;
  telegram.next('stall');
  const first = chat.write('/status');
  await telegram.untilAsked(1);
  await chat.write('/positions');
  expect(telegram.asked.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    'Simulated exchange: trading is armed, feed live.',
    'No shares are held.',
  ]);
  telegram.hangUp();
  await first;
});

it('tells once that the chat cannot be read for a minute, and again only after it could be', async () => {
  await using chat = await openChat();
  const { telegram } = chat;
  const reported = async () =>
    (await chat.rows()).filter(({ notificationType }) => notificationType === 'chat_unreadable');
  const askFor = async (times: number) => {
    for (let time = 0; time < times; time += 1) await chat.ask();
  };
  telegram.insteadOfUpdates(`{"ok":true,"result":[${' '.repeat(5_000_000)}]}`);
  await chat.ask();
  await chat.test.time.advance(50_000);
  await chat.ask();
  expect(await reported()).toEqual([]);
  await askFor(2);
  expect((await reported()).map(({ message }) => message)).toEqual([
    'Nothing that is written or pressed in the chat could be read for a minute, so that /disarm does nothing there: Telegram: The answer is too long.',
  ]);
  telegram.insteadOfUpdates(null);
  expect(await chat.write('/status')).toMatch(/trading is armed/);
  telegram.insteadOfUpdates('<h1>Bad gateway</h1>');
  await chat.ask();
  await chat.test.time.advance(50_000);
  await askFor(3);
  expect((await reported()).length).toBe(2);
});

it('answers in the supergroup that its group has become, and listens to it', async () => {
  await using chat = await openChat();
  const { telegram, test } = chat;
  const moves = async () => {
    const entries = await test.runtime.db.select().from(auditLog).where(eq(auditLog.actor, 'system'));
    return entries.map(({ after }) => after);
  };
  telegram.next({ code: 400, description: 'Bad Request: group chat was upgraded', movedTo: -1001 });
  expect(await chat.write('/status')).toMatch(/^-1001: Simulated exchange/);
  expect(await moves()).toEqual([{ chat_id: '-1001' }]);
  telegram.migrate('-1001', '-1002');
  telegram.migrate('-5', '-6');
  expect(await chat.write('/positions', { chatId: '-1002' })).toMatch(/^-1002: No shares are held/);
  expect(await moves()).toEqual([{ chat_id: '-1001' }, { chat_id: '-1002' }]);
});

it('does not disarm by a button that is a minute old, nor for a person who is not listed any more', async () => {
  await using chat = await openChat();
  const { telegram, controls, test } = chat;
  await chat.write('/disarm');
  const data = telegram.delivered.at(-1)?.buttons[0]?.callback_data ?? '';
  await test.time.advance(60_000);
  telegram.press(data);
  await chat.ask();
  expect(telegram.shown.at(-1)).toBe('Too late: send /disarm again.');
  await chat.write('/disarm');
  await configureTelegram(test.runtime, { command_user_ids: [] }, SOMEBODY);
  telegram.press(telegram.delivered.at(-1)?.buttons[0]?.callback_data ?? '');
  // A message was sent a moment ago, so buttons are still asked for.
  await outboxSent(chat);
  await chat.ask();
  expect(telegram.shown.at(-1)).toBe('Only the person who asked can use this button.');
  expect(controls.current().armed).toBe(true);
});

async function outboxSent(chat: Outbox): Promise<void> {
  await chat.record('It rose');
  await chat.drain();
}

it('answers no other user, nothing else, and nothing that is old', async () => {
  await using chat = await openChat();
  const { test } = chat;
  for (const [text, from] of [
    ['/status', { userId: 8 }],
    ['/status', { chatId: '666' }],
    ['/statusquo', {}],
    ['status', {}],
    ['/arm', {}],
    ['/disarm\u0000yes'.repeat(100), { userId: 9 }],
  ] as const) {
    await chat.write(text, from);
    expect([text, chat.said()]).toEqual([text, []]);
  }
  expect(await chat.write('/disarm', { agoMs: 120_000 })).toMatch(
    /was sent more than a minute ago and is not answered/,
  );
  // Read once, it is not read again.
  await chat.ask();
  expect(chat.said()).toHaveLength(1);
  await configureTelegram(test.runtime, { command_user_ids: [] }, SOMEBODY);
  await chat.write('/status');
  expect(chat.said()).toHaveLength(1);
});

it('goes on where it was when Telegram does not answer', async () => {
  await using chat = await openChat();
  chat.telegram.next({ code: 500, description: 'Internal Server Error' });
  await chat.write('/status');
  expect(chat.said()).toEqual([]);
  expect(await chat.write('/positions')).toMatch(/No shares are held/);
});
