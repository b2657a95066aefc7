/** What becomes of relations that an engine leaves and takes up again. */

import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { partitionOf } from '../../platform/engines/division.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import { editOpportunity } from '../opportunities/edit.ts';
import { rejectRelation } from '../relations/decide.ts';
import { mayTradeUntilEnd } from '../relations/store.ts';
import { BOSS, cupOf, openDiscoveryDesk } from './discovery.fixture.ts';

const FAIR = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.20', '0.22'] } as const;
const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] } as const;

/** The partitions of one engine, which the test adds and removes. */
function movedPartitions(own: readonly number[]) {
  const held = new Set(own);
  const listeners = openListeners<[gained: readonly number[]]>();
  const partitions: Partitions = {
    owns: (id) => held.has(partitionOf(id)),
    held: () => [...held],
    claimOf: () => null,
    onChange: listeners.add,
  };
  return {
    partitions,
    give: (partition: number) => {
      held.add(partition);
      listeners.call([partition]);
    },
    take: (partition: number) => {
      held.delete(partition);
      listeners.call([]);
    },
  };
}

async function openCup() {
  const desk = await openDiscoveryDesk();
  desk.desk.events = [cupOf(['a', 'b', 'c'])];
  const reading = await desk.start();
  await desk.pass();
  await reading.stop();
  desk.quote(FAIR);
  const [cup = expect.fail('the cup is not a relation')] = await desk.relations('exactly_one');
  return { desk, partition: partitionOf(cup.id) };
}

it('leaves a found opportunity active that still pays when another engine follows its relation', async () => {
  const { desk, partition } = await openCup();
  await using _ = desk;
  const before = movedPartitions([partition]);
  const after = movedPartitions([]);
  const engines = [await desk.start(before.partitions), await desk.start(after.partitions)];
  await desk.pass(2);
  desk.quote(CHEAP);
  await desk.pass(2);
  expect(await desk.found()).toMatchObject([{ active: true }]);
  before.take(partition);
  after.give(partition);
  await desk.pass(12);
  expect(await desk.found()).toMatchObject([{ active: true }]);
  desk.quote(FAIR);
  await desk.pass(10);
  expect(await desk.found()).toMatchObject([{ active: false }]);
  for (const engine of engines) await engine.stop();
});

it('reads the relations of a partition that has come once the database answers again', async () => {
  const { desk, partition } = await openCup();
  await using _ = desk;
  const moved = movedPartitions([]);
  const engine = await desk.start(moved.partitions);
  await desk.pass(15);
  await desk.runtime.db.execute(sql`alter table relation_prices rename to away`);
  moved.give(partition);
  await desk.pass(2);
  await desk.runtime.db.execute(sql`alter table away rename to relation_prices`);
  await desk.pass(6);
  desk.quote(CHEAP);
  await desk.pass(2);
  expect(await desk.found()).toMatchObject([{ active: true }]);
  await engine.stop();
});

it('opens a found opportunity again that still pays when its relation is approved right after it was rejected', async () => {
  const { desk } = await openCup();
  await using _ = desk;
  const engine = await desk.start();
  desk.quote(CHEAP);
  await desk.pass(3);
  const [cup = expect.fail('the cup is not watched')] = await desk.relations('exactly_one');
  await rejectRelation(desk.runtime, { id: cup.id, actor: BOSS }, 'a slip of the hand');
  await desk.pass(1);
  expect(await desk.found()).toMatchObject([{ active: false }]);
  await desk.approve(cup);
  await desk.pass(3);
  expect(await desk.found()).toMatchObject([{ active: true }]);
  await engine.stop();
});

it('lets the target of what it has found be lowered by hand, never raised above what the set pays', async () => {
  const { desk } = await openCup();
  await using _ = desk;
  const engine = await desk.start();
  desk.quote(CHEAP);
  await desk.pass(3);
  const [found = expect.fail('nothing was found')] = await desk.found();
  const setTo = (target: number) =>
    editOpportunity(desk.runtime, {
      ...{ id: found.id, edit: { targetPrice: setPriceFromNumber(target) }, thresholdPct: PERCENT_ZERO, actor: BOSS },
    });
  await expect(setTo(1.000001)).rejects.toMatchObject({
    status: 422,
    detail: [{ loc: ['body', 'target_price'], msg: expect.stringContaining('can only be lowered, from 1:') }],
  });
  expect(await desk.found()).toMatchObject([{ targetPrice: 1_000_000 }]);
  expect(await setTo(0.99)).toMatchObject({ isChanged: true, row: { targetPrice: 990_000 } });
  await engine.stop();
});

it('refuses to open again by hand what a void relation has found, until that relation is approved', async () => {
  const { desk } = await openCup();
  await using _ = desk;
  const engine = await desk.start();
  desk.quote(CHEAP);
  await desk.pass(3);
  const [found = expect.fail('nothing was found')] = await desk.found();
  const open = () =>
    editOpportunity(desk.runtime, {
      ...{ id: found.id, edit: { active: true }, thresholdPct: PERCENT_ZERO, actor: BOSS },
      mayBeFound: (tx, relationId) => mayTradeUntilEnd(tx, relationId, desk.settings.current()),
    });
  desk.desk.events = [cupOf(['a', 'b', 'c'], { augmented: true })];
  await desk.pass();
  expect(await desk.found()).toMatchObject([{ active: false }]);
  await expect(open()).rejects.toMatchObject({ status: 409 });
  desk.desk.events = [cupOf(['a', 'b', 'c'])];
  await desk.pass();
  const [cup = expect.fail('the cup is gone')] = await desk.relations('exactly_one');
  expect(cup.state).toBe('void');
  await expect(open()).rejects.toMatchObject({ status: 409 });
  await engine.stop();
  await desk.approve(cup);
  expect(await open()).toMatchObject({ isChanged: true, row: { active: true } });
});
