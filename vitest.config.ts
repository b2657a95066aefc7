import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftOut } from './tools/test/costly.ts';

/** The commit by which `npm test` chooses of files that are alike; a file that somebody names by hand always runs. */
const { FILES_BY_COMMIT } = process.env;

/**
 * Begun last, they would keep the run: those that mostly wait, for leases, streams and processes, while the cores have nothing
 * to do, and those that keep one core each.
 */
const LONGEST = [
  'e2e/trading/kills-while-buying.test.ts',
  'e2e/trading/outages.test.ts',
  'e2e/rehearsal/changed.test.ts',
  'e2e/trading/two-processes.test.ts',
  'e2e/trading/many.test.ts',
  'e2e/trading/kills-after-buying.test.ts',
  'e2e/trading/kills-over-sign-offs.test.ts',
  'e2e/rehearsal/hole.test.ts',
  'e2e/rehearsal/unchanged.test.ts',
  'e2e/simulation/seeds.test.ts',
  'e2e/simulation/seeds-with-exits.test.ts',
  'e2e/simulation/faults-machine.test.ts',
  'e2e/security/roles.test.ts',
  'e2e/security/fuzz.test.ts',
  'e2e/trading/results.test.ts',
  'e2e/trading/restore.test.ts',
  'e2e/trading/worlds.test.ts',
  'e2e/security/hang-up.test.ts',
  'venues/src/polymarket/conformance.test.ts',
  'venues/src/polymarket/chain/conformance.test.ts',
  'server/src/trading/batches/split.test.ts',
  'server/src/trading/chain-steps/given-up.test.ts',
  'server/src/trading/chain-steps/kills.test.ts',
  'server/src/memory/recordings/hockey-final.test.ts',
  'server/src/books/exits/automatic.test.ts',
  'server/src/trading/chain-steps/faults.test.ts',
  'server/src/platform/database/own-postgres/hard-starts.test.ts',
  'server/src/trading/venue-moves/book-redemptions.test.ts',
  'server/src/books/exits/backs-off.test.ts',
  'server/src/memory/rehearsals/rehearsal-loop.test.ts',
  'web/src/routes/states.screen.test.tsx',
  'web/src/routes/relation.screen.test.tsx',
  'web/src/routes/lists.screen.test.tsx',
];

/** Begins with what takes longest, and goes on as Vitest would. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place < 0 ? LONGEST.length : place;
}

/** A workspace's tests lie beside its source. */
function workspace(name: string) {
  return { extends: true as const, test: { name, include: [`${name}/src/**/*.test.{ts,tsx}`] } };
}

export default defineConfig({
  test: {
    // These matter only to a test that hangs: a busy machine may be twenty times slower than an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Whatever becomes of the test that has set them.
    unstubEnvs: true,
    exclude: [...configDefaults.exclude, ...(FILES_BY_COMMIT === undefined ? [] : leftOut(FILES_BY_COMMIT))],
    experimental: {
      // A test that fails shows what it waited for, and for how long.
      traceTimeline: true,
      // Node loads the sources itself, as the product's commands do: Vite's loader makes each use of an import a lookup.
      viteModuleRunner: false,
    },
    pool: 'forks',
    // Files of one process share what they load and the databases they lend; two more processes than cores, as many wait.
    isolate: false,
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Most of what tests make is garbage soon: collected more seldom, it takes a fifth less of the simulation's processor time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      ...['units', 'contract', 'engine', 'venues', 'exchange', 'recordings'].map(workspace),
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.screen.test.tsx'],
          // Node reads no JSX.
          experimental: { viteModuleRunner: true },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          globalSetup: ['tools/postgres/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['tools/start/global-setup.ts', 'tools/postgres/global-setup.ts'],
        },
      },
      // `npm run test:kills` alone runs it.
      {
        extends: true,
        test: {
          name: 'kills',
          include: ['e2e/trading/kills-*.test.ts', 'e2e/trading/kills-*.run.ts'],
          globalSetup: ['tools/start/global-setup.ts', 'tools/postgres/global-setup.ts'],
        },
      },
      'web/vitest.config.ts',
      { extends: true, test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
      // What questions with a number decide; the numbers themselves are asked by `npm run bench`.
      { extends: true, test: { name: 'bench', include: ['bench/**/*.test.ts'] } },
    ],
  },
});
