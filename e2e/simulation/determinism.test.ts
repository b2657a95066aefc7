import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('tells the same story whenever it is run, and another one than its neighbour', async () => {
    const first = await runSeed(8, database);
    const neighbour = await runSeed(9, database);
    const again = await runSeed(8, database);
    expect(again.digest).toBe(first.digest);
    expect(neighbour.digest).not.toBe(first.digest);
  });
});
