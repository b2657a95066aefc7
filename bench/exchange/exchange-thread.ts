/** The simulated exchange on a thread of its own, its makers at rest, which notes when it tells of a book and when orders reach it. */
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type ExchangeOptions, openExchange } from '@dutchbook/exchange/start-exchange.ts';
import { WebSocket } from 'ws';
import { moveBooks } from './moving-books.ts';

/**
 * What the main thread commands: a token's books, of one level on each side, how long every answer to a trader takes, or so
 * many frames a second on markets in which nothing was planted, until there are to be none.
 */
export type ExchangeCommand = { tokenId: string; ask: string } | { slowMs: number } | { framesPerSecond: number };

/**
 * `published`: a frame about a book has just left. `posted`: the head of a POST to `path` has arrived. `moved`: so many frames
 * were sent while the books were moved.
 */
export type ExchangeNote =
  | { kind: 'published'; atNs: bigint }
  | { kind: 'posted'; path: string; atNs: bigint }
  | { kind: 'moved'; frames: number };

const SIZE = '100000';

const { app, engine } = await openExchange(workerData as Pick<ExchangeOptions, 'planted'>);
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
const moving = { stop: () => 0 };
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
  else if ('framesPerSecond' in command) void move(command.framesPerSecond);
  else setBook(command.tokenId, command.ask);
});
parentPort?.postMessage((app.server.address() as AddressInfo).port);

function setBook(tokenId: string, ask: string): void {
  awaited = tokenId;
  const payload = { token_id: tokenId, bids: [{ price: '0.05', size: SIZE }], asks: [{ price: ask, size: SIZE }] };
  void app.inject({ method: 'POST', url: '/_control/book', payload });
}

async function move(framesPerSecond: number): Promise<void> {
  note({ kind: 'moved', frames: moving.stop() });
  moving.stop = () => 0;
  if (framesPerSecond === 0) return;
  const truth = await app.inject({ method: 'GET', url: '/_control/planted' });
  const planted = new Set(truth.json<{ event_ids: string[] }[]>().flatMap(({ event_ids: ids }) => ids));
  const others = engine.directory.events
    .filter(({ id }) => !planted.has(id))
    .flatMap(({ markets }) => markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []))
    .filter(({ isAccepting, hasBooks, book }) => isAccepting && hasBooks && book.levels('bid').length > 1);
  moving.stop = moveBooks(others, framesPerSecond, (market, quote) => engine.setQuotes(market, [quote]));
}
