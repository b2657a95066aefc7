import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../config/public-address.ts';
import type { Config } from '../runtime/config.ts';

/** Why a page's request is refused. */
export const FOREIGN = 'Requests from other sites are refused';

export type Served = Pick<Config, 'host' | 'publicUrl'>;

/**
 * Whether a browser says that the request comes from a page that is not ours. Ours are those under PUBLIC_URL and those
 * under the loopback names and the address listened on, where origin and host are the same. Any other name that leads here
 * may belong to a stranger, who has it point at this machine: that its origin and host are the same proves nothing.
 */
export function isForeign({ headers: { origin, host } }: IncomingMessage, served: Served): boolean {
  if (origin === undefined) return false;
  const from = URL.parse(origin);
  if (from === null) return true;
  if (served.publicUrl !== null && from.host === URL.parse(served.publicUrl)?.host) return false;
  const isOwnName = isLoopbackHost(from.hostname) || from.hostname === hostInUrl(served.host);
  return !isOwnName || from.host !== URL.parse(`${from.protocol}//${host}`)?.host;
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}
