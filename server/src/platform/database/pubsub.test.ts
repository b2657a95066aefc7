import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import type { PubSub, PubSubTopic } from '../runtime/pubsub.ts';
import { openPostgres } from './database.ts';
import { openPubSub } from './pubsub.ts';

const ALL: PubSubTopic[] = ['settings_changed', 'trading_controls_changed', 'cache_cleared'];

function receivedBy(pubsub: PubSub): PubSubTopic[] {
  const received: PubSubTopic[] = [];
  for (const topic of ALL) pubsub.subscribe(topic, () => void received.push(topic));
  return received;
}

/** A way to a PostgreSQL on which nothing moves while it is frozen: connections stand, are taken, and carry nothing. */
async function openWay(url: string) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), new URL(url).hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
    if (isFrozen) for (const socket of [near, far]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setFrozen = (frozen: boolean) => {
    isFrozen = frozen;
    for (const socket of sockets) frozen ? socket.pause() : socket.resume();
  };
  return {
    url: through.href,
    freeze: () => setFrozen(true),
    thaw: () => setFrozen(false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('pubsub', () => {
  it('are received after the commit, in order, by the listeners', async () => {
    await using test = await openTestRuntime();
    const { db, pubsub } = test.runtime;
    const received = receivedBy(pubsub);
    const lost = db.transaction(async (tx) => {
      await pubsub.publish(tx, 'cache_cleared');
      throw new Error('undone');
    });
    await expect(lost).rejects.toThrow('undone');
    const receivedInside = await db.transaction(async (tx) => {
      await pubsub.publish(tx, 'settings_changed');
      await tx.execute(sql`select 1`);
      return [...received];
    });
    expect(receivedInside).toEqual([]);
    await db.transaction((tx) => pubsub.publish(tx, 'trading_controls_changed'));
    await expect.poll(() => received).toEqual(['settings_changed', 'trading_controls_changed']);
  });

  it('are not received any more by who has stopped listening', async () => {
    await using test = await openTestRuntime();
    const { db, pubsub } = test.runtime;
    let times = 0;
    const stop = pubsub.subscribe('settings_changed', () => {
      times += 1;
    });
    const received = receivedBy(pubsub);
    stop();
    await db.transaction((tx) => pubsub.publish(tx, 'settings_changed'));
    await expect.poll(() => received).toEqual(['settings_changed']);
    expect(times).toBe(0);
  });
});

describe('pubsub between two processes', () => {
  it('reach both, and count as received while the connection they come over was down', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const other = await openPostgres(runtime.queueOptions.connectionString, time.timers, runtime.log);
    const both = [receivedBy(runtime.pubsub), receivedBy(other.pubsub)];
    const receivedByBoth = (expected: PubSubTopic[]) =>
      vi.waitFor(async () => {
        await time.advance(1000);
        for (const received of both) expect(received).toEqual(expected);
      }, 60_000);

    await runtime.db.transaction((tx) => runtime.pubsub.publish(tx, 'settings_changed'));
    await receivedByBoth(['settings_changed']);

    await runtime.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'dutchbook pubsub'`);
    await receivedByBoth(['settings_changed', ...ALL]);

    await other.db.transaction((tx) => other.pubsub.publish(tx, 'cache_cleared'));
    await receivedByBoth(['settings_changed', ...ALL, 'cache_cleared']);
    await other.close();
  });

  it('are listened to anew when the connection goes silent without breaking', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const way = await openWay(runtime.queueOptions.connectionString);
    const { pubsub, close } = await openPubSub(way.url, time.timers, runtime.log);
    const received = receivedBy(pubsub);
    const tell = (topic: PubSubTopic) => runtime.db.transaction((tx) => runtime.pubsub.publish(tx, topic));

    await tell('settings_changed');
    await expect.poll(() => received).toEqual(['settings_changed']);
    way.freeze();
    await tell('cache_cleared');
    await time.advance(3000);
    way.thaw();
    await vi.waitFor(async () => {
      await time.advance(1000);
      expect(received.length).toBeGreaterThanOrEqual(1 + ALL.length);
    }, 60_000);
    await tell('settings_changed');
    await expect.poll(() => received.at(-1)).toBe('settings_changed');
    expect(received.slice(0, 1 + ALL.length)).toEqual(['settings_changed', ...ALL]);
    await close();
    way.close();
  });
});
