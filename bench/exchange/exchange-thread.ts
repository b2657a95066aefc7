/** The simulated exchange on a thread of its own, its makers at rest, which notes when it tells of a book and when orders reach it. */
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type ExchangeOptions, openExchange } from '@dutchbook/exchange/start-exchange.ts';
import { WebSocket } from 'ws';

/**
 * What the main thread commands: a token's books, of one level on each side, or how long every answer to a trader takes.
 */
export type ExchangeCommand = { tokenId: string; ask: string } | { slowMs: number };

/**
 * `published`: a frame about a book has just left. `posted`: the head of a POST to `path` has arrived.
 */
export type ExchangeNote = { kind: 'published'; atNs: bigint } | { kind: 'posted'; path: string; atNs: bigint };

const SIZE = '100000';

const { app } = await openExchange(workerData as Pick<ExchangeOptions, 'planted'>);
const note = (message: ExchangeNote) => parentPort?.postMessage(message);
/** The token whose book was set, of which no frame has left yet. Others listen to the engine as well, so that it is over milliseconds later. */
let awaited: string | null = null;
const send: (...given: never[]) => unknown = WebSocket.prototype.send;
Object.assign(WebSocket.prototype, {
  send(this: WebSocket, text: string, ...given: never[]) {
    send.call(this, text as never, ...given);
    if (awaited === null || !text.includes(awaited)) return;
    awaited = null;
    note({ kind: 'published', atNs: process.hrtime.bigint() });
  },
});
app.server.prependListener('request', ({ method, url: path = '' }) => {
  if (method === 'POST' && !path.startsWith('/_control')) note({ kind: 'posted', path, atNs: process.hrtime.bigint() });
});
const slow = { ms: 0 };
app.addHook('onRequest', ({ url }, _reply, done) => {
  if (slow.ms === 0 || url.startsWith('/_control')) done();
  else setTimeout(done, slow.ms);
});
await app.listen({ host: '127.0.0.1', port: 0 });
parentPort?.on('message', (command: ExchangeCommand) => {
  if ('slowMs' in command) slow.ms = command.slowMs;
  else setBook(command.tokenId, command.ask);
});
parentPort?.postMessage((app.server.address() as AddressInfo).port);

function setBook(tokenId: string, ask: string): void {
  awaited = tokenId;
  const payload = { token_id: tokenId, bids: [{ price: '0.05', size: SIZE }], asks: [{ price: ask, size: SIZE }] };
  void app.inject({ method: 'POST', url: '/_control/book', payload });
}
