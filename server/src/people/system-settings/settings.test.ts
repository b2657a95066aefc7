import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../../platform/database/database.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { openSystemSettings } from './settings.ts';
import { changeSettings } from './store.ts';
import { systemSettings } from './table.ts';

async function store({ runtime }: TestRuntime, changed: Record<string, unknown>): Promise<void> {
  const now = instantFromIso('2026-01-01T00:00:00Z');
  for (const [name, value] of Object.entries(changed)) {
    const row = { name, value: value as number | boolean, updatedAt: now, updatedBy: null };
    await runtime.db
      .insert(systemSettings)
      .values(row)
      .onConflictDoUpdate({ target: systemSettings.name, set: { value: row.value } });
  }
}

describe('the system settings', () => {
  it('stand at their defaults, and follow a change within a second, and at once on a message', async () => {
    await using test = await openTestRuntime();
    const settings = await openSystemSettings(test.runtime);
    const seen: Settings[] = [];
    const stopFollowing = settings.onChange(() => seen.push(settings.current()));
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: true, MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });

    await store(test, { AUTO_PLACE_ORDER_ENABLED: false, MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 });
    await test.time.advance(1000);
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: false, MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 });
    expect(seen).toEqual([settings.current()]);

    await store(test, { MIN_PROFIT_TRIGGER_THRESHOLD: 2 });
    await Promise.all([settings.refresh(), settings.refresh()]);
    expect(settings.current()).toMatchObject({ MIN_PROFIT_TRIGGER_THRESHOLD: 2 });
    await settings.refresh();
    expect(seen).toHaveLength(2);

    stopFollowing();
    await store(test, { MIN_PROFIT_TRIGGER_THRESHOLD: 3 });
    await settings.refresh();
    expect(seen).toHaveLength(2);
    settings.stop();
  });

  it.each(['settings_changed', 'cache_cleared'] as const)('are read again on the message %s', async (notice) => {
    await using test = await openTestRuntime();
    const { db, pubsub } = test.runtime;
    const settings = await openSystemSettings(test.runtime);
    await store(test, { MIN_ORDER_SHARES: 7 });
    await db.transaction((tx) => pubsub.publish(tx, notice));
    await expect.poll(() => settings.current().MIN_ORDER_SHARES).toBe(7);
    settings.stop();
  });

  it('let defaults hold where what is stored is unknown or out of range, and say so once', async () => {
    await using test = await openTestRuntime();
    const said: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) });
    await store(test, {
      OLD_SETTING: 1,
      MIN_ORDER_SHARES: 4,
      ENABLE_WEBSOCKET: 0,
      USE_CUMULATIVE_PRICING: false,
    });
    const settings = await openSystemSettings({ ...test.runtime, log });
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

    const { clock, random, db } = test.runtime;
    const by = { at: clock.now(), userId: random.uuid() };
    await db.transaction((tx) => changeSettings(tx, { ENABLE_WEBSOCKET: true, MIN_ORDER_SHARES: 8 }, by));
    await settings.refresh();
    expect(settings.corrupt()).toEqual([]);
    settings.stop();
  });

  it('hold while the database cannot be asked', async () => {
    await using test = await openTestRuntime();
    await store(test, { MIN_ORDER_SHARES: 7 });
    const settings = await openSystemSettings(test.runtime);
    await test.runtime.db.execute(sql`alter table system_settings rename to gone`);
    await settings.refresh();
    expect(settings.current().MIN_ORDER_SHARES).toBe(7);
    await test.runtime.db.execute(sql`alter table gone rename to system_settings`);
    settings.stop();
  });
});

describe('the system settings of two processes on one PostgreSQL', () => {
  it('reach both, whichever is notified, although neither looks by itself', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const { connectionString } = runtime.queueOptions;
    const { close, ...reached } = await openPostgres(connectionString, time.timers, runtime.log);
    const runtimes = [runtime, { ...runtime, ...reached }];
    const [mine, theirs] = [await openSystemSettings(runtime), await openSystemSettings({ ...runtime, ...reached })];
    for (const [nth, { db, pubsub, clock, random }] of runtimes.entries()) {
      await db.transaction(async (tx) => {
        await changeSettings(tx, { MIN_ORDER_SHARES: 7 + nth }, { at: clock.now(), userId: random.uuid() });
        await pubsub.publish(tx, 'settings_changed');
      });
      await vi.waitFor(() => {
        for (const { current } of [mine, theirs]) expect(current().MIN_ORDER_SHARES).toBe(7 + nth);
      }, 60_000);
    }
    for (const { stop } of [mine, theirs]) stop();
    await close();
  });
});
