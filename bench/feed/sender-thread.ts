/** The thread behind `sender.ts`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { applyLevelChange, type Book, createBook, dropBeyondBest } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { priceFromText, priceToText } from '@dutchbook/units/price.ts';
import { sharesFromText, sharesToText } from '@dutchbook/units/shares.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { marketAt } from './desk.ts';
import { type GameFrame, type GameRow, wireText } from './recorded-game.ts';
import type { PlayPlan, SenderData, Sent, Wish } from './sender.ts';

const { game, games, sentAtNs } = workerData as SenderData;
const PAUSE_MS = 1;

const subscription = z.object({ assets_ids: z.array(z.string()), operation: z.optional(z.string()) });
const tokensAsked = z.array(z.object({ token_id: z.string() }));

/** A market that is played, and its tokens. */
type Stage = { id: string; tokenIds: string[] };

const stages: Stage[] = Array.from({ length: games * game.books.length }, (_, index) => {
  const { id, outcomes } = marketAt(index);
  return { id, tokenIds: outcomes.map(({ tokenId }) => tokenId) };
});
/** The connections each token is subscribed on. */
const socketsOf = new Map<string, Set<WebSocket>>();
const books = new Map<string, Book>(stages.flatMap(({ tokenIds }) => tokenIds.map((id) => [id, createBook()])));
const sent: Sent = { frames: 0, changes: 0, lateMs: 0 };
/** Where the next frame stands: which of the recorded ones, and on which game. */
const next = { frame: 0, game: 0 };

/** `POST /books`, as the venue answers it. */
const http = createServer(async (asked, reply) => {
  const wanted = tokensAsked.parse(await json(asked));
  reply.writeHead(200, { 'content-type': 'application/json' });
  reply.end(`[${wanted.map(({ token_id: tokenId }) => bookText(tokenId)).join()}]`);
});
const streams = new WebSocketServer({ server: http, perMessageDeflate: false });
streams.on('connection', (socket, { url }) => {
  socket.on('message', (data) => {
    const text = String(data);
    if (url === '/echo' || text === 'PING') return socket.send(url === '/echo' ? text : 'PONG');
    const { assets_ids: tokenIds, operation } = subscription.parse(JSON.parse(text));
    for (const tokenId of tokenIds) {
      if (operation === 'unsubscribe') {
        letGo(tokenId, socket);
        continue;
      }
      socketsOf.set(tokenId, (socketsOf.get(tokenId) ?? new Set()).add(socket));
      socket.send(bookText(tokenId));
    }
  });
  socket.on('close', () => {
    for (const tokenId of [...socketsOf.keys()]) letGo(tokenId, socket);
  });
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
parentPort?.on('message', (wish: Wish) => void obey(wish));
parentPort?.postMessage((http.address() as { port: number }).port);

function letGo(tokenId: string, socket: WebSocket): void {
  const sockets = socketsOf.get(tokenId);
  sockets?.delete(socket);
  if (sockets?.size === 0) socketsOf.delete(tokenId);
}

async function obey(wish: Wish): Promise<void> {
  if (wish.kind === 'subscribed') parentPort?.postMessage(socketsOf.size);
  else if (wish.kind === 'books') parentPort?.postMessage(books);
  else parentPort?.postMessage(await play(wish.plan));
}

/** As the game has left it, and one level on each side where none is played. */
function bookText(tokenId: string): string {
  const book = books.get(tokenId);
  const inText = (levels: readonly Level[]) =>
    levels.map(({ price, size }) => ({ price: priceToText(price), size: sharesToText(size) }));
  return JSON.stringify({
    event_type: 'book',
    asset_id: tokenId,
    market: '',
    timestamp: String(sent.frames + 1),
    bids: book === undefined ? [{ price: '0.49', size: '1000' }] : inText(book.bids),
    asks: book === undefined ? [{ price: '0.51', size: '1000' }] : inText(book.asks),
  });
}

async function play(plan: PlayPlan): Promise<Sent> {
  const { seconds } = plan;
  const perSecond = 'framesPerSecond' in plan ? plan.framesPerSecond : plan.changesPerSecond;
  const played = () => ('framesPerSecond' in plan ? sent.frames : sent.changes);
  const startedAt = performance.now();
  const begun = played();
  sent.lateMs = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    const due = Math.floor((Math.min(elapsedMs, seconds * 1000) / 1000) * perSecond);
    while (played() - begun < due) sendNext();
    sent.lateMs = Math.max(sent.lateMs, performance.now() - startedAt - elapsedMs);
    if (elapsedMs >= seconds * 1000) return sent;
    await pause(PAUSE_MS);
  }
}

function sendNext(): void {
  const frame = game.frames[next.frame] as GameFrame;
  const stage = stages[next.game * game.books.length + frame.market];
  if (stage !== undefined) tell(frame, stage);
  next.game = (next.game + 1) % games;
  if (next.game > 0) return;
  next.frame = (next.frame + 1) % game.frames.length;
  if (next.frame === 0) beginAgain();
}

/** The rows of both tokens in one frame, or in two where they are subscribed on different connections; to each of those. */
function tell({ rows }: GameFrame, { id, tokenIds }: Stage): void {
  const partOf = new Map<WebSocket, GameRow[]>();
  for (const row of rows) {
    const tokenId = tokenIds[row.token] ?? '';
    const sockets = socketsOf.get(tokenId);
    if (sockets === undefined) continue;
    sent.changes += 1;
    apply(row, tokenId);
    for (const socket of sockets) partOf.set(socket, [...(partOf.get(socket) ?? []), row]);
  }
  for (const [socket, part] of partOf) {
    sent.frames += 1;
    const text = wireText(part, id, tokenIds, sent.frames);
    sentAtNs[sent.frames % sentAtNs.length] = process.hrtime.bigint();
    socket.send(text);
  }
}

function apply({ side, price, size, bestBid, bestAsk }: GameRow, tokenId: string): void {
  const book = books.get(tokenId);
  if (book === undefined) return;
  applyLevelChange(book, side, priceFromText(price), sharesFromText(size));
  dropBeyondBest(book, priceFromText(bestBid), priceFromText(bestAsk));
}

/** The recording is over: books are empty again, and the venue says so. */
function beginAgain(): void {
  for (const tokenId of books.keys()) {
    books.set(tokenId, createBook());
    for (const socket of socketsOf.get(tokenId) ?? []) socket.send(bookText(tokenId));
  }
}
