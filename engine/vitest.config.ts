import { defineConfig } from 'vitest/config';

/** Of the mutation run alone: its worker threads cannot take the flags of Node that the other tests' processes start with. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // It plants its faults into the sources, which that run has changed already.
    exclude: ['src/desk/planted-faults.test.ts'],
    // Thousands of random runs take long on code that counts its mutants.
    testTimeout: 120_000,
  },
});
