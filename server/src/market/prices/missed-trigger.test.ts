import { NOT_ASKED } from '@dutchbook/engine/relation/why-not-taken.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { opportunities } from '../opportunities/table.ts';
import type { Desk } from './live-prices.fixture.ts';
import { missedTriggers } from './table.ts';
import { CHEAP, openDeskAt, writesDone } from './trigger.fixture.ts';

function missed({ test }: Desk) {
  return test.runtime.db.select().from(missedTriggers);
}

/** A set costs 0.90 dollars, 500 are on offer and each pays a dollar. */
const MISSED = {
  source: 'import',
  eventId: 'rain',
  eventTitle: 'Will rain happen?',
  profit: 50_000_000,
  size: 500_000_000,
};

async function openImported() {
  const { desk, id } = await openDeskAt(CHEAP);
  await desk.test.runtime.db.update(opportunities).set({ source: 'import' }).where(eq(opportunities.id, id));
  return { desk, id };
}

it('keeps what a trigger would have made where gates refuse it, with what they say', async () => {
  const { desk, id } = await openImported();
  await using _ = desk;
  desk.beforePlacing = async () => ['Trading is disarmed.', 'Leg 1: book is 48 s old.'];
  await desk.start();
  await desk.untilStored(id, { triggered: true });
  await writesDone(desk);
  const refusal = 'Trading is disarmed. Leg 1: book is 48 s old.';
  expect(await missed(desk)).toMatchObject([{ ...MISSED, opportunityId: id, refusal }]);
});

it('keeps it where no orders were asked for', async () => {
  const { desk, id } = await openImported();
  await using _ = desk;
  desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
  await desk.start();
  await desk.untilStored(id, { triggered: true });
  expect(await missed(desk)).toMatchObject([{ ...MISSED, opportunityId: id, refusal: NOT_ASKED }]);
});

it('keeps it where orders are only simulated', async () => {
  const { desk, id } = await openImported();
  await using _ = desk;
  desk.settings.change({ ORDER_SIMULATION_ENABLED: true });
  await desk.start();
  await desk.untilStored(id, { triggered: true });
  await writesDone(desk);
  expect(desk.placed).toEqual([id]);
  expect(await missed(desk)).toMatchObject([{ ...MISSED, opportunityId: id, refusal: 'Orders were only simulated.' }]);
});

it('keeps nothing where it is bought', async () => {
  const { desk, id } = await openImported();
  await using _ = desk;
  await desk.start();
  await desk.untilStored(id, { triggered: true });
  await writesDone(desk);
  expect(desk.placed).toEqual([id]);
  expect(await missed(desk)).toEqual([]);
});
