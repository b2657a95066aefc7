import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{units,contract,engine,venues,exchange,server,web,tools}/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
