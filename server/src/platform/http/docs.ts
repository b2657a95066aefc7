import { API_PREFIX, API_VERSION } from '@dutchbook/contract/endpoint.ts';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { HttpServer } from './app.ts';
import { DESCRIPTION } from './docs-examples.ts';

const BEARER = 'An API token, or the access token of a session';

/** Describes the calls that are registered after it: the document for programs, the pages under /docs for people. */
export async function registerDocs(http: HttpServer): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dutchbook', version: API_VERSION, description: DESCRIPTION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } } },
    },
    transform: (call) => withUpload(describeCall(call)),
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
  properties: { file: { type: 'string', format: 'binary' } },
};

/** A file is read from the request as it comes, so no schema stands where the others have one. */
function withUpload({ schema, url }: ReturnType<typeof describeCall>): ReturnType<typeof describeCall> {
  const isUpload = schema.consumes?.includes('multipart/form-data') ?? false;
  return { schema: isUpload ? { ...schema, body: UPLOAD } : schema, url };
}

type Described = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** A quantity is described as it travels, not as the program holds it; a number in a query string, as a number. */
function describeWire({ zodSchema, jsonSchema }: Described): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && ['number', 'boolean'].includes(typeof def.defaultValue))
    jsonSchema.default = def.defaultValue as number | boolean;
  if (def.type !== 'pipe' || !('reverseTransform' in def)) return;
  const readFromText = isOf(def.in, ['string', 'enum']) && isOf(def.out, ['number', 'boolean']);
  const wire = readFromText ? def.out : def.in;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const { $schema, ...described } = z.toJSONSchema(wire, { io: 'input', unrepresentable: 'any' });
  Object.assign(jsonSchema, described);
}

function isOf(schema: z.core.$ZodType, types: readonly string[]): boolean {
  return types.includes((schema as z.core.$ZodTypes)._zod.def.type);
}
