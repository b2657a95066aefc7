import { VENUE_NAMES } from '@dutchbook/units/ids.ts';
import type { Node } from 'oxc-parser';
import { isShipped } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { walk } from '../syntax.ts';

const READER_OF_PREFIX = 'units/src/ids.ts';
/** Adapters are about one venue each, and configuration says which of them there are. */
const KNOWS_VENUES = ['venues/', 'exchange/src/adapters/', 'server/src/platform/config/', READER_OF_PREFIX];

const names = VENUE_NAMES.join('|');
const PREFIX = new RegExp(`(?<![\\w.-])(?:${names}):`);
const NAME = new RegExp(`^(?:${names})(?:_\\w+)?$`);
const ID = /(?:^i|I)ds?$|(?:^h|H)ash$|^orderName$/;
const COMPARISONS = new Set(['===', '!==', '==', '!=']);

/** What a venue does otherwise is data on its markets or a method of its port; which venue something is of, its id says in one place. */
export const venueNames: Rule = {
  name: 'the prefix of an id is read in units/src/ids.ts alone, and nothing branches on the name of a venue',
  find: (repository) => repository.sources.filter(({ path }) => isShipped(path)).flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  const readsPrefixes = file.path === READER_OF_PREFIX;
  const mayBranch = KNOWS_VENUES.some((place) => file.path.startsWith(place));
  walk(file.program, (node) => {
    const found = (reason: string) => findings.push({ path: file.path, line: file.lineAt(node.start), reason });
    if (!readsPrefixes && readsPrefix(node)) found('reads the prefix of an id: ask venueOf');
    if (!mayBranch && branchesOnName(node)) found('branches on the name of a venue: put what differs on the port');
  });
  return findings;
}

/** Of a string, a regular expression or a piece of a template; empty of anything else. */
function textOf(node: Node): string {
  if (node.type === 'TemplateElement') return node.value.raw;
  if (node.type !== 'Literal') return '';
  return typeof node.value === 'string' ? node.value : (node.raw ?? '');
}

/** A venue before a colon in any text, or `marketId.split(':')` and what looks for a colon in another way. */
function readsPrefix(node: Node): boolean {
  if (PREFIX.test(textOf(node))) return true;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object } = node.callee;
  const name = object.type === 'MemberExpression' ? object.property : object;
  return (
    name.type === 'Identifier' && ID.test(name.name) && node.arguments.some((argument) => textOf(argument) === ':')
  );
}

function branchesOnName(node: Node): boolean {
  if (node.type === 'BinaryExpression')
    return COMPARISONS.has(node.operator) && [node.left, node.right].some((side) => NAME.test(textOf(side)));
  return node.type === 'SwitchCase' && node.test !== null && NAME.test(textOf(node.test));
}
