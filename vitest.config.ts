import { relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftOut, secondsOf } from './tools/test/costly.ts';

/** The commit by which `npm test` chooses of costly files; a file that a developer names by hand always runs. */
const { FILES_BY_COMMIT } = process.env;

/** Begins with what costs most, which begun last would keep the run waiting, and goes on as Vitest would. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => costOf(other) - costOf(one));
  }
}

function costOf({ moduleId }: TestSpecification): number {
  return secondsOf(relative(import.meta.dirname, moduleId));
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
