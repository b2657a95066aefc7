import { API_PREFIX, API_VERSION, errorReply } from '@dutchbook/contract/endpoint.ts';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { DESCRIPTION } from '../documentation/examples.ts';
import { describeFields, type Schema } from '../documentation/schemas.ts';
import type { HttpServer } from './app.ts';
import { type refusalsOf, responsesFor } from './refusals.ts';

const REFERENCE = { $ref: '#/components/schemas/Refusal' };
const BEARER = 'An API token, or the access token of a session';

/** Describes the calls that are registered after it: the document for programs, the pages under /docs for people. */
export async function registerDocs(http: HttpServer): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dutchbook', version: API_VERSION, description: DESCRIPTION },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
        schemas: { Refusal: REFUSAL },
      },
    },
    transform: (call) => withDescriptions(withUpload(describeCall(call))),
    transformObject: (whole) => withRefusals('openapiObject' in whole ? whole.openapiObject : whole.swaggerObject),
  });
  // The pages bring style attributes of their own, which the policy of the product's pages refuses.
  await http.register(swaggerUi, {
    routePrefix: '/docs',
    // JSON is YAML, and writing it any other way takes two tenths of a second.
    uiHooks: {
      onRequest: async (request, reply) => {
        if (request.routeOptions.url === '/docs/yaml')
          await reply.type('application/x-yaml').send(JSON.stringify(http.swagger()));
      },
    },
    uiConfig: { deepLinking: true, docExpansion: 'list', persistAuthorization: false },
    theme: {
      title: 'Dutchbook API',
      css: [{ filename: 'dutchbook.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    staticCSP: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  });
  http.get(`${API_PREFIX}/openapi.json`, { schema: { hide: true } }, () => http.swagger());
}

const describeCall = createJsonSchemaTransform({ zodToJsonConfig: { override: describeWire } });

const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file.' } },
};

/** A file is read from the request as it comes, so no schema stands where the others have one. */
function withUpload({ schema, url }: ReturnType<typeof describeCall>): ReturnType<typeof describeCall> {
  const isUpload = schema.consumes?.includes('multipart/form-data') ?? false;
  return { schema: isUpload ? { ...schema, body: UPLOAD } : schema, url };
}

/** A refusal is described once for all calls, and by its statuses in each. */
function withDescriptions({ schema, url }: ReturnType<typeof describeCall>): ReturnType<typeof describeCall> {
  const { '4xx': _, ...replies } = (schema.response ?? {}) as Record<string, Schema>;
  const { params, querystring, headers, body } = schema;
  for (const part of [params, querystring, headers, body, ...Object.values(replies)] as (Schema | undefined)[])
    if (part) describeFields(part);
  return { schema: schema.response === undefined ? schema : { ...schema, response: replies }, url };
}

const REFUSAL = z.toJSONSchema(errorReply, { unrepresentable: 'any' }) as Schema;
describeFields(REFUSAL);

type Document = { paths?: Record<string, Record<string, Operation>> };
type Operation = { responses?: Record<string, object>; 'x-refusals'?: ReturnType<typeof refusalsOf> };

/** What the calls answer instead comes last, as it is, in the document that is otherwise done. */
function withRefusals<Whole extends object>(document: Whole): Whole {
  for (const operation of Object.values((document as Document).paths ?? {}).flatMap((path) => Object.values(path))) {
    const { 'x-refusals': refusals = [] } = operation;
    delete operation['x-refusals'];
    operation.responses = { ...operation.responses, ...responsesFor(refusals, REFERENCE) };
  }
  return document;
}

type Described = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** A quantity is described as it travels, not as the program holds it; a number in a query string, as a number. */
function describeWire({ zodSchema, jsonSchema }: Described): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && ['number', 'boolean'].includes(typeof def.defaultValue))
    jsonSchema.default = def.defaultValue as number | boolean;
  if (def.type !== 'pipe') return;
  if (!('reverseTransform' in def)) {
    // In a query string, a quantity is read from a text.
    Object.assign(jsonSchema, unitOf(def.out));
    return;
  }
  const readFromText = isOf(def.in, ['string', 'enum']) && isOf(def.out, ['number', 'boolean']);
  const wire = readFromText ? def.out : def.in;
  const { description, unit, meanings } = jsonSchema as Schema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const { $schema, ...described } = z.toJSONSchema(wire, { io: 'input', unrepresentable: 'any' });
  Object.assign(jsonSchema, described, description && { description }, unit && { unit }, meanings && { meanings });
}

function isOf(schema: z.core.$ZodType, types: readonly string[]): boolean {
  return types.includes((schema as z.core.$ZodTypes)._zod.def.type);
}

function unitOf(schema: z.core.$ZodType): Pick<Schema, 'unit'> {
  const { unit } = (z.globalRegistry.get(schema) ?? {}) as Pick<Schema, 'unit'>;
  return unit === undefined ? {} : { unit };
}
