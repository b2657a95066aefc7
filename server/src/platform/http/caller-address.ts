import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../runtime/config.ts';
import type { HttpServer } from './app.ts';

/** Address of a caller whose connection was closed before its address was read. */
const UNKNOWN = 'unknown';

/** On the request itself, where it costs next to nothing to keep and to find. */
const ADDRESS = Symbol('address of the caller');
type Addressed = IncomingMessage & { [ADDRESS]?: string };

/** Reads where each request comes from while its caller is there: a socket that has been closed has no address. */
export function keepCallerAddresses(http: HttpServer, { trustedProxies }: Pick<Config, 'trustedProxies'>): void {
  // Node remembers the peer of a socket once it has been read.
  http.server.on('connection', ({ remoteAddress }) => void remoteAddress);
  http.addHook('onRequest', (request, _, done) => {
    const address: string | undefined = request.ip;
    (request.raw as Addressed)[ADDRESS] = address ?? UNKNOWN;
    done();
  });
  if (trustedProxies.length === 0) warnOfProxy(http);
}

/** Logged once: a client may send the header with every call. */
function warnOfProxy(http: HttpServer): void {
  let isLogged = false;
  http.addHook('onRequest', ({ headers }, _, done) => {
    done();
    if (isLogged || headers['x-forwarded-for'] === undefined) return;
    isLogged = true;
    http.log.warn(
      'A request came with X-Forwarded-For, and TRUSTED_PROXIES is not set: behind a proxy all callers count as one. Set TRUSTED_PROXIES to the address of the proxy',
    );
  });
}

/** What to say at the start where people open the product at another address than it listens on; null where nothing. */
export function missingProxies(
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  listensOn: string,
): string | null {
  if (publicUrl === null || trustedProxies.length > 0) return null;
  const opened = new URL(publicUrl);
  if (opened.protocol === 'http:' && opened.host === new URL(listensOn).host) return null;
  return `PUBLIC_URL is ${opened.origin} and this process listens on ${listensOn}: if a proxy is in front, set TRUSTED_PROXIES to its address, or all callers count as one`;
}

/** Where a request came from, also after its caller has hung up. */
export function addressOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
  return (raw as Addressed)[ADDRESS] ?? UNKNOWN;
}
