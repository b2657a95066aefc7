/** The operations of the API, as the OpenAPI document that is served describes them. */
import type { HttpServer } from '@dutchbook/server/platform/http/app.ts';
import type { InjectOptions } from 'fastify';

export type JsonSchema = {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
};

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: JsonSchema };

export type Operation = {
  /** `GET /items/{id}`: below /api/v1. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  parameters: Parameter[];
  body: { type: string; schema: JsonSchema } | null;
  takesFile: boolean;
  /** What a 200 answers; undefined where it is no JSON. */
  reply: JsonSchema | undefined;
  /** The examples of `detail` of each status from 400 on. */
  refusals: Map<number, unknown[]>;
};

type Examples = Record<string, { value: { detail: unknown } }>;
type Described = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema; examples?: Examples }> }>;
};

const PREFIX = '/api/v1';

/** Every operation of the document, in its order. */
export async function operationsOf(http: HttpServer): Promise<Operation[]> {
  const { paths } = (await http.inject({ url: `${PREFIX}/openapi.json` })).json<{
    paths: Record<string, Record<string, Described>>;
  }>();
  return Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(address, method, described)),
  );
}

function operationOf(address: string, method: string, described: Described): Operation {
  const path = address.slice(PREFIX.length);
  const upper = method.toUpperCase() as Operation['method'];
  const { 'multipart/form-data': upload, ...bodies } = described.requestBody?.content ?? {};
  const [body] = Object.entries(bodies);
  return {
    name: `${upper} ${path}`,
    method: upper,
    path,
    parameters: described.parameters ?? [],
    body: body ? { type: body[0], schema: body[1].schema } : null,
    takesFile: upload !== undefined,
    reply: described.responses['200']?.content?.['application/json']?.schema,
    refusals: new Map(
      Object.entries(described.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content }]) => {
          const examples = Object.values(content?.['application/json']?.examples ?? {});
          return [Number(status), examples.map(({ value }) => value.detail)];
        }),
    ),
  };
}

/** What one call of an operation is made of. A body is JSON unless the operation takes a form; `file` is an upload. */
export type Given = {
  params?: Record<string, string>;
  query?: Record<string, string | string[]>;
  body?: unknown;
  /** What stands in the body as it is, whatever it is. */
  text?: string;
  file?: Buffer | string;
  headers?: Record<string, string>;
};

const BOUNDARY = 'boundary-of-the-parts';

/** The request that such a call is. */
export function requestOf(operation: Operation, given: Given): InjectOptions {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? ''),
  );
  const query = new URLSearchParams(
    Object.entries(given.query ?? {}).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString();
  const { payload, type } = payloadOf(operation, given);
  return {
    method: operation.method,
    url: `${PREFIX}${path}${query && `?${query}`}`,
    headers: { ...(type && { 'content-type': type }), ...given.headers },
    ...(payload !== undefined && { payload }),
  };
}

function payloadOf(operation: Operation, { body, text, file }: Given): { payload?: string | Buffer; type?: string } {
  if (file !== undefined) return { payload: uploadOf(file), type: `multipart/form-data; boundary=${BOUNDARY}` };
  const type = operation.body?.type ?? 'application/json';
  if (text !== undefined) return { payload: text, type };
  if (body === undefined) return {};
  const isForm = type === 'application/x-www-form-urlencoded';
  return { payload: isForm ? formOf(body) : JSON.stringify(body), type };
}

/** As far as a form can say it. */
function formOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body);
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString();
}

function uploadOf(file: Buffer | string, name = 'opportunities.csv', type = 'text/csv'): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(file), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
