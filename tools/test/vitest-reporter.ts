import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { nameFailure, withDifference } from './failure.ts';
import type { Tally } from './tally.ts';

/** A Vitest reporter that writes the run's tally to the file that TALLY_FILE names. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const passed = modules.reduce((count, { children }) => count + [...children.allTests('passed')].length, 0);
    const failures = [...modules.flatMap(failuresIn), ...unhandled.map(nameUnhandled)];
    const tally: Tally = { passed, failures };
    writeFileSync(process.env.TALLY_FILE ?? '', JSON.stringify(tally));
  }
}

/** Failed tests, and what went wrong around them: a file that does not load, a hook that fails, a worker that ends. */
function failuresIn(module: TestModule): string[] {
  const { moduleId, children } = module;
  const around = module.errors().map(({ message }) => nameFailure(moduleId, '', message));
  const hooks = [...children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => nameFailure(moduleId, suite.fullName, message)),
  );
  const tests = [...children.allTests('failed')].map((test) => {
    const [error] = test.result().errors ?? [];
    const line = error?.stacks?.find(({ file }) => file === moduleId)?.line;
    return nameFailure(
      line === undefined ? moduleId : `${moduleId}:${line}`,
      test.fullName,
      error && withDifference(error),
    );
  });
  const unfinished = ['pending', 'queued'].includes(module.state())
    ? [nameFailure(moduleId, '', 'did not finish')]
    : [];
  return [...around, ...hooks, ...tests, ...unfinished];
}

/** An error outside of any test, by the file and the test that ran when it came, where Vitest knows them. */
function nameUnhandled({ name, message, VITEST_TEST_PATH, VITEST_TEST_NAME }: SerializedError): string {
  const path = typeof VITEST_TEST_PATH === 'string' ? VITEST_TEST_PATH : 'Vitest';
  const during = typeof VITEST_TEST_NAME === 'string' ? VITEST_TEST_NAME : '';
  return nameFailure(path, during, `unhandled ${name ?? 'error'}: ${message}`);
}
