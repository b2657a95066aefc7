import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { ALL_PARTITIONS } from '../../platform/engines/division.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import { openDecisionJournal } from '../decision-journal/note.ts';
import { orderInstants } from '../decision-journal/ordered-instants.ts';
import { journalAt, journalBetween } from '../decision-journal/read.ts';
import type { Desk } from './live-prices.fixture.ts';
import { CHEAP, DEAR, openDeskAt, price, writesDone } from './trigger.fixture.ts';

const VENUE = 'simulated';

async function openNotedDesk(ask: string) {
  const { desk, id } = await openDeskAt(ask);
  desk.journal = openDecisionJournal(desk.test.runtime, onlyEngine().partitions);
  return { desk, id };
}

async function opportunityNow({ test }: Desk, id: string) {
  return (await journalAt(test.runtime.db, VENUE, test.time.clock.now())).opportunity.get(id);
}

async function decisions({ test }: Desk) {
  const all = [];
  const wanted = { decision: null };
  for await (const { at, data } of journalBetween(
    test.runtime.db,
    VENUE,
    0 as Instant,
    test.time.clock.now(),
    wanted,
  )) {
    if (data !== null) all.push({ at, ...(data as { rises: number; line: string; begunAt: Instant }) });
  }
  return all;
}

describe('opportunities in the decision journal', () => {
  it('say what is followed, how it stands to its trigger, and when it is not followed any more', async () => {
    const { desk, id } = await openNotedDesk(DEAR);
    await using _ = desk;
    const running = await desk.start();
    await writesDone(desk);
    const row = await desk.stored(id);
    expect(await opportunityNow(desk, id)).toMatchObject({
      ...{ targetPrice: row.targetPrice, relationId: null, aboveTrigger: false, rises: 0 },
      positions: [{ leg: 1, marketId: 'rain', outcome: 'Yes' }],
    });
    price(desk, CHEAP);
    await writesDone(desk);
    expect(await opportunityNow(desk, id)).toMatchObject({ aboveTrigger: true, rises: 1 });
    price(desk, DEAR);
    await writesDone(desk);
    expect(await opportunityNow(desk, id)).toMatchObject({ aboveTrigger: false, rises: 1 });
    running.live.forget(id);
    await writesDone(desk);
    expect(await opportunityNow(desk, id)).toBeUndefined();
  });

  it('are those of the engine that has it, and not ended by the one that had it before', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const { runtime } = desk.test;
    const [one, other] = [movingPartitions(true), movingPartitions(false)];
    const journals = [one, other].map(({ partitions }) => openDecisionJournal(runtime, partitions));
    for (const [nth, { partitions }] of [one, other].entries()) {
      desk.journal = journals[nth] ?? desk.journal;
      await desk.start(runtime, partitions);
      desk.journal.begin();
    }
    await writesDone(desk);
    expect(await opportunityNow(desk, id)).toMatchObject({ aboveTrigger: false });
    for (const [to, from] of [[other, one] as const, [one, other] as const]) {
      to.move(true);
      from.move(false);
      await desk.test.time.advance(30_000);
      expect(await opportunityNow(desk, id)).toMatchObject({ aboveTrigger: false });
    }
  });
});

/** All of them, or none. */
function movingPartitions(atFirst: boolean): { partitions: Partitions; move: (isHere: boolean) => void } {
  const listeners = openListeners<[gained: readonly number[]]>();
  let isHere = atFirst;
  const held = () => (isHere ? ALL_PARTITIONS : []);
  return {
    partitions: { owns: () => isHere, held, claimOf: () => null, onChange: listeners.add },
    move: (next) => {
      isHere = next;
      listeners.call(held());
    },
  };
}

describe('decisions in the decision journal', () => {
  it('are one for each rise, with the prices that it was seen by and what was decided', async () => {
    const { desk, id } = await openNotedDesk(DEAR);
    await using _ = desk;
    await desk.start();
    await writesDone(desk);
    const begunAt = desk.test.time.clock.now();
    price(desk, CHEAP);
    await writesDone(desk);
    desk.beforePlacing = async () => ['Trading is disarmed.'];
    price(desk, DEAR);
    await writesDone(desk);
    price(desk, CHEAP);
    await writesDone(desk);
    const [bought, refused, ...more] = await decisions(desk);
    expect(more).toEqual([]);
    expect(bought).toMatchObject({ rises: 1, begunAt, batchId: `batch of ${id}` });
    expect(JSON.parse(bought?.line ?? '')).toEqual([id, 1, 900_000, 0, 11_111_111, 1_000_000, [], []]);
    expect(refused).toMatchObject({ rises: 2, batchId: null });
    expect(JSON.parse(refused?.line ?? '')).toEqual([
      id,
      2,
      900_000,
      0,
      11_111_111,
      null,
      [],
      ['Trading is disarmed.'],
    ]);
  });

  it('say of one that has waited for its turn that its prices were those of before', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    let now = desk.test.time.clock.now();
    const instants = orderInstants({ now: () => now });
    desk.journal = openDecisionJournal(desk.test.runtime, onlyEngine().partitions, instants);
    desk.venue.list('snow');
    const showSnow = (ask: string) => desk.venue.setBooks({ 'snow:yes': { asks: [[ask, '500']] } });
    showSnow(DEAR);
    const waiting = await desk.add(['snow Yes']);
    const { live } = await desk.start();
    const placing = Promise.withResolvers<undefined>();
    desk.beforePlacing = () => placing.promise;
    price(desk, CHEAP);
    const seen = (ask: number) =>
      expect.poll(() => live.rowsNow([waiting])[0]?.currentPrice).toBe(setPriceFromNumber(ask));
    showSnow(CHEAP);
    await seen(0.9);
    const proposedAt = now;
    now = instantFromMs(now + 500);
    showSnow('0.80');
    await seen(0.8);
    placing.resolve(undefined);
    await writesDone(desk);
    const [first, second] = await decisions(desk);
    expect(JSON.parse(first?.line ?? '')[0]).toBe(id);
    expect(JSON.parse(second?.line ?? '').slice(0, 3)).toEqual([waiting.id, 1, 900_000]);
    expect(second?.begunAt).toBe(proposedAt);
  });

  it('are none of a rise that could not be recorded, and one once it was', async () => {
    const { desk } = await openNotedDesk(DEAR);
    await using _ = desk;
    await desk.start();
    await writesDone(desk);
    desk.beforePlacing = async () => {
      throw new Error('the database went away');
    };
    price(desk, CHEAP);
    await writesDone(desk);
    expect(await decisions(desk)).toEqual([]);
    desk.beforePlacing = async () => undefined;
    await desk.test.time.advance(10_000);
    await writesDone(desk);
    expect(await decisions(desk)).toHaveLength(1);
  });
});
