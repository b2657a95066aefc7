import { NOT_ASKED } from '@dutchbook/engine/relation/why-not-taken.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it, vi } from 'vitest';
import { writePrices } from '../../market/prices/price-writer.ts';
import { CHEAP, openDeskAt } from '../../market/prices/trigger.fixture.ts';
import { recordTrigger } from '../../market/prices/trigger.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { databaseNow } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { ALL_PARTITIONS, PARTITIONS } from './division.ts';
import { type Engines, openEngines } from './engines.ts';
import { enginePartitions } from './table.ts';

type Stoppable = { engines: Engines; pause: () => Promise<void>; goOn: () => void };

/** An engine of its own that can be stopped as a machine stops a process: it does nothing, and knows nothing of it. */
async function openEngine(
  test: TestRuntime,
  { isEngine = true, ...own }: Partial<Runtime> & { isEngine?: boolean } = {},
): Promise<Stoppable> {
  let isPaused = false;
  const unlessPaused = <Given extends unknown[]>(work: (...given: Given) => Promise<void> | void) => {
    return (...given: Given) => (isPaused ? undefined : work(...given));
  };
  const { timers, pubsub } = test.runtime;
  const runtime: Runtime = {
    ...test.runtime,
    ...own,
    timers: { ...timers, every: (ms, work) => timers.every(ms, unlessPaused(work)) },
    pubsub: { ...pubsub, subscribe: (notice, react) => pubsub.subscribe(notice, unlessPaused(react)) },
  };
  const engines = await openEngines(runtime);
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

const counts = (...engines: Stoppable[]) => engines.map((each) => each.engines.partitions.held()?.length ?? PARTITIONS);

/** Lets so many seconds pass, and all that follows from them. */
async function pass({ time }: TestRuntime, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await time.advance(1000);
}

/** Lets seconds pass until it is as `check` says, ten at most. */
async function within10s(test: TestRuntime, check: () => void): Promise<void> {
  for (let second = 1; second < 10; second += 1) {
    await pass(test, 1);
    try {
      return check();
    } catch {}
  }
  await pass(test, 1);
  check();
}

/** Each partition has the owner that the engines themselves say, and none has two. */
async function expectOneOwnerEach({ runtime }: TestRuntime, ...engines: Stoppable[]): Promise<void> {
  const held = engines.flatMap((each) => each.engines.partitions.held() ?? []);
  expect(held.toSorted((one, other) => one - other)).toEqual(ALL_PARTITIONS);
  const owners = await runtime.db.select({ owner: enginePartitions.owner }).from(enginePartitions);
  expect(new Set(owners.map(({ owner }) => owner)).size).toBe(engines.length);
}

describe('engines on one %s', () => {
  it('even out when one joins, and take over what one leaves at once and what one dies with within ten seconds', async () => {
    await using test = await openTestRuntime();
    const first = await openEngine(test);
    expect(counts(first)).toEqual([PARTITIONS]);
    const second = await openEngine(test);
    const third = await openEngine(test);
    await within10s(test, () => expect(counts(first, second, third).toSorted()).toEqual([21, 21, 22]));
    await expectOneOwnerEach(test, first, second, third);
    expect(first.engines.alive()).toBe(3);

    await third.pause();
    await within10s(test, () => expect(counts(first, second)).toEqual([32, 32]));
    await expectOneOwnerEach(test, first, second);

    await second.engines.stop();
    await within10s(test, () => expect(counts(first)).toEqual([PARTITIONS]));
    await first.engines.stop();
  });

  it('share evenly whatever their own clocks say, and go by the clock of the database', async () => {
    await using test = await openTestRuntime();
    const { clock } = test.runtime;
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
    await using test = await openTestRuntime();
    const first = await openEngine(test);
    const opportunityId = test.runtime.random.uuid();
    const stale = first.engines.partitions.claimOf(opportunityId);
    await first.pause();
    const second = await openEngine(test);
    await within10s(test, () => expect(counts(second)).toEqual([PARTITIONS]));
    // It has not found out yet.
    expect(first.engines.partitions.owns(opportunityId)).toBe(true);
    expect(first.engines.partitions.claimOf(opportunityId)).toEqual(stale);
    first.goOn();
    await within10s(test, () => expect(counts(first, second)).toEqual([32, 32]));
    await expectOneOwnerEach(test, first, second);
    await first.engines.stop();
    await second.engines.stop();
  });

  it('are looked at by processes that are none, which show the worst of their feeds, and down where there is none', async () => {
    await using test = await openTestRuntime();
    const api = await openEngine(test, { isEngine: false });
    expect(api.engines.feed()).toBe('down');
    const first = await openEngine(test);
    const second = await openEngine(test);
    second.engines.tellFeed((venue) => (venue === 'kalshi' ? 'down' : 'degraded'), ['polymarket', 'kalshi']);
    const { feed, alive, partitions } = api.engines;
    const seen = () => [feed(), feed('polymarket'), feed('kalshi'), alive(), partitions.held()];
    await within10s(test, () => expect(seen()).toEqual(['degraded', 'degraded', 'down', 2, []]));
    for (const { engines } of [first, second]) await engines.stop();
    await within10s(test, () => expect(api.engines.feed()).toBe('down'));
    await api.engines.stop();
  });

  it('neither trigger nor write by a claim on what another has taken since', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    const { test } = desk;
    const { runtime } = test;
    const first = await openEngine(test);
    const stale = first.engines.partitions.claimOf(id);
    const row = { ...(await desk.stored(id)), lastChecked: runtime.clock.now() };
    const priced = { ...row, currentPrice: row.targetPrice, feesPerSet: 0 as never, profitPercentage: 0 as never };
    const write = { row: priced, falls: false, isPointDue: false };
    expect((await writePrices(runtime.db, [{ ...write, claim: stale }])).get(id)).toBe('written');

    await first.pause();
    const second = await openEngine(test);
    await within10s(test, () => expect(second.engines.partitions.owns(id)).toBe(true));
    expect((await writePrices(runtime.db, [{ ...write, claim: stale }])).get(id)).toBe('newer_stands');
    const decide = vi.fn(async () => ({ refusals: [] }));
    const look = () => decide;
    expect(await recordTrigger(runtime, priced, stale, { look }, [])).toEqual({ kind: 'not_held' });
    expect(decide).not.toHaveBeenCalled();
    expect(await desk.stored(id)).toMatchObject({ triggered: false });

    const claim = second.engines.partitions.claimOf(id);
    expect((await writePrices(runtime.db, [{ ...write, claim }])).get(id)).toBe('written');
    expect(await recordTrigger(runtime, priced, claim, { look }, [])).toEqual({
      kind: 'recorded',
      batchId: null,
      refusal: NOT_ASKED,
    });
    expect(decide).toHaveBeenCalledTimes(1);
    for (const { engines } of [first, second]) await engines.stop();
  });
});
