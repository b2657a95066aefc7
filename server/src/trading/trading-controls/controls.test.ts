import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { oneForAll, openPostgres } from '../../platform/database/database.ts';
import { lock } from '../../platform/database/locks.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { arm, armingRefusal, disarm } from './arming.ts';
import { openTradingControls } from './controls.ts';
import { changeLimits, DESK_LIMITS, limitsAt } from './limits.ts';
import { readControls } from './store.ts';

const BY = {
  actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};
const LIMITS = { per_order_usd: 5, per_batch_usd: 10, per_day_usd: 20, open_exposure_usd: 30 } as never;

const LIVE = { VENUE: 'polymarket', POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` };
const READ_ONLY = { VENUE: 'polymarket' };

/** A process with other variables on the database of `test`. */
async function restarted(test: TestRuntime, variables: Record<string, string>) {
  await using other = await openTestRuntime(variables);
  return { ...test.runtime, config: other.runtime.config };
}

/** A database that can be taken away. */
function breakable(db: Db): { db: Db; isDown: boolean } {
  const state = { isDown: false, db };
  state.db = new Proxy(db, {
    get: (target, name) => {
      if (state.isDown) throw new Error('the database is down');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return state;
}

describe('trading controls', () => {
  it.each([
    { variables: {}, armed: true, limitsRequired: false },
    { variables: LIVE, armed: false, limitsRequired: true },
    { variables: READ_ONLY, armed: false, limitsRequired: true },
  ])('begin as the venue calls for, with $variables', async ({ variables, armed, limitsRequired }) => {
    await using test = await openTestRuntime(variables);
    const controls = await openTradingControls(test.runtime, 'polymarket');
    expect(controls.limitsRequired).toBe(limitsRequired);
    expect(controls.current()).toEqual({
      armed,
      armedChanged: null,
      limits: { perOrder: null, perBatch: null, perDay: null, openExposure: null },
      limitsChanged: null,
    });
  });

  it('outlast the process, and never carry over to another venue or past its private key', async () => {
    await using test = await openTestRuntime(LIVE);
    const { runtime } = test;
    const live = await openTradingControls(runtime, 'polymarket');
    await changeLimits(runtime, limitsAt(live), BY, LIMITS);
    await arm(runtime, live, BY);
    expect((await openTradingControls(runtime, 'polymarket')).current()).toMatchObject({
      armed: true,
      armedChanged: { at: runtime.clock.now(), by: null },
      limits: { perOrder: 5 },
    });
    expect((await openTradingControls(await restarted(test, READ_ONLY), 'polymarket')).current()).toMatchObject({
      armed: false,
    });
    const simulated = await restarted(test, {});
    const controls = await openTradingControls(simulated, 'polymarket');
    expect(controls.current()).toMatchObject({ armed: true, limits: { perOrder: null } });
    await disarm(simulated, [controls], BY);
    expect((await openTradingControls(simulated, 'polymarket')).current()).toMatchObject({ armed: false });
    expect((await openTradingControls(runtime, 'polymarket')).current()).toMatchObject({ armed: true });
  });

  it('never arm a venue whose key may not place orders', async () => {
    await using test = await openTestRuntime();
    const controls = await openTradingControls(test.runtime, 'polymarket', null, false);
    expect(controls.current().armed).toBe(false);
    const detail = 'The venue is read only: its key may not place orders';
    expect(armingRefusal(test.runtime, controls, controls.current().limits)).toBe(detail);
    await expect(arm(test.runtime, controls, BY)).rejects.toThrow(detail);
  });

  it('disarm this process at once although it cannot be stored, and the venue as soon as it can', async () => {
    await using test = await openTestRuntime();
    const breaking = breakable(test.runtime.db);
    const runtime = { ...test.runtime, db: breaking.db, dbFor: oneForAll(breaking.db) };
    const controls = await openTradingControls(runtime, 'polymarket');
    const changed = vi.fn();
    controls.onChange(changed);
    breaking.isDown = true;
    expect(await disarm(runtime, [controls], BY)).toEqual({ kind: 'held', isKept: true });
    expect(controls.current().armed).toBe(false);
    expect(changed).toHaveBeenCalledTimes(1);
    await test.time.advance(5000);
    expect(controls.current().armed).toBe(false);
    expect((await openTradingControls(test.runtime, 'polymarket')).current().armed).toBe(true);
    breaking.isDown = false;
    await test.time.advance(5000);
    expect(controls.current().armed).toBe(false);
    expect((await openTradingControls(test.runtime, 'polymarket')).current().armed).toBe(false);
    expect(await test.runtime.db.select().from(auditLog)).toMatchObject([{ action: 'trading.disarmed' }]);
    await arm(runtime, controls, BY);
    expect(controls.current().armed).toBe(true);
    await test.time.advance(5000);
    expect(controls.current().armed).toBe(true);
  });

  it('hold as last known while the database does not answer', async () => {
    await using test = await openTestRuntime(LIVE);
    const breaking = breakable(test.runtime.db);
    const runtime = { ...test.runtime, db: breaking.db };
    const controls = await openTradingControls(runtime, 'polymarket');
    await changeLimits(runtime, limitsAt(controls), BY, LIMITS);
    await arm(runtime, controls, BY);
    breaking.isDown = true;
    await test.time.advance(10_000);
    expect(controls.current()).toMatchObject({ armed: true, limits: { perDay: 20 } });
    await expect(openTradingControls(runtime, 'polymarket')).rejects.toThrow('the database is down');
  });

  it('change once where two people want the same, and leave one entry in the audit log', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const controls = await openTradingControls(runtime, 'polymarket');
    await Promise.all([disarm(runtime, [controls], BY), disarm(runtime, [controls], BY)]);
    await Promise.all([arm(runtime, controls, BY), arm(runtime, controls, BY)]);
    expect(controls.current().armed).toBe(true);
    const entries = await runtime.db.select().from(auditLog).orderBy(auditLog.seq);
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'trading.disarmed', before: { armed: true }, after: { armed: false } },
      { action: 'trading.armed', before: { armed: false }, after: { armed: true } },
    ]);
  });
});

describe('trading controls of two processes on one PostgreSQL', () => {
  it('reach each other although neither looks by itself', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const { connectionString } = runtime.queueOptions;
    const database = await openPostgres(connectionString, time.timers, runtime.log);
    try {
      const mine = await openTradingControls(runtime, 'polymarket');
      const theirs = await openTradingControls({ ...runtime, db: database.db, pubsub: database.pubsub }, 'polymarket');
      await disarm(runtime, [mine], BY);
      await expect.poll(() => theirs.current().armed).toBe(false);
      await arm({ ...runtime, db: database.db, pubsub: database.pubsub }, theirs, BY);
      await expect.poll(() => mine.current().armed).toBe(true);
    } finally {
      await database.close();
    }
  });

  it('of the whole desk are set for the first time after a decision on spending that is being taken', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    let change = Promise.resolve();
    await runtime.db.transaction(async (tx) => {
      await lock(tx, 'spending');
      change = changeLimits(runtime, DESK_LIMITS, BY, LIMITS);
      await expect.poll(() => executeNamed(tx, waiting)).toHaveLength(1);
    });
    await change;
    expect((await readControls(runtime.db, 'simulated', DESK_LIMITS.of)).limits).toMatchObject({ perOrder: 5 });
  });
});
