import { instantToIso } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../../platform/database/database.ts';
import { recorded } from '../../../platform/http/ask.fixture.ts';
import { configureTelegram } from '../channel.ts';
import { switchSending } from '../switches.ts';
import { notifications } from '../table.ts';
import { NO_COMMANDS, openOutbox, SOMEBODY, WEB_URL } from './outbox.fixture.ts';
import { sendNext } from './send-next.ts';
import { answerUpdates } from './updates.ts';

const OPPORTUNITY = '00000000-0000-4000-8000-000000000001';
const ANOTHER = '00000000-0000-4000-8000-000000000002';
const MINUTE_MS = 60_000;

describe('what is sent of one topic', () => {
  it('is sent once in the time that was set, what comes in between together', async () => {
    await using outbox = await openOutbox(60);
    const { telegram, test } = outbox;
    await outbox.record('It rose', { opportunityId: OPPORTUNITY });
    await outbox.drain();
    await outbox.record('It rose again', { opportunityId: OPPORTUNITY });
    await outbox.record('Another rose', { opportunityId: ANOTHER });
    await outbox.record('It is in error', { opportunityId: OPPORTUNITY, type: 'opportunity_error' });
    await outbox.record('It rose a third time', { opportunityId: OPPORTUNITY });
    await test.time.advance(1000);
    await outbox.send();
    await test.time.advance(1000);
    await outbox.send();
    expect(telegram.delivered.slice(1).map(({ text }) => text)).toEqual([
      expect.stringContaining('Another rose'),
      expect.stringContaining('It is in error'),
    ]);
    await test.time.advance(1000);
    const inMs = (await outbox.send()) ?? 0;
    expect(inMs).toBeGreaterThan(50_000);
    await test.time.advance(inMs - 1);
    expect(await outbox.send()).toBe(1);
    await outbox.drain();
    expect(telegram.delivered).toHaveLength(4);
    expect(telegram.delivered[3]?.text).toMatch(/2 notifications.*It rose again.*It rose a third time/s);
    expect((await outbox.rows()).every(({ status }) => status === 'sent')).toBe(true);
  });

  it('is sent at once, each time, when the channel is tried', async () => {
    await using outbox = await openOutbox(60);
    for (const message of ['one', 'two']) await outbox.record(message, { type: 'test' });
    await outbox.drain();
    expect(outbox.telegram.delivered).toHaveLength(2);
  });

  it('is muted for an hour by a button under its message, pressed in its own chat, recorded', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    const { runtime, time } = test;
    const id = await outbox.record('It rose', { opportunityId: OPPORTUNITY });
    await outbox.drain();
    const pressed = telegram.delivered[0]?.buttons.find(({ text }) => text === 'Mute 1 h')?.callback_data ?? '';
    telegram.press(pressed, '666');
    await answerUpdates(runtime, NO_COMMANDS);
    expect(await recorded({ test }, id)).toEqual([]);
    telegram.press(pressed);
    await time.advance(5000);
    await answerUpdates(runtime, NO_COMMANDS);
    await time.advance(5000);
    await answerUpdates(runtime, NO_COMMANDS);
    expect(telegram.shown).toEqual(['This chat is not the one that notifications go to.', 'Muted for 1 hour.']);
    expect(await recorded({ test }, id)).toMatchObject([
      { action: 'notifications.muted', actor: null, address: 'telegram @ada', after: { opportunity_id: OPPORTUNITY } },
    ]);
    await outbox.record('It rose again', { opportunityId: OPPORTUNITY });
    await outbox.record('Another rose', { opportunityId: ANOTHER });
    await outbox.send();
    await time.advance(1000);
    expect(await outbox.send()).toBe(60 * MINUTE_MS - 6000);
    expect(telegram.delivered.map(({ text }) => text)).toEqual([
      expect.stringContaining('It rose'),
      expect.stringContaining('Another rose'),
    ]);
    await outbox.drain();
    expect(telegram.delivered[2]?.text).toContain('It rose again');
  });

  it('is muted only by those who may, and never where it is of the kill switch or of leg risk', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    const { runtime, time } = test;
    const press = async (id: string, userId: number) => {
      telegram.press(`mute:${id}`, '42', userId);
      await time.advance(5000);
      await answerUpdates(runtime, NO_COMMANDS);
      return telegram.shown.at(-1);
    };
    const rose = await outbox.record('It rose', { opportunityId: OPPORTUNITY });
    const vital = [];
    for (const type of ['kill_switch', 'leg_risk'] as const)
      vital.push(await outbox.record('Look at this', { type, opportunityId: OPPORTUNITY }));
    await outbox.drain();
    expect(telegram.delivered.map(({ buttons }) => buttons.some(({ text }) => text === 'Mute 1 h'))).toEqual([
      true,
      false,
      false,
    ]);
    const refusal = 'You may not mute. A superuser may add your Telegram user ID 8 to the channel.';
    expect(await press(rose, 8)).toBe(refusal);
    for (const id of vital) expect(await press(id, 7)).toBe('Notifications of this type cannot be muted.');
    await configureTelegram(runtime, { mute_user_ids: [] }, SOMEBODY);
    expect(await press(rose, 7)).toMatch('You may not mute.');
    for (const id of [rose, ...vital]) expect(await recorded({ test }, id)).toEqual([]);
    await outbox.record('It rose again', { opportunityId: OPPORTUNITY });
    await outbox.drain();
    expect(telegram.delivered.at(-1)?.buttons.some(({ text }) => text === 'Mute 1 h')).toBe(false);
  });

  it('comes in few messages when very much waits, in order and at the same pace', async () => {
    await using outbox = await openOutbox(60);
    const { test, telegram } = outbox;
    const { db, clock } = test.runtime;
    const count = 3000;
    const startedAt = clock.now();
    await db.execute(sql`insert into notifications (id, opportunity_id, notification_type, message, status, created_at, updated_at, data)
      select gen_random_uuid(), gen_random_uuid(), 'opportunity_triggered', 'number ' || n || '.', 'pending',
        ${instantToIso(startedAt)}, ${instantToIso(startedAt)}, '{}'
      from generate_series(0, ${count - 1}) as n order by n`);
    await outbox.drain();
    const messages = count / 500;
    expect(telegram.delivered).toHaveLength(messages);
    expect(clock.now() - startedAt).toBe(messages * 1000);
    const first = telegram.delivered.map(({ text }) => Number(/number (\d+)\./.exec(text)?.[1]));
    expect(first).toEqual(Array.from({ length: messages }, (_, index) => index * 500));
    for (const { text } of telegram.delivered) expect(text.length).toBeLessThanOrEqual(4096);
    const found = await db
      .select({ attempts: notifications.attempts, status: notifications.status, count: sql`count(*)`.mapWith(Number) })
      .from(notifications)
      .groupBy(notifications.attempts, notifications.status);
    expect(found).toEqual([{ attempts: 1, status: 'sent', count }]);
  });
});

