import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the venue takes of each kind of read from one address in any ten seconds. */
const READS_PER_10_S: Readonly<Record<string, number>> = {
  '/books': 500,
  '/midpoints': 500,
  '/prices': 500,
  '/last-trades-prices': 500,
  '/data/orders': 500,
  '/data/trades': 500,
  '/balance-allowance': 200,
  '/balance-allowance/update': 50,
  '/gamma/events/keyset': 500,
  '/gamma/markets/keyset': 300,
};
const WINDOW_MS = 10_000;
/** So much more is let pass: on a busy machine calls of more than ten seconds arrive within ten. */
const TOLERANCE = 1.25;

/** The exchange at `url` as one that refuses who reads more often than the venue allows. Its streams are not behind this. */
export async function limitReads(url: string) {
  const admitted = new Map<string, number[]>();
  const refused: string[] = [];

  function isAdmitted(path: string): boolean {
    const limit = (READS_PER_10_S[path] ?? Number.POSITIVE_INFINITY) * TOLERANCE;
    const now = Date.now();
    const recent = (admitted.get(path) ?? []).filter((moment) => moment > now - WINDOW_MS);
    admitted.set(path, [...recent, ...(recent.length < limit ? [now] : [])]);
    return recent.length < limit;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (!isAdmitted(path)) {
      refused.push(path);
      response.writeHead(429, { 'retry-after': '10' }).end('Too Many Requests');
      return;
    }
    const body = await text(request);
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: passedOn(request),
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(await answer.text());
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The paths of the reads that were refused. */
    refused,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type LimitedVenue = Awaited<ReturnType<typeof limitReads>>;

/** All but what belongs to the one connection. */
function passedOn({ headers }: IncomingMessage): [string, string][] {
  const own = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    own.includes(name) || value === undefined ? [] : [[name, String(value)]],
  );
}
