import { createHash } from 'node:crypto';

/**
 * Files that prove one promise over different ways, and cost ten processor seconds and more each. Of each row the commit's hash
 * chooses the one that `npm test` runs; `npm run test:all` runs them all.
 */
export const ONE_OF: readonly (readonly string[])[] = [
  [
    'e2e/trading/kills-while-buying.test.ts',
    'e2e/trading/kills-after-buying.test.ts',
    'e2e/trading/kills-over-sign-offs.test.ts',
  ],
  ['e2e/rehearsal/changed.test.ts', 'e2e/rehearsal/hole.test.ts', 'e2e/rehearsal/unchanged.test.ts'],
  ['e2e/trading/two-processes.test.ts', 'e2e/trading/many.test.ts'],
  [
    'server/src/trading/chain-steps/given-up.test.ts',
    'server/src/trading/chain-steps/faults.test.ts',
    'server/src/trading/chain-steps/kills.test.ts',
  ],
];

/** The files of `rows` that do not run at this commit. */
export function leftOut(commit: string, rows = ONE_OF): string[] {
  return rows.flatMap((row) => {
    const chosen = createHash('sha256').update(`${commit} ${row[0]}`).digest().readUInt32BE() % row.length;
    return row.filter((_, place) => place !== chosen);
  });
}
