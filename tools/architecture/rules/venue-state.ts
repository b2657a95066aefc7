import type { Node } from 'oxc-parser';
import { isShipped } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { walk } from '../syntax.ts';

const DESKS = 'server/src/trading/venue-desk/';
/** The wings that know of venues. */
const WINGS = ['market', 'trading', 'books', 'memory'].map((wing) => `server/src/${wing}/`);
/** What is followed once for a whole account. */
const OF_ACCOUNT = new Set(['serverTime', 'heartbeat', 'openUserStream', 'fillsSince']);
const KEPT = new Set(['Map', 'Set']);

/** A second account at a venue is a second desk; what lies elsewhere would be shared by both. */
export const venueState: Rule = {
  name: 'what exists once per account at a venue lies in trading/venue-desk, and no module of the wings keeps state',
  find: (repository) => repository.sources.filter(({ path }) => isWing(path) && isShipped(path)).flatMap(judge),
};

function isWing(path: string): boolean {
  return !path.startsWith(DESKS) && WINGS.some((wing) => path.startsWith(wing));
}

function judge(file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  walk(file.program, (node, ancestors) => {
    const found = (reason: string) => findings.push({ path: file.path, line: file.lineAt(node.start), reason });
    const asked = accountCall(node);
    if (asked !== undefined) found(`follows ${asked} of an account, as its desk in ${DESKS} does`);
    if (node.type === 'VariableDeclaration' && isOfModule(ancestors) && keepsState(node))
      found('keeps state for the whole process: open it with what it belongs to');
  });
  return findings;
}

function accountCall(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' && OF_ACCOUNT.has(name.name) ? name.name : undefined;
}

function isOfModule(ancestors: readonly Node[]): boolean {
  return ancestors.every(({ type }) => type === 'Program' || type === 'ExportNamedDeclaration');
}

/** A `let`, or a map or a set that is filled later. */
function keepsState(node: Extract<Node, { type: 'VariableDeclaration' }>): boolean {
  return (
    node.kind === 'let' ||
    node.declarations.some(
      ({ init }) =>
        init?.type === 'NewExpression' &&
        init.callee.type === 'Identifier' &&
        KEPT.has(init.callee.name) &&
        init.arguments.length === 0,
    )
  );
}
