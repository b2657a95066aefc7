import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import fastify from 'fastify';
import { pino } from 'pino';
import { registerDocs } from './docs.ts';
import { documented } from './route.ts';

/** The document as it is served where these calls are. */
export async function documentOf(calls: readonly Endpoint[]): Promise<Document> {
  const http = fastify({ loggerInstance: pino({ level: 'silent' }) });
  http.setValidatorCompiler(() => () => true);
  http.setSerializerCompiler(() => JSON.stringify);
  await registerDocs(http);
  for (const call of calls) {
    const url = `/api/v1${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    http.route({ method: call.method, url, schema: documented(call), handler: () => null });
  }
  await http.ready();
  const document = JSON.parse(JSON.stringify(http.swagger())) as Document;
  await http.close();
  return document;
}

type Node = { [name: string]: unknown };
export type Document = { paths: Record<string, Record<string, Node>>; components: Node };

/** What a reader of the document is left to guess: fields without a description, values without a meaning, refusals in bulk. */
export function unexplainedIn({ paths, components }: Document): string[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, call]) => {
      const statuses = Object.keys(call.responses as Node).filter((status) => !/^[1-5]\d\d$/.test(status));
      const place = `${method.toUpperCase()} ${path}`;
      return [...statuses.map((status) => `${place} answers ${status}`), ...unexplainedWithin(call, place)];
    }),
  );
  return [...calls, ...unexplainedWithin(components, 'components')];
}

function unexplainedWithin(node: Node, place: string): string[] {
  const properties = isNode(node.properties) ? Object.entries(node.properties) : [];
  const fields = properties.filter(([, field]) => isNode(field) && !isSaid(field.description));
  const isParameter = typeof node.in === 'string' && typeof node.name === 'string';
  return [
    ...fields.map(([name]) => `${place}: ${name} has no description`),
    ...(isParameter && !isSaid(node.description) ? [`${place}: ${node.name} has no description`] : []),
    ...(areExplained(node) ? [] : [`${place}: values without a meaning: ${JSON.stringify(node.enum)}`]),
    ...Object.entries(node).flatMap(([name, value]) =>
      [value]
        .flat()
        .flatMap((one) => (isNode(one) && name !== 'examples' ? unexplainedWithin(one, `${place} ${name}`) : [])),
    ),
  ];
}

/** One value alone is explained by the description of its field. */
function areExplained({ enum: values, 'x-enum-descriptions': meanings }: Node): boolean {
  if (!Array.isArray(values) || values.length < 2) return true;
  return Array.isArray(meanings) && meanings.length === values.length && meanings.every(isSaid);
}

const isSaid = (text: unknown) => typeof text === 'string' && text.trim() !== '';
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
