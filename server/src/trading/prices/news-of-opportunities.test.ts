import { describe, expect, it } from 'vitest';
import { readDraft } from '../../opportunities/draft.ts';
import { insertDrafts } from '../../opportunities/store.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../../world/test-world.ts';
import { followOpportunities } from './news-of-opportunities.ts';

/** Answers their ids, in the order of the names. */
async function added({ world }: TestWorld, names: readonly string[]): Promise<string[]> {
  const drafts = names.map((id) => {
    const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id, outcome: 'Yes' }] }], target_price: 1 });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(world, drafts);
  return drafts.map(({ contentHash }) => created.get(contentHash) ?? '');
}

describe.each(testDatabases)('news of opportunities, on %s', (kind) => {
  it('are told once, and also of what is committed late at a moment that has been read', async () => {
    await using test = await openTestWorld(kind);
    const { world, time } = test;
    const news = followOpportunities(world.db, world.clock.now, () => null);
    const told = async () => {
      const ids: string[] = [];
      await news.read((rows) => void ids.push(...rows.map(({ id }) => id)));
      return ids.toSorted();
    };
    const [first = ''] = await added(test, ['first']);
    expect(await told()).toEqual([first]);
    await time.advance(2000);
    expect(await told()).toEqual([first]);
    const together = await added(test, ['second', 'third']);
    expect(await told()).toEqual(together.toSorted());
    expect(await told()).toEqual([]);
    const [late = ''] = await added(test, ['late']);
    expect(await told()).toContain(late);
    expect(await told()).toEqual([]);
  });
});
