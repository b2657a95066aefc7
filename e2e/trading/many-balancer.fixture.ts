/** What a load balancer does before the api processes: it asks each for its health, and calls another where one is gone. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../product/eventually.ts';
import type { Supervised } from './many-processes.fixture.ts';

const ASK_EVERY_MS = 200;
/** Of the connection, or made anew from what arrived. */
const NOT_PASSED_ON = ['host', 'connection', 'content-length', 'content-encoding', 'transfer-encoding', 'keep-alive'];

export type Balancer = {
  url: string;
  /** `failed`: what was answered with a failure of the product, or not at all. `passedOn`: found a process gone, and another there. */
  seen: { calls: number; failed: string[]; passedOn: number; longestMs: number };
  /** Resolves when calls can go to this one. */
  whenHealthy: (api: Supervised) => Promise<unknown>;
  close: () => Promise<void>;
};

export async function openBalancer(apis: readonly Supervised[]): Promise<Balancer> {
  const seen: Balancer['seen'] = { calls: 0, failed: [], passedOn: 0, longestMs: 0 };
  const healthy = new Set<string>();
  let isClosed = false;
  let round = 0;

  async function keepAsking(api: Supervised): Promise<void> {
    while (!isClosed) {
      const url = api.address();
      const answers = url !== null && (await fetch(`${url}/health`).catch(() => null))?.ok === true;
      if (answers) healthy.add(url);
      else if (url !== null) healthy.delete(url);
      await pause(ASK_EVERY_MS);
    }
  }
  const asking = apis.map(keepAsking);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = performance.now();
    const what = `${request.method} ${request.url?.split('?', 1)[0]}`;
    const given = await read(request);
    const addresses = apis.map((api) => api.address()).filter((url) => url !== null && healthy.has(url));
    // Others count on while this one waits for its answer.
    const first = round++;
    let reply: Response | null = null;
    for (let nth = 0; nth < addresses.length && reply === null; nth += 1) {
      reply = await fetch(`${addresses[(first + nth) % addresses.length]}${request.url}`, given).catch(() => null);
      if (reply === null) seen.passedOn += 1;
    }
    const body = Buffer.from(reply === null ? new ArrayBuffer() : await reply.arrayBuffer());
    seen.calls += 1;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - begunAt);
    if (reply === null || reply.status >= 500) seen.failed.push(`${what}: ${reply?.status ?? 'no answer'} ${body}`);
    response.writeHead(reply?.status ?? 502, { 'content-type': reply?.headers.get('content-type') ?? 'text/plain' });
    response.end(body);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    whenHealthy: (api) =>
      eventually(`${api.roles} was healthy`, async () => (healthy.has(api.address() ?? '') ? true : null)),
    async close() {
      isClosed = true;
      await Promise.all(asking);
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<RequestInit> {
  const body = Buffer.concat(await request.toArray());
  const headers = Object.entries(request.headers).filter(([name]) => !NOT_PASSED_ON.includes(name));
  return {
    method: request.method ?? 'GET',
    headers: headers.map(([name, value]) => [name, String(value)]),
    ...(body.length > 0 && { body }),
    redirect: 'manual',
  };
}
