import type { Node } from 'oxc-parser';
import { isPure } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import { isNodeModule, type SourceFile } from '../source-file.ts';
import { dottedName, walk } from '../syntax.ts';

const AMBIENT_CALLS = new Set(['Date.now', 'Math.random', 'Temporal.Now']);
/** Objects that reach the world outside, whatever is asked of them. */
const AMBIENT_NAMES = new Set([
  ...['performance', 'crypto', 'process', 'globalThis', 'console', 'fetch', 'WebSocket', 'queueMicrotask'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'requestAnimationFrame'],
]);

/** Decisions take time, chance and everything else from the outside as arguments, so that any of them can be replayed. */
export const pureFolders: Rule = {
  name: 'no ambient time, random or I/O in units, engine, contract and matching',
  find: (repository) => repository.sources.filter((file) => isPure(file.path)).flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const findings = file.imports
    .filter(({ specifier }) => isNodeModule(specifier))
    .map(({ specifier, line }) => ({ path: file.path, line, reason: `${specifier} does I/O or reads the machine` }));
  const own = declaredNames(file);
  walk(file.program, (node, ancestors) => {
    const what = ambient(node, ancestors.at(-1), own);
    if (what !== undefined)
      findings.push({ path: file.path, line: file.lineAt(node.start), reason: `${what} is ambient` });
  });
  return findings;
}

function ambient(node: Node, parent: Node | undefined, own: ReadonlySet<string>): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = dottedName(node);
    return name !== undefined && AMBIENT_CALLS.has(name) ? name : undefined;
  }
  const isDateOfNow = (node.type === 'NewExpression' && node.arguments.length === 0) || node.type === 'CallExpression';
  if (isDateOfNow && node.callee.type === 'Identifier' && node.callee.name === 'Date') return 'the date of now';
  if (node.type !== 'Identifier' || !AMBIENT_NAMES.has(node.name) || own.has(node.name)) return undefined;
  return isNameOfSomethingElse(node, parent) ? undefined : node.name;
}

/** `order.process` and `{ process: 1 }` name a property, not the object of the surroundings. */
function isNameOfSomethingElse(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return 'key' in parent && parent.key === node && !('shorthand' in parent && parent.shorthand);
}

/** Names the file gives to things of its own, which then do not mean the ambient ones. */
function declaredNames(file: SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  walk(file.program, (node, ancestors) => {
    if (node.type !== 'Identifier') return;
    const parent = ancestors.at(-1);
    const parameters: unknown = parent !== undefined && 'params' in parent ? parent.params : undefined;
    const declares =
      (parent?.type === 'VariableDeclarator' && parent.id === node) ||
      (parent?.type === 'ImportSpecifier' && parent.local === node) ||
      (parent?.type === 'FunctionDeclaration' && parent.id === node) ||
      (Array.isArray(parameters) && parameters.includes(node));
    if (declares) names.add(node.name);
  });
  return names;
}
