import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { runSeed } from './run-seed.ts';
import { SharedDatabase } from './shared-database.ts';

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
    const first = await runSeed(8, database, { world });
    const again = await runSeed(8, database, { world });
    expect(again.digest).toBe(first.digest);
    // What another has told is told otherwise.
    expect(digests).not.toContain(first.digest);
    digests.add(first.digest);
  });
});
