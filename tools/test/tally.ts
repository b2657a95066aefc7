/** How many tests of a stage passed, and every one that failed, a line each; a skipped test is neither. */
export interface Tally {
  readonly passed: number;
  readonly failures: readonly string[];
}

export const NOTHING: Tally = { passed: 0, failures: [] };

export const ONE_PASSED: Tally = { passed: 1, failures: [] };

/** A check that is one test by itself and failed. */
export function oneFailed(failure: string): Tally {
  return { passed: 0, failures: [failure] };
}

/** A runner that failed without a failing test (an error outside any test, an interrupted run) failed once. */
export function countFailedRun(counted: Tally, runSucceeded: boolean, runner: string): Tally {
  if (runSucceeded || counted.failures.length > 0) return counted;
  return { ...counted, failures: [`${runner} failed outside of any test; its last words are above`] };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failures: [...a.failures, ...b.failures] }), NOTHING);
}

export function format({ passed, failures }: Tally): string {
  return `${passed} passed, ${failures.length} failed`;
}
