import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import helmet from '@fastify/helmet';
import type { HttpServer } from './app.ts';
import { Refusal } from './errors.ts';
import { FOREIGN, isForeign, type Served } from './same-origin.ts';

const nonces = new WeakMap<IncomingMessage, string>();

/** What this one answer's style elements carry; new for every request. */
export function styleNonce(request: IncomingMessage): string {
  const nonce = nonces.get(request) ?? randomBytes(16).toString('base64');
  nonces.set(request, nonce);
  return nonce;
}

/** The headers of every answer, and the refusal of what another site's page sends. */
export async function registerSecurityHeaders(http: HttpServer, served: Served): Promise<void> {
  await http.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", (request) => `'nonce-${styleNonce(request)}'`],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    frameguard: { action: 'deny' },
    // Whoever serves this over TLS says so there; over plain HTTP the header means nothing.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  http.addHook('onRequest', async (request) => {
    const safe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    if (!safe && isForeign(request.raw, served)) throw new Refusal(403, FOREIGN);
  });
}

/** For an answer that is given before there is a route: all of the above, as it has no page. */
export const HEADERS_WITHOUT_ROUTE = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self';script-src 'self';object-src 'none';base-uri 'none';frame-ancestors 'none';form-action 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
