import { isGenerated } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { walk } from '../syntax.ts';

const SILENCER = /@ts-(ignore|expect-error|nocheck)|(biome|eslint|oxlint)-(ignore|disable)|prettier-ignore/;

/** The type checker and the linter are answered, not silenced. */
export const escapeHatches: Rule = {
  name: 'no any, and no comment that silences a checker',
  find: (house) => house.sources.filter((file) => !isGenerated(file.path)).flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const findings: Finding[] = file.comments.flatMap(({ value, start }) => {
    const silencer = value.match(SILENCER)?.[0];
    return silencer === undefined
      ? []
      : [{ path: file.path, line: file.lineAt(start), reason: `${silencer} silences a checker` }];
  });
  walk(file.program, (node) => {
    if (node.type !== 'TSAnyKeyword') return;
    findings.push({
      path: file.path,
      line: file.lineAt(node.start),
      reason: 'any turns type checking off: say unknown and look',
    });
  });
  return findings;
}
