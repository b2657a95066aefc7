/** Random runs as tests: a seed that fails is named, and what led to it is told. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { replayOf, runSeed, type World } from './run-seed.ts';
import { SharedDatabase } from './shared-database.ts';

const LINES_TOLD = 60;

/** `count` seeds from `first` on. */
export function describeSeeds(first: number, count: number, world: World = 'trading'): void {
  describe('the product, whatever happens to it', () => {
    let database: SharedDatabase;

    beforeAll(async () => {
      database = await SharedDatabase.open();
    });
    afterAll(async () => {
      await database.close();
    });

    for (let from = first; from < first + count; from += SEEDS_PER_TEST) {
      const to = Math.min(from + SEEDS_PER_TEST, first + count) - 1;
      it(`keeps all its promises with seeds ${from} to ${to}`, async () => {
        for (let seed = from; seed <= to; seed += 1) await runTold(seed, database, world);
      });
    }
  });
}

const SEEDS_PER_TEST = 5;

async function runTold(seed: number, database: SharedDatabase, world: World): Promise<void> {
  const story: string[] = [];
  try {
    await runSeed(seed, database, { world, tell: (line) => story.push(line) });
  } catch (error) {
    const told = story.slice(-LINES_TOLD).join('\n');
    throw new Error(`${String(error)}\nReplay it with: ${replayOf(seed, world)}\n${told}`, { cause: error });
  }
}
