import { repositoryRoot, say } from '../repository.ts';
import { ONE_PASSED, oneFailed, sum, type Tally } from '../test/tally.ts';
import { readHouse } from './house.ts';
import type { Rule } from './rule.ts';
import { attackTable } from './rules/attack-table.ts';
import { coverageTable } from './rules/coverage-table.ts';
import { declaredDependencies } from './rules/declared-dependencies.ts';
import { escapeHatches } from './rules/escape-hatches.ts';
import { featureCycles } from './rules/feature-cycles.ts';
import { folderNames } from './rules/folder-names.ts';
import { importTable } from './rules/import-table.ts';
import { leftovers } from './rules/leftovers.ts';
import { machinePaths } from './rules/machine-paths.ts';
import { noBarrels } from './rules/no-barrels.ts';
import { pureFolders } from './rules/pure-folders.ts';
import { size } from './rules/size.ts';
import { skippedTests } from './rules/skipped-tests.ts';
import { supplyChain } from './rules/supply-chain.ts';
import { unreachedFiles } from './rules/unreached-files.ts';
import { unusedExports } from './rules/unused-exports.ts';

const RULES: readonly Rule[] = [
  importTable,
  declaredDependencies,
  pureFolders,
  folderNames,
  noBarrels,
  featureCycles,
  unreachedFiles,
  unusedExports,
  escapeHatches,
  leftovers,
  skippedTests,
  machinePaths,
  supplyChain,
  attackTable,
  coverageTable,
  size,
];

/** Holds every rule against the repository and prints each place that breaks one. A rule counts as one test. */
export function checkWalls(): Tally {
  const house = readHouse(repositoryRoot);
  return sum(
    RULES.map((rule) => {
      const findings = rule.find(house);
      say(`${findings.length === 0 ? '✓' : '✗'} ${rule.name}`);
      for (const { path, line, reason } of findings) say(`    ${path}:${line}  ${reason}`);
      const [first] = findings;
      if (first === undefined) return ONE_PASSED;
      return oneFailed(`${rule.name}: ${first.path}:${first.line}  ${first.reason}`);
    }),
  );
}
