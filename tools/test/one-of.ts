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
  // What every call of the API is held to.
  ['e2e/security/canary.test.ts', 'e2e/security/fuzz.test.ts', 'e2e/security/docs-examples.test.ts'],
  // Which index a list of thousands of rows is read from.
  [
    'server/src/trading/batches/list-plans.test.ts',
    'server/src/market/opportunities/list-plans.test.ts',
    'server/src/market/relations/list-plans.test.ts',
    'server/src/people/notifications/list-plans.test.ts',
  ],
  // What was recorded, and what is read from it.
  ['web/src/routes/flight-recorder.screen.test.tsx', 'web/src/routes/rehearsals.screen.test.tsx'],
  // How somebody comes in, and what is seen then.
  ['e2e/browser/login.spec.ts', 'e2e/browser/second-factor.spec.ts', 'e2e/browser/sign-offs.spec.ts'],
  ['e2e/browser/shell.spec.ts', 'e2e/browser/hostile-text.spec.ts', 'e2e/browser/notifications-sending.spec.ts'],
];

/** The files of `rows` that do not run at this commit. */
export function leftOut(commit: string, rows = ONE_OF): string[] {
  return rows.flatMap((row) => {
    const chosen = createHash('sha256').update(`${commit} ${row[0]}`).digest().readUInt32BE() % row.length;
    return row.filter((_, place) => place !== chosen);
  });
}
