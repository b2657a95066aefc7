import { describe, expect, it } from 'vitest';
import { configureTelegram } from '../channel.ts';
import { switchSending } from '../switches.ts';
import { NO_COMMANDS, type Outbox, openOutbox, SOMEBODY } from './outbox.fixture.ts';
import { answerUpdates } from './updates.ts';

const OPPORTUNITY = '00000000-0000-4000-8000-000000000001';
const PAUSE = { code: 429, description: 'Too Many Requests: retry after 40', retryAfter: 40 };

/** What is said of each that waits, by its message. */
async function said({ rows }: Outbox): Promise<Record<string, string | null>> {
  const waiting = (await rows()).filter(({ status }) => status === 'pending');
  return Object.fromEntries(waiting.map(({ message, errorMessage }) => [message, errorMessage]));
}

describe('a notification that waits says until when, and why', () => {
  it('while the channel rests, also where it was recorded after that began', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    for (const message of ['first', 'second']) await outbox.record(message);
    telegram.next(PAUSE);
    await outbox.send();
    await test.time.advance(5000);
    await outbox.record('later');
    expect(await outbox.send()).toBe(35_000);
    const until = 'Waits until 2026-01-01T00:00:40.000Z. Telegram: 429 Too Many Requests: retry after 40';
    expect(await said(outbox)).toEqual({ first: until, second: until, later: until });
    await outbox.drain();
    expect(await outbox.rows()).toMatchObject(Array(3).fill({ status: 'sent', errorMessage: null }));
  });

  it('while its topic is throttled, until another moment once the pace is another', async () => {
    await using outbox = await openOutbox(60);
    const { test } = outbox;
    await outbox.record('It rose', { opportunityId: OPPORTUNITY });
    await outbox.drain();
    await outbox.record('It rose again', { opportunityId: OPPORTUNITY });
    await outbox.record('Another');
    await outbox.send();
    expect(await said(outbox)).toEqual({
      'It rose again': 'Waits until 2026-01-01T00:01:00.000Z. 60 seconds pass between two messages about the same.',
    });
    await switchSending(test.runtime, { throttle_seconds: 90 }, SOMEBODY);
    await test.time.advance(1000);
    await outbox.send();
    expect(await said(outbox)).toEqual({
      'It rose again': 'Waits until 2026-01-01T00:01:30.000Z. 90 seconds pass between two messages about the same.',
    });
    await outbox.drain();
    expect((await outbox.rows()).map(({ status, errorMessage }) => [status, errorMessage])).toEqual(
      Array(3).fill(['sent', null]),
    );
  });

  it('while its topic is muted, which outlasts a pause of the channel', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    await outbox.record('It rose', { opportunityId: OPPORTUNITY });
    await outbox.drain();
    telegram.press(telegram.delivered[0]?.buttons.find(({ text }) => text === 'Mute 1 h')?.callback_data ?? '');
    await answerUpdates(test.runtime, NO_COMMANDS);
    await test.time.advance(1000);
    await outbox.record('It rose again', { opportunityId: OPPORTUNITY });
    await outbox.record('Another');
    telegram.next(PAUSE);
    await outbox.send();
    await outbox.send();
    expect(await said(outbox)).toEqual({
      'It rose again': 'Waits until 2026-01-01T01:00:01.000Z. Muted in the chat.',
      Another: 'Waits until 2026-01-01T00:00:42.000Z. Telegram: 429 Too Many Requests: retry after 40',
    });
  });

  it('but not once sending is off for an unknown time', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    for (const off of [
      () => switchSending(test.runtime, { enabled: false }, SOMEBODY),
      () => configureTelegram(test.runtime, { enabled: false }, SOMEBODY),
    ]) {
      await switchSending(test.runtime, { enabled: true }, SOMEBODY);
      await configureTelegram(test.runtime, { enabled: true }, SOMEBODY);
      await outbox.record('first');
      telegram.next(PAUSE);
      await outbox.send();
      await outbox.send();
      expect((await said(outbox)).first).toMatch(/^Waits until/);
      await off();
      expect(await said(outbox)).toEqual({ first: null });
      await switchSending(test.runtime, { enabled: true }, SOMEBODY);
      await configureTelegram(test.runtime, { enabled: true }, SOMEBODY);
      await outbox.drain();
    }
  });
});
