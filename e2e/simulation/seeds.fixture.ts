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

    // One each: a machine that is busy elsewhere may take minutes for five of them, and one that hangs takes the others along.
    for (let seed = first; seed < first + count; seed += 1) {
      it(`keeps all its promises with seed ${seed}`, () => runTold(seed, database, world));
    }
  });
}

async function runTold(seed: number, database: SharedDatabase, world: World): Promise<void> {
  const story: string[] = [];
  try {
    await runSeed(seed, database, { world, tell: (line) => story.push(line) });
  } catch (error) {
    const told = story.slice(-LINES_TOLD).join('\n');
    throw new Error(`${String(error)}\nReplay it with: ${replayOf(seed, world)}\n${told}`, { cause: error });
  }
}
