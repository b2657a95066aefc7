import { once } from 'node:events';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { users } from '../../people/users/table.ts';
import { openTestStream, type TestStream } from './stream.fixture.ts';

const NOON = instantFromIso('2026-01-01T12:00:00Z');
const JOB = '00000000-0000-4000-8000-000000000001';

function publishJob({ hub }: TestStream, done: number, id = JOB): void {
  hub.publish({
    topic: 'jobs',
    type: 'job',
    id,
    data: {
      id,
      kind: 'check_all',
      status: 'running',
      done,
      total: 9,
      message: null,
      started_at: NOON,
      finished_at: null,
    },
  });
}

const done = (frame: Record<string, unknown>) => (frame.data as { done: number }).done;

describe('a tab', () => {
  it('receives what changes on its topics, numbered and as the calls would serve it', async () => {
    await using stream = await openTestStream();
    const { tab, first } = await stream.listen(['jobs']);
    expect(first).toEqual({ type: 'ready', seq: expect.any(Number) });
    stream.hub.publish({
      topic: 'system',
      type: 'system',
      id: 'system',
      data: {
        venue: 'simulated',
        armed: true,
        armed_changed: null,
        arming_refusal: null,
        feed: 'live',
        unknown_orders: 0,
        automatic: 'all',
        trigger: { profit_percentage: PERCENT_ZERO, judged_by: 'depth', depth_usd: USD_ZERO },
        sale_loss_warning: PERCENT_ZERO,
      },
    });
    publishJob(stream, 3);
    const frame = await tab.next();
    expect(frame).toMatchObject({ topic: 'jobs', type: 'job', id: JOB });
    expect(frame.data).toMatchObject({ done: 3, started_at: '2026-01-01T12:00:00.000Z' });
    expect(frame.seq).toBeGreaterThan(first.seq as number);
  });

  it('is sent five changes a second of one object at most, the latest last, and all of different ones', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    for (let step = 1; step <= 6; step += 1) publishJob(stream, step);
    publishJob(stream, 100, '00000000-0000-4000-8000-000000000002');
    expect([done(await tab.next()), done(await tab.next())]).toEqual([1, 100]);
    await stream.app.test.time.advance(200);
    expect(done(await tab.next())).toBe(6);
    publishJob(stream, 7);
    publishJob(stream, 8);
    await stream.app.test.time.advance(200);
    expect(done(await tab.next())).toBe(8);
  });

  it('receives a deletion last, whatever of the object had come too soon before it', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['notifications', 'jobs']);
    const id = '00000000-0000-4000-8000-000000000003';
    const publish = (message: string) =>
      stream.hub.publish({
        ...{ topic: 'notifications', type: 'notification', id },
        data: {
          ...{ id, opportunity_id: null, notification_type: 'test', message, status: 'pending', sent_at: null },
          ...{ attempts: 0, created_at: NOON, updated_at: NOON, error_message: null, data: {} },
        },
      });
    publish('one');
    publish('two');
    stream.hub.publish({ topic: 'notifications', type: 'notification_deleted', id, data: null });
    await stream.app.test.time.advance(1000);
    publishJob(stream, 1);
    const types: unknown[] = [];
    do types.push((await tab.next()).type);
    while (types.at(-1) !== 'job');
    expect(types).toEqual(['notification', 'notification_deleted', 'job']);
  });

  it('listens to the topics it named last', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    tab.send({ type: 'subscribe', topics: ['system'] });
    expect((await tab.next()).type).toBe('ready');
    publishJob(stream, 1);
    tab.send({ type: 'subscribe', topics: ['system', 'jobs'] });
    expect((await tab.next()).type).toBe('ready');
  });
});

describe('a tab that comes back', () => {
  it('is sent what it missed, in order, then that it is up to date', async () => {
    await using stream = await openTestStream();
    const { tab, first } = await stream.listen(['jobs']);
    tab.socket.terminate();
    await tab.closed;
    for (let step = 1; step <= 3; step += 1) {
      publishJob(stream, step);
      await stream.app.test.time.advance(200);
    }
    const back = await stream.listen(['jobs'], first.seq as number);
    expect([done(back.first), done(await back.tab.next()), done(await back.tab.next())]).toEqual([1, 2, 3]);
    expect(await back.tab.next()).toMatchObject({ type: 'ready' });
  });

  it('has to read everything again after a thousand other changes', async () => {
    await using stream = await openTestStream();
    const { first } = await stream.listen(['jobs', 'system']);
    for (let count = 0; count <= 1000; count += 1)
      publishJob(stream, count, `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`);
    const back = await stream.listen(['jobs'], first.seq as number);
    expect(back.first).toMatchObject({ type: 'resync' });
  });

  it('has to read everything again when it did not listen for long, or it knows another process', async () => {
    await using stream = await openTestStream();
    const { tab, first } = await stream.listen(['jobs']);
    tab.socket.terminate();
    await expect.poll(() => stream.hub.readers()).toBe(0);
    await stream.app.test.time.advance(60_000);
    expect(stream.hub.watched('jobs')).toBe(false);
    for (const since of [first.seq as number, 0, Number.MAX_SAFE_INTEGER])
      expect((await stream.listen(['jobs'], since)).first).toMatchObject({ type: 'resync' });
  });

  it('has to do so as well when it reads too slowly, and memory stays bounded', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    tab.socket.pause();
    const message = 'x'.repeat(100_000);
    for (let count = 0; count < 400; count += 1) {
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
      stream.hub.publish({
        topic: 'jobs',
        type: 'job',
        id,
        data: {
          id,
          kind: 'check_all',
          status: 'failed',
          done: count,
          total: 0,
          message,
          started_at: NOON,
          finished_at: null,
        },
      });
    }
    const types: unknown[] = [];
    tab.socket.on('message', (raw) => types.push(JSON.parse(String(raw)).type));
    tab.socket.resume();
    await vi.waitFor(
      async () => {
        await stream.app.test.time.advance(200);
        expect(types.at(-1)).toBe('resync');
      },
      { timeout: 60_000 },
    );
    expect(types.length).toBeLessThan(400);
  });
});

