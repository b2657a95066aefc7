import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openPostgres } from './database.ts';
import { type Notice, type Notices, postgresNotices } from './notices.ts';
import { openTestWorld, testDatabases } from './test-world.ts';

const ALL: Notice[] = ['settings_changed', 'trading_controls_changed', 'cache_cleared'];

function hearAll(notices: Notices): Notice[] {
  const heard: Notice[] = [];
  for (const notice of ALL) notices.on(notice, () => void heard.push(notice));
  return heard;
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
  const turn = (frozen: boolean) => {
    isFrozen = frozen;
    for (const socket of sockets) frozen ? socket.pause() : socket.resume();
  };
  return {
    url: through.href,
    freeze: () => turn(true),
    thaw: () => turn(false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.each(testDatabases)('notices on %s', (kind) => {
  it('are heard after the commit, in order, by whoever listens for them', async () => {
    await using test = await openTestWorld(kind);
    const { db, notices } = test.world;
    const heard = hearAll(notices);
    const lost = db.transaction(async (tx) => {
      await notices.tell(tx, 'cache_cleared');
      throw new Error('undone');
    });
    await expect(lost).rejects.toThrow('undone');
    const heardInside = await db.transaction(async (tx) => {
      await notices.tell(tx, 'settings_changed');
      await tx.execute(sql`select 1`);
      return [...heard];
    });
    expect(heardInside).toEqual([]);
    await db.transaction((tx) => notices.tell(tx, 'trading_controls_changed'));
    await vi.waitFor(() => expect(heard).toEqual(['settings_changed', 'trading_controls_changed']), 10_000);
  });

  it('are not heard any more by who has stopped listening', async () => {
    await using test = await openTestWorld(kind);
    const { db, notices } = test.world;
    let times = 0;
    const stop = notices.on('settings_changed', () => {
      times += 1;
    });
    const heard = hearAll(notices);
    stop();
    await db.transaction((tx) => notices.tell(tx, 'settings_changed'));
    await vi.waitFor(() => expect(heard).toEqual(['settings_changed']), 10_000);
    expect(times).toBe(0);
  });
});

describe.runIf(testDatabases.includes('postgres'))('notices between two processes', () => {
  it('reach both, and are taken as told while the connection they come over was down', async () => {
    await using test = await openTestWorld('postgres');
    const { world, time } = test;
    const other = await openPostgres(world.queueOptions.connectionString ?? '', time.timers, world.log);
    const both = [hearAll(world.notices), hearAll(other.notices)];
    const heardByBoth = (expected: Notice[]) =>
      vi.waitFor(async () => {
        await time.advance(1000);
        for (const heard of both) expect(heard).toEqual(expected);
      }, 60_000);

    await world.db.transaction((tx) => world.notices.tell(tx, 'settings_changed'));
    await heardByBoth(['settings_changed']);

    await world.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'dutchbook notices'`);
    await heardByBoth(['settings_changed', ...ALL]);

    await other.db.transaction((tx) => other.notices.tell(tx, 'cache_cleared'));
    await heardByBoth(['settings_changed', ...ALL, 'cache_cleared']);
    await other.close();
  });

  it('are listened to anew when the connection goes silent without breaking', async () => {
    await using test = await openTestWorld('postgres');
    const { world, time } = test;
    const way = await openWay(world.queueOptions.connectionString ?? '');
    const { notices, close } = await postgresNotices(way.url, time.timers, world.log);
    const heard = hearAll(notices);
    const tell = (notice: Notice) => world.db.transaction((tx) => world.notices.tell(tx, notice));

    await tell('settings_changed');
    await vi.waitFor(() => expect(heard).toEqual(['settings_changed']), 10_000);
    way.freeze();
    await tell('cache_cleared');
    await time.advance(3000);
    way.thaw();
    await vi.waitFor(async () => {
      await time.advance(1000);
      expect(heard.length).toBeGreaterThanOrEqual(1 + ALL.length);
    }, 60_000);
    await tell('settings_changed');
    await vi.waitFor(() => expect(heard.at(-1)).toBe('settings_changed'), 10_000);
    expect(heard.slice(0, 1 + ALL.length)).toEqual(['settings_changed', ...ALL]);
    await close();
    way.close();
  });
});
