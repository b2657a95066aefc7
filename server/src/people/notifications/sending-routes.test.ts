import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { openTelegramServer, TEST_TOKEN } from '../../platform/telegram/telegram-server.fixture.ts';
import { readTelegram } from './channel.ts';
import { WEB_URL } from './sending/outbox.fixture.ts';
import { sendNext } from './sending/send-next.ts';
import { notificationChannels } from './table.ts';

const CONFIG = '/notifications/telegram/config';
const OTHER_TOKEN = '987654321:BBanotherTestTokenOfNobody_0123456789';
const SECRETS = [TEST_TOKEN, OTHER_TOKEN].flatMap((token) => token.split(':'));

describe('how notifications are sent, over the API', () => {
  it('is set up by superusers, who never read the token again', async () => {
    await using app = await openTestApp();
    const { headers, user } = await app.signedIn({ isSuperuser: true });
    const set = (changes: object) => ask(app, headers, 'POST', CONFIG, { ...changes });
    const nothing = { configured: false, chat_id: null, enabled: false, mute_user_ids: [], command_user_ids: [] };
    expect(await ask(app, headers, 'GET', CONFIG)).toEqual([200, nothing]);
    expect(await set({ enabled: true })).toEqual([409, { detail: 'Set the bot token and the chat first.' }]);
    expect(await set({ bot_token: TEST_TOKEN })).toEqual([200, nothing]);
    expect(await set({ chat_id: -100123 })).toEqual([
      200,
      { configured: true, chat_id: '-100123', enabled: true, mute_user_ids: [], command_user_ids: [] },
    ]);
    expect(await set({ enabled: false })).toEqual([
      200,
      { configured: true, chat_id: '-100123', enabled: false, mute_user_ids: [], command_user_ids: [] },
    ]);
    expect(await set({ bot_token: OTHER_TOKEN, chat_id: '@desk_news', enabled: true })).toEqual([
      200,
      { configured: true, chat_id: '@desk_news', enabled: true, mute_user_ids: [], command_user_ids: [] },
    ]);
    const status = await ask(app, headers, 'GET', '/notifications/status');
    const on = { telegram: { configured: true, enabled: true } };
    expect(status).toEqual([200, { enabled: true, throttle_seconds: 60, channels: on }]);

    const wrong = await set({ bot_token: `${OTHER_TOKEN}!`, chat_id: 'nobody knows', more: 1 });
    expect(wrong).toMatchObject([422, { detail: [{ loc: ['body', 'bot_token'] }, { loc: ['body', 'chat_id'] }, {}] }]);
    const stored = await app.test.runtime.db.select().from(notificationChannels);
    const audited = await recorded(app, 'telegram');
    expect(audited).toHaveLength(4);
    expect(audited.at(-1)).toMatchObject({
      action: 'notifications.configured',
      actor: user.email,
      before: { chat_id: '-100123', enabled: false },
      after: { chat_id: '@desk_news', enabled: true, bot_token: 'replaced' },
    });
    const seen = JSON.stringify([await ask(app, headers, 'GET', CONFIG), status, wrong, stored, audited]);
    for (const secret of SECRETS) expect(seen).not.toContain(secret);

    const { config, db } = app.test.runtime;
    const elsewhere = { db, config: { ...config, secretKey: 'another secret key of the same product' } };
    expect(await readTelegram(elsewhere)).toMatchObject({ configured: false, chat_id: '@desk_news' });
    expect((await set({ mute_user_ids: [7, 7, 123_456_789_012] }))[1]).toMatchObject({
      mute_user_ids: [7, 123_456_789_012],
    });
    for (const ids of [[0], [1.5], ['7'], 7, Array.from({ length: 51 }, (_, id) => id + 1)])
      expect(await set({ mute_user_ids: ids })).toMatchObject([
        422,
        { detail: [{ msg: 'User IDs must be whole numbers above 0, 50 at most' }] },
      ]);
    await set({ mute_user_ids: [] });
    expect(await set({ bot_token: null })).toEqual([
      200,
      { configured: false, chat_id: '@desk_news', enabled: false, mute_user_ids: [], command_user_ids: [] },
    ]);
  });

  it('is switched off and on, and throttled, by superusers, recorded', async () => {
    await using app = await openTestApp();
    const { headers, user } = await app.signedIn({ isSuperuser: true });
    const change = (query: string) => ask(app, headers, 'POST', `/notifications/global?${query}`);
    const off = { telegram: { configured: false, enabled: false } };
    expect(await change('enabled=false')).toEqual([200, { enabled: false, throttle_seconds: 60, channels: off }]);
    expect(await change('throttle_seconds=5')).toMatchObject([200, { enabled: false, throttle_seconds: 5 }]);
    expect(await change('enabled=true&throttle_seconds=0')).toMatchObject([
      200,
      { enabled: true, throttle_seconds: 0 },
    ]);
    for (const wrong of ['enabled=maybe', 'throttle_seconds=-1', 'throttle_seconds=86401', 'throttle_seconds=x'])
      expect((await change(wrong))[0]).toBe(422);
    const [, { data }] = await ask(app, headers, 'GET', '/audit-log/?action=notifications.switched');
    expect(data).toMatchObject([
      { actor: user.email, before: { enabled: false }, after: { enabled: true, throttle_seconds: 0 } },
      { before: { throttle_seconds: 60 }, after: { throttle_seconds: 5 } },
      { before: { enabled: true }, after: { enabled: false } },
    ]);
    const ordinary = await app.signedIn();
    expect((await ask(app, ordinary.headers, 'POST', '/notifications/global?enabled=false'))[0]).toBe(403);
    expect((await ask(app, ordinary.headers, 'GET', '/notifications/status'))[0]).toBe(200);
  });

  it('is tried with a message, which goes the way of all', async () => {
    await using telegram = await openTelegramServer();
    await using app = await openTestApp({ variables: { TELEGRAM_API_ROOT: telegram.root } });
    const { headers } = await app.signedIn({ isSuperuser: true });
    await ask(app, headers, 'POST', CONFIG, { bot_token: TEST_TOKEN, chat_id: '42' });
    const tried = await ask(app, headers, 'POST', '/notifications/test', { message: 'Does <this> arrive?' });
    const pending = { notification_type: 'test', message: 'Does <this> arrive?', status: 'pending', attempts: 0 };
    expect(tried).toMatchObject([200, { ...pending, opportunity_id: null, sent_at: null, data: {} }]);
    const id = String(tried[1].id);
    expect(await recorded(app, id)).toMatchObject([{ action: 'notifications.tested' }]);
    expect(await ask(app, headers, 'POST', '/notifications/test')).toMatchObject([200, { status: 'pending' }]);
    expect((await ask(app, headers, 'POST', '/notifications/test', { message: '' }))[0]).toBe(422);
    await sendNext(app.test.runtime, WEB_URL);
    expect(telegram.delivered).toMatchObject([
      { token: TEST_TOKEN, chatId: '42', text: expect.stringContaining('Does &lt;this&gt; arrive?') },
    ]);
    expect(await ask(app, headers, 'GET', `/notifications/records/${id}`)).toMatchObject([
      200,
      { status: 'sent', attempts: 1, sent_at: expect.any(String) },
    ]);
  });
});