describe('a connection', () => {
  it('is closed when it does not say in time who it is', async () => {
    await using stream = await openTestStream();
    const tab = await stream.connect();
    await stream.app.test.time.advance(5000);
    expect(await tab.next()).toEqual({ type: 'error', message: 'Not authenticated' });
    expect(await tab.closed).toBe(4401);
  });

  it('is closed on a bad token, an inactive user, a subscription before either, and on what is no frame', async () => {
    await using stream = await openTestStream();
    const inactive = await stream.token({ isActive: false });
    const cases: [unknown, string, number][] = [
      [{ type: 'auth', token: 'x' }, 'Could not validate credentials', 4403],
      [{ type: 'auth', token: inactive }, 'Inactive user', 4403],
      [{ type: 'subscribe', topics: ['jobs'] }, 'Not authenticated', 4401],
      [{ type: 'subscribe', topics: ['users'] }, 'Not a frame of this protocol', 1008],
      ['{', 'Not a frame of this protocol', 1008],
    ];
    for (const [frame, message, code] of cases) {
      const tab = await stream.connect();
      tab.send(frame);
      expect(await tab.next()).toEqual({ type: 'error', message });
      expect(await tab.closed).toBe(code);
    }
  });

  it('is closed within seconds of the end of its session', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    const { runtime, time } = stream.app.test;
    await runtime.db.update(users).set({ sessionEpoch: 1 }).where(eq(users.sessionEpoch, 0));
    await time.advance(2000);
    expect(await tab.closed).toBe(4403);
  });

  it('is closed when it answers no ping', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    tab.socket.pause();
    await stream.app.test.time.advance(40_000);
    tab.socket.resume();
    expect(await tab.closed).toBe(1006);
  });

  it('is closed on a frame larger than any of the protocol', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    tab.send({ type: 'auth', token: 'x'.repeat(20_000) });
    expect(await tab.closed).toBe(1009);
  });

  it('from a page of another site is refused', async () => {
    await using stream = await openTestStream();
    const opening = stream.connect({ origin: 'https://evil.example' });
    await expect(opening).rejects.toThrow('403');
    const rebound = stream.connect({ origin: 'https://evil.example', host: 'evil.example' });
    await expect(rebound).rejects.toThrow('403');
  });

  it('is closed when the process stops', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    const closed = once(tab.socket, 'close');
    stream.stop();
    expect((await closed)[0]).toBe(1001);
  });
});

describe('one tab, or many, that ask for too much', () => {
  const topicsOf = (part: number) =>
    Array.from({ length: 100 }, (_, n) => `batch:00000000-0000-4000-8000-${String(part * 100 + n).padStart(12, '0')}`);

  it('is closed when it sends frames faster than any page does, and no other', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    const { tab: other } = await stream.listen(['jobs']);
    for (let frame = 0; frame < 50; frame += 1) tab.send({ type: 'subscribe', topics: topicsOf(frame) });
    expect(await tab.closed).toBe(1008);
    publishJob(stream, 3);
    expect(done(await other.next())).toBe(3);
  });

  it('keeps few of the topics that it has left, and forgets them after a minute', async () => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    for (let frame = 0; frame < 60; frame += 1) {
      if (frame % 15 === 0) await stream.app.test.time.advance(1000);
      tab.send({ type: 'subscribe', topics: topicsOf(frame) });
      expect(await tab.next()).toMatchObject({ type: 'ready' });
    }
    expect(stream.hub.topics().length).toBeLessThanOrEqual(2100);
    await stream.app.test.time.advance(60_000);
    expect(stream.hub.topics()).toHaveLength(100);
  });

  it.each([
    ['topics that there are not', ['secrets']],
    ['an id that is none', ['batch:1']],
    ['more than a hundred', [...topicsOf(0), 'jobs']],
  ])('is closed when it asks for %s', async (_case, topics) => {
    await using stream = await openTestStream();
    const { tab } = await stream.listen(['jobs']);
    tab.send({ type: 'subscribe', topics });
    expect(await tab.closed).toBe(1008);
  });

  it('gives up the oldest of an address that has not said who it is, and lets all others in', async () => {
    await using stream = await openTestStream({ TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) => stream.connect({ 'x-forwarded-for': address });
    const one = await from('198.51.100.1');
    const attacker = await Promise.all(Array.from({ length: 100 }, () => from('203.0.113.7')));
    const first = attacker[0];
    const another = await from('203.0.113.7');
    expect(await first?.closed).toBe(1006);
    expect(attacker.filter(({ socket }) => socket.readyState === socket.OPEN)).toHaveLength(99);
    for (const tab of [one, another]) {
      tab.send({ type: 'auth', token: await stream.token() });
      tab.send({ type: 'subscribe', topics: ['jobs'] });
      expect(await tab.next()).toMatchObject({ type: 'ready' });
    }
  });
});
