import { isTest } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { dottedName, walk } from '../syntax.ts';

const SKIPPED =
  /^(test|it|describe|suite|bench)\.(\w+\.)*(skip|only|todo|fixme|fails)$|^(xit|xtest|xdescribe|fit|fdescribe)$/;

/** Every test runs. One that needs something the machine may lack says so at run time, with `skipIf`. */
export const skippedTests: Rule = {
  name: 'no skipped or singled-out test',
  find: (house) => house.sources.filter((file) => isTest(file.path)).flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  walk(file.program, (node) => {
    const name = node.type === 'CallExpression' ? dottedName(node.callee) : undefined;
    if (name === undefined || !SKIPPED.test(name)) return;
    findings.push({ path: file.path, line: file.lineAt(node.start), reason: `${name} leaves tests out` });
  });
  return findings;
}
