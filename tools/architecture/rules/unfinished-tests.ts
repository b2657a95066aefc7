import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { dottedName, walk } from '../syntax.ts';

/** `runIf` and `skipIf` say which machine cannot run a test, and stay. */
const LEFT_OUT = /^(it|test|describe|suite|bench)\.(\w+\.)*(todo|fails?|fixme|skip|only)$/;

/** A test that is planned, known to fail, left out or the only one that runs shows nothing of the rest. */
export const unfinishedTests: Rule = {
  name: 'no test that is planned, left out or expected to fail',
  find: (repository) => repository.sources.flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const found: Finding[] = [];
  walk(file.program, (node) => {
    const name = dottedName(node);
    if (name !== undefined && LEFT_OUT.test(name))
      found.push({ path: file.path, line: file.lineAt(node.start), reason: `${name} leaves a test out` });
  });
  return found;
}
