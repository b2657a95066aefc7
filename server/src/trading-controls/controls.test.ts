import { describe, expect, it, vi } from 'vitest';
import { openPostgres } from '../world/database.ts';
import { auditLog } from '../world/schema.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import type { Db } from '../world/world.ts';
import { arm, disarm } from './arming.ts';
import { openTradingControls } from './controls.ts';
import { changeLimits } from './limits.ts';

const BY = {
  actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};
const LIMITS = { per_order_usd: 5, per_batch_usd: 10, per_day_usd: 20, open_exposure_usd: 30 } as never;

const LIVE = { VENUE: 'polymarket', POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` };
const READ_ONLY = { VENUE: 'polymarket' };

/** The same database as `test`, seen by a process that is started with other variables. */
async function restarted(test: TestWorld, variables: Record<string, string>) {
  await using other = await openTestWorld('pglite', variables);
  return { ...test.world, config: other.world.config };
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

describe.each(testDatabases)('trading controls on %s', (kind) => {
  it.each([
    { variables: {}, armed: true, limitsRequired: false },
    { variables: LIVE, armed: false, limitsRequired: true },
    { variables: READ_ONLY, armed: false, limitsRequired: true },
  ])('begin as the venue calls for, with $variables', async ({ variables, armed, limitsRequired }) => {
    await using test = await openTestWorld(kind, variables);
    const controls = await openTradingControls(test.world);
    expect(controls.limitsRequired).toBe(limitsRequired);
    expect(controls.current()).toEqual({
      armed,
      armedChanged: null,
      limits: { perOrder: null, perBatch: null, perDay: null, openExposure: null },
      limitsChanged: null,
    });
  });

  it('outlast the process, and never carry over to another venue or past its private key', async () => {
    await using test = await openTestWorld(kind, LIVE);
    const { world } = test;
    const live = await openTradingControls(world);
    await changeLimits(world, live, BY, LIMITS);
    await arm(world, live, BY);
    expect((await openTradingControls(world)).current()).toMatchObject({
      armed: true,
      armedChanged: { at: world.clock.now(), by: null },
      limits: { perOrder: 5 },
    });
    expect((await openTradingControls(await restarted(test, READ_ONLY))).current()).toMatchObject({ armed: false });
    const simulated = await restarted(test, {});
    const controls = await openTradingControls(simulated);
    expect(controls.current()).toMatchObject({ armed: true, limits: { perOrder: null } });
    await disarm(simulated, controls, BY);
    expect((await openTradingControls(simulated)).current()).toMatchObject({ armed: false });
    expect((await openTradingControls(world)).current()).toMatchObject({ armed: true });
  });

  it('disarm this process at once although it cannot be stored, until somebody arms again', async () => {
    await using test = await openTestWorld(kind);
    const breaking = breakable(test.world.db);
    const world = { ...test.world, db: breaking.db };
    const controls = await openTradingControls(world);
    const changed = vi.fn();
    controls.onChange(changed);
    breaking.isDown = true;
    await expect(disarm(world, controls, BY)).rejects.toThrow('the database is down');
    expect(controls.current().armed).toBe(false);
    expect(changed).toHaveBeenCalledTimes(1);
    await test.time.advance(5000);
    expect(controls.current().armed).toBe(false);
    breaking.isDown = false;
    await test.time.advance(5000);
    expect(controls.current().armed).toBe(false);
    await arm(world, controls, BY);
    expect(controls.current().armed).toBe(true);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('hold as last known while the database does not answer', async () => {
    await using test = await openTestWorld(kind, LIVE);
    const breaking = breakable(test.world.db);
    const world = { ...test.world, db: breaking.db };
    const controls = await openTradingControls(world);
    await changeLimits(world, controls, BY, LIMITS);
    await arm(world, controls, BY);
    breaking.isDown = true;
    await test.time.advance(10_000);
    expect(controls.current()).toMatchObject({ armed: true, limits: { perDay: 20 } });
    await expect(openTradingControls(world)).rejects.toThrow('the database is down');
  });

  it('change once where two people want the same, and leave one entry in the audit log', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const controls = await openTradingControls(world);
    await Promise.all([disarm(world, controls, BY), disarm(world, controls, BY)]);
    await Promise.all([arm(world, controls, BY), arm(world, controls, BY)]);
    expect(controls.current().armed).toBe(true);
    const entries = await world.db.select().from(auditLog).orderBy(auditLog.seq);
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'trading.disarmed', before: { armed: true }, after: { armed: false } },
      { action: 'trading.armed', before: { armed: false }, after: { armed: true } },
    ]);
  });
});

describe.runIf(testDatabases.includes('postgres'))('trading controls of two processes on one PostgreSQL', () => {
  it('reach each other although neither looks by itself', async () => {
    await using test = await openTestWorld('postgres');
    const { world, time } = test;
    const { connectionString = '' } = world.queueOptions;
    const database = await openPostgres(connectionString, time.timers, world.log);
    try {
      const mine = await openTradingControls(world);
      const theirs = await openTradingControls({ ...world, db: database.db, notices: database.notices });
      await disarm(world, mine, BY);
      await vi.waitFor(() => expect(theirs.current().armed).toBe(false), 20_000);
      await arm({ ...world, db: database.db, notices: database.notices }, theirs, BY);
      await vi.waitFor(() => expect(mine.current().armed).toBe(true), 20_000);
    } finally {
      await database.close();
    }
  });
});
