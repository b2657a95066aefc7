import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../../platform/audit/table.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { retryNotification } from '../change.ts';
import { switchSending } from '../switches.ts';
import { openOutbox, SOMEBODY, WEB_URL } from './outbox.fixture.ts';
import { sendNext } from './send-next.ts';

const UNREACHED = { code: 500, description: 'Internal Server Error' };

describe('notifications by Telegram', () => {
  it('are sent one after the other, in order, about one a second', async () => {
    await using outbox = await openOutbox();
    for (const message of ['first', 'second', 'third']) await outbox.record(message);
    expect(await outbox.send()).toBe(0);
    expect(await outbox.send()).toBe(1000);
    expect(outbox.telegram.asked).toHaveLength(1);
    await outbox.drain();
    expect(outbox.telegram.delivered.map(({ text }) => text)).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
      expect.stringContaining('third'),
    ]);
    const sentAt = (await outbox.rows()).map((row) => row.sentAt ?? 0);
    expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 1000, 2000]);
    expect(await outbox.rows()).toMatchObject(Array(3).fill({ status: 'sent', attempts: 1, errorMessage: null }));
  });

  it('are sent once where two processes send at the same time', async () => {
    await using outbox = await openOutbox();
    for (let number = 0; number < 6; number += 1) await outbox.record(`number ${number}`);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([outbox.send(), outbox.send(), outbox.send()]);
      await outbox.test.time.advance(1000);
    }
    const texts = outbox.telegram.asked.map(({ text }) => /number \d/.exec(text)?.[0]);
    expect(texts).toEqual([0, 1, 2, 3, 4, 5].map((number) => `number ${number}`));
  });

  it.each([
    ['before it left', 'message_claimed', 0],
    ['after Telegram took it', 'message_answered', 1],
  ] as const)('are not sent a second time by themselves when the process dies %s', async (_, point, delivered) => {
    await using outbox = await openOutbox();
    const { runtime, time } = outbox.test;
    const id = await outbox.record('Only once');
    await outbox.record('The next one');
    await expect(sendNext(dyingAt(runtime, point), WEB_URL)).rejects.toThrow('died');
    expect((await outbox.rows())[0]).toMatchObject({ status: 'pending', attempts: 1 });

    expect(await outbox.send()).toBe(30_000);
    await time.advance(30_000);
    await outbox.drain();
    expect(outbox.telegram.delivered).toHaveLength(delivered + 1);
    expect((await outbox.rows()).map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['failed', expect.stringMatching(/^It is not known whether this was sent/)],
      ['sent', null],
    ]);
    // That is a person's choice.
    await retryNotification(runtime, id, SOMEBODY);
    await outbox.drain();
    expect(outbox.telegram.delivered).toHaveLength(delivered + 2);
    expect((await outbox.rows())[0]).toMatchObject({ status: 'sent', attempts: 2 });
  });
});

