/** Random runs as tests: a seed that fails is named, and what led to it is printed. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { replayOf, runSeed, type World } from './run-seed.ts';
import { SharedDatabase } from './shared-database.ts';

const LINES_TOLD = 60;

interface Seeds {
  readonly seeds: number;
  readonly perChange: number;
  readonly world: World;
}

/** Seeds 1 to `seeds` in `npm run test:all`; as many of them as `perChange`, by the commit's hash, otherwise. */
export function describeSeeds({ seeds, perChange, world }: Seeds): void {
  describe('the product, whatever happens to it', () => {
    let database: SharedDatabase;

    beforeAll(async () => {
      database = await SharedDatabase.open();
    });
    afterAll(async () => {
      await database.close();
    });

    // One each: a machine that is busy elsewhere may take minutes for five of them, and one that hangs takes the others along.
    for (const seed of seedsNow(seeds, perChange)) {
      it(`keeps all its promises with seed ${seed}`, () => runReported(seed, database, world));
    }
  });
}

async function runReported(seed: number, database: SharedDatabase, world: World): Promise<void> {
  const story: string[] = [];
  try {
    await runSeed(seed, database, { world, tell: (line) => story.push(line) });
  } catch (error) {
    const reported = story.slice(-LINES_TOLD).join('\n');
    throw new Error(`${String(error)}\nReplay it with: ${replayOf(seed, world)}\n${reported}`, { cause: error });
  }
}

/** The seeds from 1 to `seeds` that this run includes. */
function seedsNow(seeds: number, perChange: number): number[] {
  const all = Array.from({ length: seeds }, (_, index) => index + 1);
  return chosenNow(all, perChange, String);
}
