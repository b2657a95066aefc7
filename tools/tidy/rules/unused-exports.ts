import type { Node } from 'oxc-parser';
import type { House } from '../house.ts';
import { isEntry, isGenerated, isPure, isShipped } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';
import { walk } from '../syntax.ts';
import { findUses, type Use } from '../usage.ts';

/**
 * Every exported name is used by another file. For what ships, a test alone is no user, or dead code would live as long
 * as its test: it counts only for a name that its own file uses too, and in the pure folders, where a rounding or an
 * inverse may be there to state the arithmetic whole. A type that its own file mentions may be exported for callers to
 * name.
 */
export const unusedExports: Rule = { name: 'no export that nobody uses', find };

function find(house: House): Finding[] {
  const usesByTarget = Map.groupBy(findUses(house), ({ to }) => to);
  return house.sources
    .filter(({ path }) => !isEntry(path) && !isGenerated(path))
    .flatMap((file) => judge(file, usesByTarget.get(file.path) ?? []));
}

function judge(file: SourceFile, uses: readonly Use[]): Finding[] {
  const testsSuffice = isPure(file.path) || !isShipped(file.path);
  const used = namesUsed(uses.filter(({ from }) => testsSuffice || countsAlone(from)));
  const usedByAny = namesUsed(uses);
  const usedHere = namesUsedIn(file);
  const isUsed = (name: string) =>
    used(name) || usedHere.types.has(name) || (usedByAny(name) && usedHere.values.has(name));
  return file.exports
    .filter(({ name }) => !isUsed(name))
    .map(({ name, line }) => {
      const whom = usedByAny(name) ? 'only tests use it' : 'no other file uses it';
      return { path: file.path, line, reason: `${name} is exported, and ${whom}` };
    });
}

function countsAlone(path: string): boolean {
  return isShipped(path) || !path.includes('/src/');
}

function namesUsed(uses: readonly Use[]): (name: string) => boolean {
  if (uses.some(({ names }) => names === 'everything')) return () => true;
  const names = new Set(uses.flatMap((use) => use.names));
  return (name) => names.has(name);
}

/** The names a file itself uses, as types and as values, beyond declaring them. */
function namesUsedIn(file: SourceFile): { types: ReadonlySet<string>; values: ReadonlySet<string> } {
  const types = new Set<string>();
  const values = new Set<string>();
  walk(file.program, (node, ancestors) => {
    if (node.type !== 'Identifier') return;
    const parent = ancestors.at(-1);
    if (parent?.type === 'TSTypeReference' || parent?.type === 'TSInterfaceHeritage') types.add(node.name);
    else if (!isDeclaredOrNamedBy(node, parent)) values.add(node.name);
  });
  return { types, values };
}

function isDeclaredOrNamedBy(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return (
    ('id' in parent && parent.id === node) ||
    ('key' in parent && parent.key === node) ||
    parent.type.startsWith('Export')
  );
}