describe('what one process mutes or switches off', () => {
  it('is not sent by another that has been sending until then, from the next message on', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    const { runtime, time } = test;
    const { connectionString } = runtime.queueOptions;
    const { close, ...reached } = await openPostgres(connectionString, time.timers, runtime.log);
    const other = { ...runtime, ...reached };
    const sendThere = async () => {
      await time.advance(1000);
      await sendNext(other, WEB_URL);
      return telegram.delivered.map(({ text }) => /first|second|third|fourth/.exec(text)?.[0]);
    };
    await outbox.record('first', { opportunityId: OPPORTUNITY });
    expect(await sendThere()).toEqual(['first']);

    telegram.press(telegram.delivered[0]?.buttons.find(({ text }) => text === 'Mute 1 h')?.callback_data ?? '');
    await answerUpdates(runtime, NO_COMMANDS);
    expect(telegram.shown).toEqual(['Muted for 1 hour.']);
    await outbox.record('second', { opportunityId: OPPORTUNITY });
    await outbox.record('third', { opportunityId: ANOTHER });
    expect(await sendThere()).toEqual(['first', 'third']);
    expect(await sendThere()).toEqual(['first', 'third']);

    await switchSending(runtime, { enabled: false }, SOMEBODY);
    await outbox.record('fourth', { opportunityId: ANOTHER });
    expect(await sendThere()).toEqual(['first', 'third']);
    await switchSending(other, { enabled: true }, SOMEBODY);
    await time.advance(1000);
    await outbox.send();
    expect(telegram.delivered.at(-1)?.text).toContain('fourth');
    await close();
  });
});
