import { type Node, visitorKeys } from 'oxc-parser';

/** Visits a node and everything below it, in source order, with the nodes it lies in (the nearest last). */
export function walk(node: Node, visit: (node: Node, ancestors: readonly Node[]) => void): void {
  descend(node, [], visit);
}

function descend(
  node: Node,
  ancestors: readonly Node[],
  visit: (node: Node, ancestors: readonly Node[]) => void,
): void {
  visit(node, ancestors);
  const below = [...ancestors, node];
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) descend(one, below, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The dotted name an expression spells, such as `test.skip` or `Date.now`; undefined for anything else. */
export function dottedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const object = dottedName(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}
