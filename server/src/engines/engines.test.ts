import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it, vi } from 'vitest';
import { writePrices } from '../trading/prices/price-writer.ts';
import { CHEAP, openDeskAt } from '../trading/prices/trigger.fixture.ts';
import { recordTrigger } from '../trading/prices/trigger.ts';
import { databaseNow } from '../world/clock.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import type { World } from '../world/world.ts';
import { ALL_SHARES, SHARES } from './division.ts';
import { type Engines, openEngines } from './engines.ts';
import { engineShares } from './table.ts';

type Stoppable = { engines: Engines; pause: () => Promise<void>; goOn: () => void };

/** An engine of its own that can be stopped as a machine stops a process: it does nothing, and knows nothing of it. */
async function openEngine(
  test: TestWorld,
  { isEngine = true, ...own }: Partial<World> & { isEngine?: boolean } = {},
): Promise<Stoppable> {
  let isPaused = false;
  const unlessPaused = <Given extends unknown[]>(work: (...given: Given) => Promise<void> | void) => {
    return (...given: Given) => (isPaused ? undefined : work(...given));
  };
  const { timers, notices } = test.world;
  const world: World = {
    ...test.world,
    ...own,
    timers: { ...timers, every: (ms, work) => timers.every(ms, unlessPaused(work)) },
    notices: { ...notices, on: (notice, react) => notices.on(notice, unlessPaused(react)) },
  };
  const engines = await openEngines(world);
  if (isEngine) await engines.takePart();
  return {
    engines,
    // What it has begun goes on to its end: it may be reacting to its own start still.
    pause: async () => {
      isPaused = true;
      await test.idle();
    },
    goOn: () => {
      isPaused = false;
    },
  };
}

const counts = (...engines: Stoppable[]) => engines.map((each) => each.engines.shares.held()?.length ?? SHARES);

/** Lets so many seconds pass, and all that follows from them. */
async function pass({ time, idle }: TestWorld, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await time.advance(1000);
    await idle();
  }
}

/** Lets seconds pass until it is as `check` says, ten at most. */
async function within10s(test: TestWorld, check: () => void): Promise<void> {
  for (let second = 1; second < 10; second += 1) {
    await pass(test, 1);
    try {
      return check();
    } catch {}
  }
  await pass(test, 1);
  check();
}

/** Each share has the owner that the engines themselves say, and none has two. */
async function expectOneOwnerEach({ world }: TestWorld, ...engines: Stoppable[]): Promise<void> {
  const held = engines.flatMap((each) => each.engines.shares.held() ?? []);
  expect(held.toSorted((one, other) => one - other)).toEqual(ALL_SHARES);
  const owners = await world.db.select({ owner: engineShares.owner }).from(engineShares);
  expect(new Set(owners.map(({ owner }) => owner)).size).toBe(engines.length);
}

