/** How many tests of a stage passed and failed; a skipped test is neither. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export const NOTHING: Tally = { passed: 0, failed: 0 };

/** A check that is one test by itself: the type check, the lint run. */
export function oneTest(passed: boolean): Tally {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A runner that failed without a failing test (a file that does not load, an error outside any test) failed once. */
export function countFailedRun(counted: Tally, runSucceeded: boolean): Tally {
  return runSucceeded || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), NOTHING);
}

export function format(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed`;
}
