import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { STREAM_PATH } from '@dutchbook/contract/stream.ts';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

type Between = {
  /** What answers in place of the product, where it answers at all. */
  answer?: (path: string) => unknown;
  /** Takes a connection of the stream over; without it, every one leads on to the product. */
  stream?: (page: WebSocket) => void;
};

/**
 * Stands between a browser and the product at `productUrl`, on a port of its own: what it does not answer itself it
 * hands on. The stream can be cut and refused, as a bad network does.
 */
export async function standBetween(productUrl: string, { answer = () => undefined, stream }: Between) {
  const server = createServer((asked, reply) => {
    const own = answer(asked.url ?? '');
    if (own !== undefined) {
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(own));
      return;
    }
    const { host: _host, ...headers } = asked.headers;
    const onward = request(`${productUrl}${asked.url}`, { method: asked.method, headers }, (answered) => {
      reply.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    asked.pipe(onward);
  });
  const isCut = { now: false };
  const silence = { now: false, held: [] as (() => void)[] };
  const pages = new Set<WebSocket>();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (asked, socket, head) => {
    if (isCut.now) socket.destroy();
    else
      sockets.handleUpgrade(asked, socket, head, (page) => {
        pages.add(page);
        page.on('close', () => pages.delete(page));
        if (stream !== undefined) stream(page);
        else leadOn(page, `${productUrl.replace(/^http/, 'ws')}${API_PREFIX}${STREAM_PATH}`, silence);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on the stream's connections stay open and say nothing, until `mend` brings what was held back. */
    silence: () => {
      silence.now = true;
    },
    /** Ends every connection of the stream and lets none be opened until `mend`. */
    cut: () => {
      isCut.now = true;
      for (const page of pages) page.terminate();
    },
    mend: () => {
      isCut.now = false;
      silence.now = false;
      for (const send of silence.held.splice(0)) send();
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages) page.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function leadOn(page: WebSocket, url: string, silence: { now: boolean; held: (() => void)[] }): void {
  const product = new WebSocket(url);
  const early: RawData[] = [];
  page.on('message', (data) => {
    if (product.readyState === WebSocket.OPEN) product.send(String(data));
    else early.push(data);
  });
  product.on('open', () => {
    for (const data of early) product.send(String(data));
  });
  product.on('message', (data) => {
    const send = () => page.send(String(data));
    if (silence.now) silence.held.push(send);
    else send();
  });
  product.on('close', () => page.terminate());
  product.on('error', () => page.terminate());
  page.on('close', () => product.terminate());
}
