/** The simulated exchange on a thread of its own, its makers at rest, which notes when it tells of a book and when orders reach it. */
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { openExchange } from '@dutchbook/exchange/start-exchange.ts';

/** A token's books, set by the main thread: one level on each side. */
export type BookWish = { tokenId: string; ask: string };

/** `told`: a frame about a book has just left. `posted`: the head of a POST to `path` has arrived. */
export type ExchangeNote = { kind: 'told'; atNs: bigint } | { kind: 'posted'; path: string; atNs: bigint };

const SIZE = '100000';

const { app, floor } = await openExchange({});
const note = (message: ExchangeNote) => parentPort?.postMessage(message);
const told = () => note({ kind: 'told', atNs: process.hrtime.bigint() });
floor.announcer.listen({ levelsChanged: told, bookReplaced: told });
app.server.prependListener('request', ({ method, url: path = '' }) => {
  if (method === 'POST' && !path.startsWith('/_control')) note({ kind: 'posted', path, atNs: process.hrtime.bigint() });
});
await app.listen({ host: '127.0.0.1', port: 0 });
parentPort?.on('message', ({ tokenId, ask }: BookWish) => {
  const payload = { token_id: tokenId, bids: [{ price: '0.05', size: SIZE }], asks: [{ price: ask, size: SIZE }] };
  void app.inject({ method: 'POST', url: '/_control/book', payload });
});
parentPort?.postMessage((app.server.address() as AddressInfo).port);
