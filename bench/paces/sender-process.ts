/** The process behind `sender.ts`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { marketAt } from '../feed/markets.ts';
import { type Game, type GameFrame, readGame, wireText } from '../feed/recorded-game.ts';
import type { Command, Pace, Played, Stage, Subscribed } from './sender.ts';

const PAUSE_MS = 1;
/** What may wait in this process to be sent, where frames are sent as fast as they are taken. */
const WAITING_BYTES_MAX = 1_000_000;
const FRAMES_AT_ONCE = 50;
/** Every place comes up once in so many frames, in an order that looks like none. */
const ROUNDS = 65_536;
const ROUND_STRIDE = 40_503;

const subscription = z.object({ assets_ids: z.array(z.string()), operation: z.optional(z.string()) });

/** Who reads: its connections, how many frames it was sent, and how far each game has come for it. */
type Side = {
  sockets: Set<WebSocket>;
  socketOf: Map<string, WebSocket>;
  frames: number;
  frameOf: Uint32Array;
  round: number;
};

const stage = JSON.parse(process.argv[2] ?? '') as Stage;
const game = (await readGame(stage.recordedFrames)) as Game;
/** Games begin under way, with the books that they have by then. */
const BEGIN = Math.floor(stage.recordedFrames / 2);
const { books: begun } = (await readGame(BEGIN)) as Game;
const markets = Array.from({ length: stage.games * game.books.length }, (_, index) => {
  const { id, outcomes } = marketAt(index);
  return { id, tokenIds: outcomes.map(({ tokenId }) => tokenId) };
});
const placeOf = new Map(
  markets.flatMap(({ tokenIds }, market) =>
    tokenIds.map((id, index) => [id, { market, token: index === 0 ? 0 : 1 }] as const),
  ),
);
const sides = new Map<string, Side>();

const http = createServer();
const streams = new WebSocketServer({ server: http, perMessageDeflate: false });
streams.on('connection', (socket, { url }) => {
  const side = sideOf((url ?? '').slice(1));
  side.sockets.add(socket);
  socket.on('close', () => side.sockets.delete(socket));
  socket.on('message', (data) => {
    const text = String(data);
    if (text === 'PING') return socket.send('PONG');
    const { assets_ids: tokenIds, operation } = subscription.parse(JSON.parse(text));
    if (operation === 'unsubscribe') return;
    for (const tokenId of tokenIds) {
      side.socketOf.set(tokenId, socket);
      tellBook(side, tokenId);
    }
  });
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
process.on('message', (command: Command) => void obey(command));
process.once('disconnect', () => process.exit());
process.send?.((http.address() as { port: number }).port);

async function obey(command: Command): Promise<void> {
  const side = sideOf(command.side);
  const answer = command.kind === 'tokens' ? { tokens: side.socketOf.size } : await play(side, command.pace);
  process.send?.({ side: command.side, ...answer } satisfies Subscribed | Played);
}

function sideOf(name: string): Side {
  const known = sides.get(name);
  if (known !== undefined) return known;
  const frameOf = new Uint32Array(stage.games).fill(BEGIN);
  const side = { sockets: new Set<WebSocket>(), socketOf: new Map(), frames: 0, frameOf, round: 0 };
  sides.set(name, side);
  return side;
}

async function play(side: Side, pace: Pace): Promise<Omit<Played, 'side'>> {
  const { changes, lateMs } = 'changes' in pace ? await playAll(side, pace) : await playSteadily(side, pace);
  return { frames: side.frames, changes, lateMs };
}

async function playAll(side: Side, pace: { changes: number }): Promise<{ changes: number; lateMs: number }> {
  let changes = 0;
  while (changes < pace.changes) {
    for (let nth = 0; nth < FRAMES_AT_ONCE; nth += 1) changes += sendNext(side);
    while (waitingBytes(side) > WAITING_BYTES_MAX) await pause(PAUSE_MS);
  }
  return { changes, lateMs: 0 };
}

function waitingBytes({ sockets }: Side): number {
  let bytes = 0;
  for (const { bufferedAmount } of sockets) bytes += bufferedAmount;
  return bytes;
}

async function playSteadily(
  side: Side,
  { changesPerSecond, seconds }: { changesPerSecond: number; seconds: number },
): Promise<{ changes: number; lateMs: number }> {
  const startedAt = performance.now();
  let changes = 0;
  let lateMs = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    const due = Math.floor((Math.min(elapsedMs, seconds * 1000) / 1000) * changesPerSecond);
    while (changes < due) changes += sendNext(side);
    lateMs = Math.max(lateMs, performance.now() - startedAt - elapsedMs);
    if (elapsedMs >= seconds * 1000) return { changes, lateMs };
    await pause(PAUSE_MS);
  }
}

/** The next frame of the game that is next. @returns how many levels it changes */
function sendNext(side: Side): number {
  const nth = nextGame(side);
  const at = side.frameOf[nth] ?? BEGIN;
  const frame = game.frames[at] as GameFrame;
  const firstMarket = nth * game.books.length;
  const market = markets[firstMarket + frame.market];
  const changes = market === undefined ? 0 : tell(side, frame, market);
  side.frameOf[nth] = at + 1;
  if (at + 1 < game.frames.length) return changes;
  side.frameOf[nth] = BEGIN;
  for (const { tokenIds } of markets.slice(firstMarket, firstMarket + game.books.length)) {
    for (const tokenId of tokenIds) tellBook(side, tokenId);
  }
  return changes;
}

/** A tenth of the games has a third of the frames, so that they are at different places, and a best price changes in one at a time. */
function nextGame(side: Side): number {
  side.round = (side.round + 1) % ROUNDS;
  const place = (side.round * ROUND_STRIDE) % ROUNDS;
  return Math.floor(stage.games * (place / ROUNDS) ** 2);
}

/** Both of its rows in one frame, or in two where the tokens are subscribed to on different connections. */
function tell(side: Side, { rows }: GameFrame, { id, tokenIds }: { id: string; tokenIds: string[] }): number {
  const [one, other] = rows.map(({ token }) => side.socketOf.get(tokenIds[token] ?? ''));
  const send = (socket: WebSocket | undefined, some: GameFrame['rows'][number][]) => {
    if (socket === undefined) return 0;
    side.frames += 1;
    // The venue's time of a frame is its number.
    socket.send(wireText(some, id, tokenIds, side.frames));
    return some.length;
  };
  return one === other ? send(one, [...rows]) : send(one, [rows[0]]) + send(other, [rows[1]]);
}

/** As it is where the game begins. */
function tellBook(side: Side, tokenId: string): void {
  const { market, token } = placeOf.get(tokenId) ?? { market: 0, token: 0 };
  const book = begun[market % game.books.length]?.[token];
  const inText = (levels: readonly Level[] = []) =>
    levels.map(({ price, size }) => ({ price: priceToText(price), size: sharesToText(size) }));
  const text = JSON.stringify({
    event_type: 'book',
    asset_id: tokenId,
    market: '',
    timestamp: String(Math.max(1, side.frames)),
    bids: inText(book?.bids),
    asks: inText(book?.asks),
  });
  side.socketOf.get(tokenId)?.send(text);
}
