import { defineConfig } from 'vitest/config';

/** A workspace's tests lie beside its source. */
function workspace(name: string) {
  return { extends: true as const, test: { name, include: [`${name}/src/**/*.test.{ts,tsx}`] } };
}

export default defineConfig({
  test: {
    // These matter only to a test that hangs: a busy machine may be twenty times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Files of one process share what they load and the databases they lend; one more process than cores, as many wait.
    isolate: false,
    maxWorkers: 3,
    // Most of what tests make is garbage soon: collected more seldom, it takes a fifth less of the simulation's processor time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      ...['units', 'contract', 'engine', 'venues', 'exchange', 'web'].map(workspace),
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
          testTimeout: 300_000,
        },
      },
      { extends: true, test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
    ],
  },
});
