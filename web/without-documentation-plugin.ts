/** Cuts out of the contract what pages do not read. */
import { type Plugin, parseSync } from 'vite';

type Node = { type: string; start: number; end: number; [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Functions of `contract/src/notes/described.ts`: what they say stands first, the schema that it is about last. */
const NOTES = ['described', 'explained', 'measured'];
/** What an `endpoint` says besides for the server and for the documentation. */
const NOT_FOR_PAGES = [
  'summary',
  'refusals',
  'tag',
  'heavy',
  'stops',
  'proven',
  'asksVenue',
  'ownAccount',
  'idempotent',
];

type Cut = [from: number, to: number];

/** What to cut out of a file of the contract, from where to where. */
function notForPages(code: string, node: Node): Cut[] {
  const within = (parent: Node) =>
    Object.values(parent)
      .flat()
      .filter(isNode)
      .flatMap((child) => notForPages(code, child));
  const { callee, arguments: given = [] } = node as Node & { arguments?: Node[] };
  const called = isNode(callee) ? String(callee.name) : '';
  const last = given.at(-1);
  if (last === undefined) return within(node);
  if (NOTES.includes(called)) return [[node.start, last.start], ...notForPages(code, last), [last.end, node.end]];
  if (called !== 'endpoint' || last.type !== 'ObjectExpression') return within(node);
  return (last.properties as Node[]).flatMap((property): Cut[] => {
    const isLeftOut = isNode(property.key) && NOT_FOR_PAGES.includes(String(property.key.name));
    if (!isLeftOut) return within(property);
    return [[property.start, code[property.end] === ',' ? property.end + 1 : property.end]];
  });
}

/** A file of the contract as pages need it. */
export function forPages(code: string, id: string): string {
  const cuts = notForPages(code, parseSync(id, code).program as unknown as Node);
  const kept = cuts
    .sort(([from], [other]) => from - other)
    .map(([, to], index) => code.slice(to, cuts[index + 1]?.[0] ?? code.length));
  return code.slice(0, cuts[0]?.[0] ?? code.length) + kept.join('');
}

export const withoutDocumentation: Plugin = {
  name: 'without-documentation',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.includes('/contract/src/') || id.endsWith('/described.ts')) return;
    return { code: forPages(code, id), map: null };
  },
};
