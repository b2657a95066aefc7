import { describe, expect, it, vi } from 'vitest';
import { openQueue } from '../../jobs/queue.ts';
import { testDatabases } from '../../world/test-world.ts';
import { configureTelegram } from '../channel.ts';
import { type Outbox, openOutbox, SOMEBODY, WEB_URL } from './outbox.fixture.ts';
import { startSending } from './sending-job.ts';

/** Time passes, and what falls due in it is done, until so many have arrived. */
function untilDelivered({ telegram, test }: Outbox, count: number): Promise<void> {
  return vi.waitFor(async () => {
    await test.time.advance(1000);
    expect(telegram.delivered).toHaveLength(count);
  }, 60_000);
}

describe.each(testDatabases)('the job that sends notifications, on %s', (kind) => {
  it('sends what waited, and at once what comes up, once, in whichever of two processes', async () => {
    await using outbox = await openOutbox(kind);
    const { world } = outbox.test;
    await outbox.record('while nothing ran');
    const queues = [await openQueue(world), await openQueue(world)];
    const stops = [];
    for (const queue of queues) stops.push(await startSending(queue, world, () => WEB_URL));
    await untilDelivered(outbox, 1);
    for (const message of ['second', 'third', 'fourth']) await outbox.record(message);
    await untilDelivered(outbox, 4);
    await vi.waitFor(async () => {
      expect(await outbox.rows()).toMatchObject(Array(4).fill({ status: 'sent', attempts: 1 }));
    }, 20_000);
    expect(outbox.telegram.asked).toHaveLength(4);

    await configureTelegram(world, { enabled: false }, SOMEBODY);
    await outbox.record('while it was off');
    await outbox.test.time.advance(60_000);
    expect(outbox.telegram.asked).toHaveLength(4);
    await configureTelegram(world, { enabled: true }, SOMEBODY);
    await untilDelivered(outbox, 5);
    for (const stop of stops) stop();
    for (const queue of queues) await queue.stop();
  });
});
