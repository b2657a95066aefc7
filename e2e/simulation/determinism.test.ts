import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { runSeed } from './run-seed.ts';
import { SharedDatabase } from './shared-database.ts';

/** That of trading has both venues. */
const SEEDS = { trading: 9, exits: 8 } as const;

describe('a seed', () => {
  let database: SharedDatabase;

  beforeAll(async () => {
    database = await SharedDatabase.open();
  });
  afterAll(async () => {
    await database.close();
  });

  const worlds = chosenNow(['trading', 'exits'] as const, 1, String);
  const digests = new Set<string>();

  it.each(worlds)('tells the same story whenever it is run, with %s', async (world) => {
    const first = await runSeed(SEEDS[world], database, { world });
    const again = await runSeed(SEEDS[world], database, { world });
    expect(again.digest).toBe(first.digest);
    // What another has told is told otherwise.
    expect(digests).not.toContain(first.digest);
    digests.add(first.digest);
  });
});