describe('notifications that do not get through at once', () => {
  it('are tried five times, further and further apart, and wait for each other', async () => {
    await using outbox = await openOutbox();
    const id = await outbox.record('Not taken');
    await outbox.record('The next one');
    outbox.telegram.next(...Array(5).fill(UNREACHED));
    const waits: (number | null)[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await outbox.send();
      const inMs = await outbox.send();
      waits.push(inMs);
      await outbox.test.time.advance(inMs ?? 0);
    }
    expect(waits).toEqual([2000, 10_000, 60_000, 300_000, 30_000]);
    const reason = 'Telegram: 500 Internal Server Error';
    expect(await outbox.rows()).toMatchObject([
      { status: 'failed', attempts: 5, errorMessage: reason },
      { attempts: 0 },
    ]);
    await retryNotification(outbox.test.runtime, id, SOMEBODY);
    await outbox.drain();
    expect(await outbox.rows()).toMatchObject([
      { status: 'sent', attempts: 6 },
      { status: 'sent', attempts: 1 },
    ]);
  });

  it.each([
    [400, 'Bad Request: chat not found'],
    [401, 'Unauthorized'],
    [403, 'Forbidden: bot was kicked from the supergroup chat'],
    [404, 'Not Found'],
  ])('fail at once where Telegram will never take them: %i %s, and hold up nothing else', async (code, description) => {
    await using outbox = await openOutbox();
    for (const message of ['refused', 'refused too', 'fine']) await outbox.record(message);
    outbox.telegram.next({ code, description }, { code, description });
    const waits: (number | null)[] = [];
    for (let round = 0; round < 3; round += 1) {
      await outbox.send();
      waits.push(await outbox.send());
      await outbox.test.time.advance(1000);
    }
    expect(waits).toEqual([1000, 1000, 1000]);
    const refused = { status: 'failed', attempts: 1, errorMessage: `Telegram: ${code} ${description}` };
    expect(await outbox.rows()).toMatchObject([refused, refused, { status: 'sent', errorMessage: null }]);
  });

  it('rest all together for as long as Telegram asks, which is not a failed try', async () => {
    await using outbox = await openOutbox();
    for (const message of ['first', 'second']) await outbox.record(message);
    const pause = { code: 429, description: 'Too Many Requests: retry after 40', retryAfter: 40 };
    outbox.telegram.next(...Array(6).fill(pause));
    for (let round = 0; round < 6; round += 1) {
      await outbox.send();
      expect(await outbox.send()).toBe(40_000);
      await outbox.test.time.advance(40_000);
    }
    expect(outbox.telegram.asked).toHaveLength(6);
    await outbox.drain();
    expect(await outbox.rows()).toMatchObject([{ status: 'sent', attempts: 7 }, { status: 'sent' }]);
  });

  it('fail, and are not sent again by themselves, where Telegram refuses or falls silent', async () => {
    await using outbox = await openOutbox();
    for (const message of ['refused', 'unknown', 'fine']) await outbox.record(message);
    outbox.telegram.next({ code: 403, description: 'Forbidden: bot was blocked by the user' }, 'take_and_hang_up');
    await outbox.drain();
    expect((await outbox.rows()).map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['failed', 'Telegram: 403 Forbidden: bot was blocked by the user'],
      [
        'failed',
        expect.stringMatching(/^Telegram did not say whether it took the message: .* not sent again by itself/),
      ],
      ['sent', null],
    ]);
    expect(outbox.telegram.asked).toHaveLength(3);
  });

  it('wait while sending is switched off, and not for ever', async () => {
    await using outbox = await openOutbox();
    const { runtime, time } = outbox.test;
    await outbox.record('of yesterday');
    await switchSending(runtime, { enabled: false }, SOMEBODY);
    await time.advance(24 * 3_600_000);
    await outbox.record('of today');
    expect(await outbox.send()).toBeNull();
    expect((await outbox.rows()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    await switchSending(runtime, { enabled: true }, SOMEBODY);
    await outbox.drain();
    expect((await outbox.rows()).map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
      ['failed', 'Not sent: it had waited for more than 24 hours.'],
      ['sent', null],
    ]);
  });
});

/** A process that ends there: nothing of it runs on. */
function dyingAt(runtime: Runtime, point: Parameters<Runtime['pass']>[0]): Runtime {
  const pass: Runtime['pass'] = (passed) => {
    if (passed === point) throw new Error('died');
  };
  return { ...runtime, pass };
}

it('goes on in the supergroup that its group has become, which is recorded', async () => {
  await using outbox = await openOutbox();
  const { runtime } = outbox.test;
  outbox.telegram.next({ code: 400, description: 'Bad Request: group chat was upgraded', movedTo: -1001 });
  await outbox.record('It rose');
  await outbox.drain();
  expect(outbox.telegram.delivered.map(({ chatId }) => chatId)).toEqual(['-1001']);
  expect((await outbox.rows()).map(({ status }) => status)).toEqual(['sent']);
  const [entry] = await runtime.db.select().from(auditLog).where(eq(auditLog.actor, 'system'));
  expect(entry).toMatchObject({
    action: 'notifications.configured',
    before: { chat_id: '42' },
    after: { chat_id: '-1001' },
  });
});
