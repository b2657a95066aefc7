import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../world/database.ts';
import { systemSettings } from '../world/schema.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import { openSystemSettings } from './settings.ts';
import { changeSettings } from './store.ts';

async function store({ world }: TestWorld, changed: Record<string, unknown>): Promise<void> {
  const now = instantFromIso('2026-01-01T00:00:00Z');
  for (const [name, value] of Object.entries(changed)) {
    const row = { name, value: value as number | boolean, updatedAt: now, updatedBy: null };
    await world.db
      .insert(systemSettings)
      .values(row)
      .onConflictDoUpdate({ target: systemSettings.name, set: { value: row.value } });
  }
}

describe.each(testDatabases)('the system settings on %s', (kind) => {
  it('stand at their defaults, and follow a change within a second, and at once where they are told to', async () => {
    await using test = await openTestWorld(kind);
    const settings = await openSystemSettings(test.world);
    const heard: Settings[] = [];
    const stopHearing = settings.onChange(() => heard.push(settings.current()));
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: true, MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });

    await store(test, { AUTO_PLACE_ORDER_ENABLED: false, MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 });
    await test.time.advance(1000);
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: false, MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 });
    expect(heard).toEqual([settings.current()]);

    await store(test, { MIN_PROFIT_TRIGGER_THRESHOLD: 2 });
    await Promise.all([settings.refresh(), settings.refresh()]);
    expect(settings.current()).toMatchObject({ MIN_PROFIT_TRIGGER_THRESHOLD: 2 });
    await settings.refresh();
    expect(heard).toHaveLength(2);

    stopHearing();
    await store(test, { MIN_PROFIT_TRIGGER_THRESHOLD: 3 });
    await settings.refresh();
    expect(heard).toHaveLength(2);
    settings.stop();
  });

  it.each(['settings_changed', 'cache_cleared'] as const)('are read again on the notice %s', async (notice) => {
    await using test = await openTestWorld(kind);
    const { db, notices } = test.world;
    const settings = await openSystemSettings(test.world);
    await store(test, { MIN_ORDER_SHARES: 7 });
    await db.transaction((tx) => notices.tell(tx, notice));
    await vi.waitFor(() => expect(settings.current().MIN_ORDER_SHARES).toBe(7), 10_000);
    settings.stop();
  });

  it('let defaults hold where what is stored is unknown or out of range, and say so once', async () => {
    await using test = await openTestWorld(kind);
    const said: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) });
    await store(test, {
      OLD_SETTING: 1,
      MIN_ORDER_SHARES: 4,
      ENABLE_WEBSOCKET: 0,
      USE_CUMULATIVE_PRICING: false,
    });
    const settings = await openSystemSettings({ ...test.world, log });
    await settings.refresh();
    expect(settings.current()).toMatchObject({
      MIN_ORDER_SHARES: 5,
      ENABLE_WEBSOCKET: true,
      USE_CUMULATIVE_PRICING: false,
    });
    expect(settings.current()).not.toHaveProperty('OLD_SETTING');
    const names = said.map((line) => (line as { name: string }).name).sort();
    expect(names).toEqual(['ENABLE_WEBSOCKET', 'MIN_ORDER_SHARES', 'OLD_SETTING']);
    expect(settings.corrupt()).toEqual(['ENABLE_WEBSOCKET', 'MIN_ORDER_SHARES']);

    const { clock, dice, db } = test.world;
    const by = { at: clock.now(), userId: dice.uuid() };
    await db.transaction((tx) => changeSettings(tx, { ENABLE_WEBSOCKET: true, MIN_ORDER_SHARES: 8 }, by));
    await settings.refresh();
    expect(settings.corrupt()).toEqual([]);
    settings.stop();
  });

  it('hold while the database cannot be asked', async () => {
    await using test = await openTestWorld(kind);
    await store(test, { MIN_ORDER_SHARES: 7 });
    const settings = await openSystemSettings(test.world);
    await test.world.db.execute(sql`alter table system_settings rename to gone`);
    await settings.refresh();
    expect(settings.current().MIN_ORDER_SHARES).toBe(7);
    await test.world.db.execute(sql`alter table gone rename to system_settings`);
    settings.stop();
  });
});

describe.runIf(testDatabases.includes('postgres'))('the system settings of two processes on one PostgreSQL', () => {
  it('reach both, whichever is told, although neither looks by itself', async () => {
    await using test = await openTestWorld('postgres');
    const { world, time } = test;
    const { connectionString = '' } = world.queueOptions;
    const { close, ...reached } = await openPostgres(connectionString, time.timers, world.log);
    const worlds = [world, { ...world, ...reached }];
    const [mine, theirs] = [await openSystemSettings(world), await openSystemSettings({ ...world, ...reached })];
    for (const [nth, { db, notices, clock, dice }] of worlds.entries()) {
      await db.transaction(async (tx) => {
        await changeSettings(tx, { MIN_ORDER_SHARES: 7 + nth }, { at: clock.now(), userId: dice.uuid() });
        await notices.tell(tx, 'settings_changed');
      });
      await vi.waitFor(() => {
        for (const { current } of [mine, theirs]) expect(current().MIN_ORDER_SHARES).toBe(7 + nth);
      }, 20_000);
    }
    for (const { stop } of [mine, theirs]) stop();
    await close();
  });
});
