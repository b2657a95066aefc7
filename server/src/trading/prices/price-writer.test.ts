import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readDraft } from '../../opportunities/draft.ts';
import { insertDrafts, readOpportunities } from '../../opportunities/store.ts';
import { openTestWorld } from '../../world/test-world.ts';
import { writePrices } from './price-writer.ts';

const ROWS = 1000;
/** In statements of fifty rows. */
const PAUSES = 19;

it('lets frames and calls in between the statements that write many prices', async () => {
  await using test = await openTestWorld('pglite');
  const { world } = test;
  const drafts = Array.from({ length: ROWS }, (_, index) => {
    const read = readDraft({
      market_combinations: [{ leg: 1, markets: [{ id: `m${index}`, outcome: 'Yes' }] }],
      target_price: 1,
    });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(world, drafts);
  const rows = await readOpportunities(world.db, [...created.values()]);
  let isWriting = true;
  let turns = 0;
  const countTurns = (async () => {
    for (; isWriting; turns += 1) await turn();
  })();
  const lastChecked = world.clock.now();
  const outcomes = await writePrices(
    world.db,
    rows.map((row) => ({ row: { ...row, lastChecked }, falls: false, isPointDue: false, claim: null })),
  );
  isWriting = false;
  await countTurns;
  expect(outcomes.size).toBe(ROWS);
  expect(turns).toBeGreaterThanOrEqual(PAUSES);
});
