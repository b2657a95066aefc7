import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readDraft } from '../opportunities/draft.ts';
import { insertDrafts } from '../opportunities/insert-drafts.ts';
import { followOpportunities } from './opportunity-changes.ts';

/** Answers their ids, in the order of the names. All are of one instant. */
async function added({ runtime }: TestRuntime, names: readonly string[], positions = 1): Promise<string[]> {
  const drafts = names.map((name) => {
    const markets = Array.from({ length: positions }, (_, nth) => ({ id: `${name}-${nth}`, outcome: 'Yes' }));
    const read = readDraft({ market_combinations: [{ leg: 1, markets }], target_price: 1 });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(runtime, drafts);
  return drafts.map(({ contentHash }) => created.get(contentHash) ?? '');
}

describe('changes of opportunities', () => {
  it('are published once, and also of what is committed late at an instant that has been read', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const changes = followOpportunities(runtime.db, runtime.clock.now, () => null);
    const received = async () => {
      const ids: string[] = [];
      await changes.read(({ id }) => void ids.push(id));
      return ids.toSorted();
    };
    const [first = ''] = await added(test, ['first']);
    expect(await received()).toEqual([first]);
    await time.advance(2000);
    expect(await received()).toEqual([first]);
    const together = await added(test, ['second', 'third']);
    expect(await received()).toEqual(together.toSorted());
    expect(await received()).toEqual([]);
    const [late = ''] = await added(test, ['late']);
    expect(await received()).toContain(late);
    expect(await received()).toEqual([]);
  });

  it('of more rows of one instant than one page holds are each published once, with other tasks run in between', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const changes = followOpportunities(runtime.db, runtime.clock.now, () => null);
    await changes.read(() => {});
    const names = Array.from({ length: 120 }, (_, nth) => `market-${nth}`);
    const ids = await added(test, names, 50);
    const received: string[] = [];
    let readInTick = 0;
    let mostInTick = 0;
    const reading = changes.read(({ id }) => {
      received.push(id);
      readInTick += 1;
      mostInTick = Math.max(mostInTick, readInTick);
    });
    while (received.length < ids.length) {
      await setImmediate();
      readInTick = 0;
    }
    await reading;
    expect(received.toSorted()).toEqual(ids.toSorted());
    expect(mostInTick).toBeLessThanOrEqual(10);
  });
});
