import { describe, expect, it, vi } from 'vitest';
import { configureTelegram } from '../channel.ts';
import { switchSending } from '../switches.ts';
import { NO_COMMANDS, type Outbox, openOutbox, SOMEBODY, WEB_URL } from './outbox.fixture.ts';
import { startSending } from './sending-job.ts';

/** Time passes, and what falls due in it is done, until so many have arrived. */
function untilDelivered({ telegram, test }: Outbox, count: number): Promise<void> {
  return vi.waitFor(async () => {
    await test.time.advance(1000);
    expect(telegram.delivered).toHaveLength(count);
  }, 60_000);
}

/** What the product's own clock says of each: from being recorded to being sent. */
async function waits({ rows }: Outbox): Promise<(number | null)[]> {
  return (await rows()).map(({ sentAt, createdAt }) => (sentAt === null ? null : sentAt - createdAt));
}

describe('the job that sends notifications', () => {
  it('sends what waited, and at once what comes up, once, in whichever of two processes', async () => {
    await using outbox = await openOutbox();
    const { runtime } = outbox.test;
    await outbox.record('while nothing ran');
    const stops = [
      startSending(runtime, () => WEB_URL, NO_COMMANDS),
      startSending(runtime, () => WEB_URL, NO_COMMANDS),
    ];
    await untilDelivered(outbox, 1);
    for (const message of ['second', 'third', 'fourth']) await outbox.record(message);
    await untilDelivered(outbox, 4);
    await vi.waitFor(async () => {
      expect(await outbox.rows()).toMatchObject(Array(4).fill({ status: 'sent', attempts: 1 }));
    }, 60_000);
    expect(outbox.telegram.asked).toHaveLength(4);

    await configureTelegram(runtime, { enabled: false }, SOMEBODY);
    await outbox.record('while it was off');
    await outbox.test.time.advance(60_000);
    expect(outbox.telegram.asked).toHaveLength(4);
    await configureTelegram(runtime, { enabled: true }, SOMEBODY);
    await untilDelivered(outbox, 5);
    for (const stop of stops) await stop();
  });

  it('loses no wake-up, though another process begins and ends while a message is under way', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    const { runtime, time } = test;
    const stop = startSending(runtime, () => WEB_URL, NO_COMMANDS);
    telegram.next('stall');
    await outbox.record('without an answer');
    await telegram.untilAsked(1);
    const stopOther = startSending(runtime, () => WEB_URL, NO_COMMANDS);
    await outbox.record('under way');
    await stop();
    await time.advance(30_000);
    await untilDelivered(outbox, 1);
    // Nothing but the notification of its row announces each of these.
    for (let number = 2; number <= 5; number += 1) {
      await time.advance(5000);
      await outbox.record(`number ${number}`);
      await telegram.untilAsked(number + 1);
      await expect.poll(async () => (await outbox.rows()).at(-1)?.status).toBe('sent');
      expect((await waits(outbox)).at(-1)).toBe(0);
    }
    await stopOther();
  });

  it('goes on at once when sending is switched on again, and looks again after the database was away', async () => {
    await using outbox = await openOutbox();
    const { telegram, test } = outbox;
    const { runtime, time } = test;
    let isAway = false;
    const transaction: typeof runtime.db.transaction = (...asked) =>
      isAway ? Promise.reject(new Error('the database is away')) : runtime.db.transaction(...asked);
    const db = new Proxy(runtime.db, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
    });
    const stop = startSending({ ...runtime, db }, () => WEB_URL, NO_COMMANDS);
    for (let round = 1; round <= 3; round += 1) {
      await switchSending(runtime, { enabled: false }, SOMEBODY);
      await time.advance(5000);
      await outbox.record(`number ${round}`);
      await switchSending(runtime, { enabled: true }, SOMEBODY);
      await telegram.untilAsked(round);
      await expect.poll(async () => (await waits(outbox)).at(-1)).toBe(0);
    }
    await time.advance(5000);
    isAway = true;
    await outbox.record('while it is away');
    await test.idle();
    isAway = false;
    await vi.waitFor(async () => {
      await time.advance(2000);
      expect(telegram.delivered).toHaveLength(4);
    }, 60_000);
    await stop();
  });
});
