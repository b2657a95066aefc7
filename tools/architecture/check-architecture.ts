import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';
import { runChecker } from '../test/checker.ts';
import { ONE_PASSED, oneFailed, sum, type Tally } from '../test/tally.ts';
import { type Repository, readRepository } from './read-repository.ts';
import type { Rule } from './rule.ts';
import { attackTable } from './rules/attack-table.ts';
import { coverageTable } from './rules/coverage-table.ts';
import { folderCircles } from './rules/folder-circles.ts';
import { folderNames } from './rules/folder-names.ts';
import { folderSizes } from './rules/folder-sizes.ts';
import { leftovers } from './rules/leftovers.ts';
import { machinePaths } from './rules/machine-paths.ts';
import { namedFiles } from './rules/named-files.ts';
import { packageTable } from './rules/package-table.ts';
import { pureFolders } from './rules/pure-folders.ts';
import { MAP_DOCUMENT, serverMap, withMap } from './rules/server-map.ts';
import { foreignTables, serverWings } from './rules/server-wings.ts';
import { supplyChain } from './rules/supply-chain.ts';
import { unfinishedTests } from './rules/unfinished-tests.ts';
import { venueNames } from './rules/venue-names.ts';
import { venueState } from './rules/venue-state.ts';
import { webLayers } from './rules/web-layers.ts';

/** What neither knip nor Biome can say. */
const RULES: readonly Rule[] = [
  packageTable,
  pureFolders,
  folderNames,
  folderCircles,
  serverWings,
  serverMap,
  foreignTables,
  webLayers,
  venueNames,
  venueState,
  folderSizes,
  leftovers,
  unfinishedTests,
  machinePaths,
  namedFiles,
  supplyChain,
  attackTable,
  coverageTable,
];

/** Holds every rule against the repository and prints each place that breaks one. A rule counts as one test, and so does each look of knip. */
export function checkArchitecture(): Tally {
  const repository = readRepository(repositoryRoot);
  return sum([
    ...RULES.map((rule) => check(rule, repository)),
    checkUse('every file, export and package is used and declared', []),
    checkUse('no export that only tests use, and no undeclared package in what ships', ['--production', '--strict']),
  ]);
}

/** Draws the wings and rooms of the server anew in the document that shows them. */
export function drawArchitecture(): void {
  const repository = readRepository(repositoryRoot);
  const text = withMap(repository.files.get(MAP_DOCUMENT) ?? '', repository);
  if (text !== undefined) writeFileSync(join(repositoryRoot, MAP_DOCUMENT), text);
}

function check(rule: Rule, repository: Repository): Tally {
  const findings = rule.find(repository);
  say(`${findings.length === 0 ? '✓' : '✗'} ${rule.name}`);
  for (const { path, line, reason } of findings) say(`    ${path}:${line}  ${reason}`);
  const [first] = findings;
  if (first === undefined) return ONE_PASSED;
  return oneFailed(`${rule.name}: ${first.path}:${first.line}  ${first.reason}`);
}

function checkUse(name: string, options: readonly string[]): Tally {
  const tally = runChecker(name, 'knip/bin/knip.js', ['--no-progress', ...options]);
  say(`${tally.failures.length === 0 ? '✓' : '✗'} ${name}`);
  return tally;
}
