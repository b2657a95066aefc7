import { randomBytes } from 'node:crypto';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import type { HttpServer } from './app.ts';
import { Refusal } from './errors.ts';
import { FOREIGN, isForeign, type Served } from './same-origin.ts';

/** `styles`: where they may come from beside this site. */
function policy(styles = ''): string {
  return `default-src 'self';script-src 'self';style-src 'self'${styles};img-src 'self';connect-src 'self';object-src 'none';base-uri 'none';frame-ancestors 'none';form-action 'self'`;
}

const OF_CALLS = {
  'cache-control': 'no-store',
  'content-security-policy': policy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * What is no call may be opened as a page of its own. The proxy that serves this over TLS adds that header: over plain HTTP that
 * header means nothing.
 */
const { 'cache-control': _, ...GUARDS } = OF_CALLS;
const OF_PAGES = {
  ...GUARDS,
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const;

/** For an answer that is given before there is a route: no hook has run for it. */
export const HEADERS_WITHOUT_ROUTE = OF_CALLS;

/** The headers of every answer, and the refusal of what another site's page sends. */
export function registerSecurityHeaders(http: HttpServer, served: Served): void {
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(API_PREFIX) ? OF_CALLS : OF_PAGES);
    const safe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    done(!safe && isForeign(request.raw, served) ? new Refusal(403, FOREIGN) : undefined);
  });
}

/** Lets the style elements of this one answer apply. @returns what they carry, new for every answer */
export function allowStyles(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  reply.header('content-security-policy', policy(` 'nonce-${nonce}'`));
  return nonce;
}

/** Headers of a script, a style or a font: only `nosniff`, because none of them is opened or framed by itself. */
export function onlyAsPartOfPage(reply: FastifyReply): void {
  for (const name of Object.keys(OF_PAGES)) if (name !== 'x-content-type-options') reply.removeHeader(name);
  reply.removeHeader('x-request-id');
}