describe.each(testDatabases)('engines on one %s', (kind) => {
  it('even out when one joins, and take over what one leaves at once and what one dies with within ten seconds', async () => {
    await using test = await openTestWorld(kind);
    const first = await openEngine(test);
    expect(counts(first)).toEqual([SHARES]);
    const second = await openEngine(test);
    const third = await openEngine(test);
    await within10s(test, () => expect(counts(first, second, third).toSorted()).toEqual([21, 21, 22]));
    await expectOneOwnerEach(test, first, second, third);
    expect(first.engines.alive()).toBe(3);

    await third.pause();
    await within10s(test, () => expect(counts(first, second)).toEqual([32, 32]));
    await expectOneOwnerEach(test, first, second);

    await second.engines.stop();
    await within10s(test, () => expect(counts(first)).toEqual([SHARES]));
    await first.engines.stop();
  });

  it('share evenly whatever their own clocks say, and go by the clock of the database', async () => {
    await using test = await openTestWorld(kind);
    const { clock } = test.world;
    const off = (ms: number) => ({ now: () => instantFromMs(clock.now() + ms) });
    const first = await openEngine(test);
    const fast = await openEngine(test, { clock: off(60_000) });
    const slow = await openEngine(test, { clock: off(-60_000) });
    const all = [first, fast, slow];
    await within10s(test, () => expect(counts(...all).toSorted()).toEqual([21, 21, 22]));
    const before = counts(...all);
    await pass(test, 10);
    expect(counts(...all)).toEqual(before);
    expect(all.map(({ engines }) => engines.alive())).toEqual([3, 3, 3]);
    await expectOneOwnerEach(test, ...all);
    for (const { engines } of all) await engines.stop();

    const rightNow = { databaseNow };
    const [one, other] = [await openEngine(test, rightNow), await openEngine(test, rightNow)];
    await within10s(test, () => expect(counts(one, other)).toEqual([32, 32]));
    for (const { engines } of [one, other]) await engines.stop();
  });

  it('prove nothing any more with what they held before they were stopped for a while, and join anew', async () => {
    await using test = await openTestWorld(kind);
    const first = await openEngine(test);
    const opportunityId = test.world.dice.uuid();
    const stale = first.engines.shares.claimOf(opportunityId);
    await first.pause();
    const second = await openEngine(test);
    await within10s(test, () => expect(counts(second)).toEqual([SHARES]));
    // It has not found out yet.
    expect(first.engines.shares.owns(opportunityId)).toBe(true);
    expect(first.engines.shares.claimOf(opportunityId)).toEqual(stale);
    first.goOn();
    await within10s(test, () => expect(counts(first, second)).toEqual([32, 32]));
    await expectOneOwnerEach(test, first, second);
    await first.engines.stop();
    await second.engines.stop();
  });

  it('are looked at by processes that are none, which show the worst of their feeds, and down where there is none', async () => {
    await using test = await openTestWorld(kind);
    const api = await openEngine(test, { isEngine: false });
    expect(api.engines.feed()).toBe('down');
    const first = await openEngine(test);
    const second = await openEngine(test);
    second.engines.tellFeed(() => 'degraded');
    const seen = () => [api.engines.feed(), api.engines.alive(), api.engines.shares.held()];
    await within10s(test, () => expect(seen()).toEqual(['degraded', 2, []]));
    for (const { engines } of [first, second]) await engines.stop();
    await within10s(test, () => expect(api.engines.feed()).toBe('down'));
    await api.engines.stop();
  });

  it('neither trigger nor write by a claim on what another has taken since', async () => {
    const { desk, id } = await openDeskAt(kind, CHEAP);
    await using _ = desk;
    const { test } = desk;
    const { world } = test;
    const first = await openEngine(test);
    const stale = first.engines.shares.claimOf(id);
    const row = { ...(await desk.stored(id)), lastChecked: world.clock.now() };
    const priced = { ...row, currentPrice: row.targetPrice, feesPerSet: 0 as never, profitPercentage: 0 as never };
    const write = { row: priced, falls: false, isPointDue: false };
    expect((await writePrices(world.db, [{ ...write, claim: stale }])).get(id)).toBe('written');

    await first.pause();
    const second = await openEngine(test);
    await within10s(test, () => expect(second.engines.shares.owns(id)).toBe(true));
    expect((await writePrices(world.db, [{ ...write, claim: stale }])).get(id)).toBe('newer_stands');
    const decide = vi.fn(async () => null);
    expect(await recordTrigger(world, priced, stale, { decide })).toMatchObject({ ours: false, isHeld: false });
    expect(decide).not.toHaveBeenCalled();
    expect(await desk.stored(id)).toMatchObject({ triggered: false });

    const claim = second.engines.shares.claimOf(id);
    expect((await writePrices(world.db, [{ ...write, claim }])).get(id)).toBe('written');
    expect(await recordTrigger(world, priced, claim, { decide })).toMatchObject({ ours: true, isHeld: true });
    expect(decide).toHaveBeenCalledTimes(1);
    for (const { engines } of [first, second]) await engines.stop();
  });
});
