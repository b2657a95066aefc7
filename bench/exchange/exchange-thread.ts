/** The simulated exchange on a thread of its own, its makers at rest, which notes when it tells of a book and when orders reach it. */
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type ExchangeOptions, openExchange } from '@dutchbook/exchange/start-exchange.ts';

/** What the main thread wishes: a token's books, of one level on each side, or how long every answer to a trader takes. */
export type ExchangeWish = { tokenId: string; ask: string } | { slowMs: number };

/** `told`: a frame about a book has just left. `posted`: the head of a POST to `path` has arrived. */
export type ExchangeNote = { kind: 'told'; atNs: bigint } | { kind: 'posted'; path: string; atNs: bigint };

const SIZE = '100000';

const { app, engine } = await openExchange(workerData as Pick<ExchangeOptions, 'planted'>);
const note = (message: ExchangeNote) => parentPort?.postMessage(message);
const told = () => note({ kind: 'told', atNs: process.hrtime.bigint() });
engine.announcer.listen({ levelsChanged: told, bookReplaced: told });
app.server.prependListener('request', ({ method, url: path = '' }) => {
  if (method === 'POST' && !path.startsWith('/_control')) note({ kind: 'posted', path, atNs: process.hrtime.bigint() });
});
const slow = { ms: 0 };
app.addHook('onRequest', ({ url }, _reply, done) => {
  if (slow.ms === 0 || url.startsWith('/_control')) done();
  else setTimeout(done, slow.ms);
});
await app.listen({ host: '127.0.0.1', port: 0 });
parentPort?.on('message', (wish: ExchangeWish) => {
  if ('slowMs' in wish) slow.ms = wish.slowMs;
  else setBook(wish.tokenId, wish.ask);
});
parentPort?.postMessage((app.server.address() as AddressInfo).port);

function setBook(tokenId: string, ask: string): void {
  const payload = { token_id: tokenId, bids: [{ price: '0.05', size: SIZE }], asks: [{ price: ask, size: SIZE }] };
  void app.inject({ method: 'POST', url: '/_control/book', payload });
}
