/**
 * A stand-in of the venue in a process of its own: lists the made-up catalogue, answers as slowly as the venue does, and streams changes of
 * the books that are followed. Nothing is traded on it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventOnWire, firstMarketOf, madeCatalogue, marketOfToken } from './made-catalogue.ts';
import { MovingBooks } from './moving-books.ts';

/**
 * `changesPerSecond`: of all books that are followed; `nearness`: the larger, the more of them are near the best price (2 unless it was
 * given); `newEvents`: so many more are listed.
 */
export type VenueCommand = { changesPerSecond: number; nearness?: number } | { newEvents: number } | 'counts';

/** How many markets are followed, and how many changes were sent. */
export type VenueCounts = { followed: number; sent: number };

const LISTING_MS = 250;
const BOOKS_MS = 60;
const PAGE = 100;
const TICK_MS = 20;
/** Room for what is listed later. */
const SPARE_EVENTS = 500;
/** Events whose markets are asked for one by one. */
const KEPT_EVENTS = 2000;

const [, , markets = '10000'] = process.argv;
const made = madeCatalogue(Number(markets));
const listed = { events: made.events };
const books = new MovingBooks(made.events + SPARE_EVENTS, firstMarketOf(made.events + SPARE_EVENTS));
const keptMembers = new Map<number, readonly object[]>();
const followers = new Map<number, Set<WebSocket>>();
const followed: number[] = [];
const random = scrambled(1);

const server = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  socket.on('message', (data) => receive(socket, String(data)));
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    for (const known of followers.values()) known.delete(socket);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

let [changesPerSecond, nearness, sent] = [0, 2, 0];
let due = 0;
const moving = setInterval(() => {
  due = followed.length === 0 ? 0 : due + (changesPerSecond * TICK_MS) / 1000;
  for (; due >= 1; due -= 1) change(followed[Math.floor(random() * followed.length)] ?? 0);
}, TICK_MS);

process.on('message', (command: VenueCommand) => {
  if (command === 'counts') process.send?.({ followed: followed.length, sent } satisfies VenueCounts);
  else if ('newEvents' in command) listed.events += command.newEvents;
  else {
    changesPerSecond = command.changesPerSecond;
    nearness = command.nearness ?? nearness;
    due = 0;
  }
});
process.on('disconnect', () => {
  clearInterval(moving);
  process.exit();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://venue');
  const body = await bodyOf(request);
  const isGamma = pathname.startsWith('/gamma/');
  await pause(isGamma ? LISTING_MS : BOOKS_MS);
  const text = isGamma ? gamma(pathname, searchParams) : clob(pathname, body);
  response.writeHead(text === null ? 404 : 200, { 'content-type': 'application/json' });
  response.end(text ?? '{"error":"not found"}');
}

function gamma(pathname: string, asked: URLSearchParams): string | null {
  const from = Number(asked.get('after_cursor') ?? 0);
  if (pathname === '/gamma/market-clarifications') return '[]';
  if (pathname === '/gamma/events/keyset') return asked.has('id') ? eventsById(asked.getAll('id')) : eventPage(from);
  if (pathname === '/gamma/markets') return newestMarkets(Number(asked.get('offset') ?? 0));
  if (pathname !== '/gamma/markets/keyset') return null;
  return asked.has('condition_ids') ? marketsById(asked) : marketPage(from);
}

function eventPage(from: number): string {
  const to = Math.min(from + PAGE, listed.events);
  const events = Array.from({ length: to - from }, (_, nth) => eventOnWire(from + nth));
  return `{"events":[${events.join()}]${to < listed.events ? `,"next_cursor":"${to}"` : ''}}`;
}

function eventsById(ids: readonly string[]): string {
  const known = ids.map((id) => Number(id) - 100_000).filter((event) => event >= 0 && event < listed.events);
  return `{"events":[${known.map(eventOnWire).join()}]}`;
}

/** Markets of the events that hold the hundred from there on. */
function marketPage(from: number): string {
  const all = firstMarketOf(listed.events);
  const page = marketsFrom(from, Math.min(from + PAGE, all));
  return JSON.stringify({ markets: page, ...(from + PAGE < all && { next_cursor: String(from + PAGE) }) });
}

function newestMarkets(offset: number): string {
  const to = Math.max(0, firstMarketOf(listed.events) - offset);
  return JSON.stringify(marketsFrom(Math.max(0, to - PAGE), to).reverse());
}

function marketsById(asked: URLSearchParams): string {
  const numbers = asked.getAll('condition_ids').map((id) => Number.parseInt(id.slice(2, -2), 16) - 1);
  const isOpen = asked.get('closed') !== 'true';
  return JSON.stringify({ markets: isOpen ? numbers.flatMap((number) => marketsFrom(number, number + 1)) : [] });
}

function marketsFrom(from: number, to: number): object[] {
  const found: object[] = [];
  for (let event = eventOf(from); event < listed.events && firstMarketOf(event) < to; event += 1) {
    const first = firstMarketOf(event);
    for (const [place, member] of membersOf(event).entries())
      if (first + place >= from && first + place < to) found.push(member);
  }
  return found;
}

function membersOf(event: number): readonly object[] {
  const known = keptMembers.get(event);
  if (known !== undefined) return known;
  const { markets: members, ...head } = JSON.parse(eventOnWire(event)) as { markets: object[] };
  const made = members.map((member) => ({ ...member, events: [head] }));
  if (keptMembers.size === KEPT_EVENTS) keptMembers.clear();
  keptMembers.set(event, made);
  return made;
}

function eventOf(market: number): number {
  let [low, high] = [0, listed.events];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (firstMarketOf(middle) <= market) low = middle;
    else high = middle;
  }
  return low;
}

function clob(pathname: string, body: string): string | null {
  if (pathname === '/time') return String(Math.floor(Date.now() / 1000));
  if (pathname !== '/books') return null;
  const tokens = (JSON.parse(body) as { token_id: string }[]).flatMap(({ token_id }) => marketOfToken(token_id) ?? []);
  return `[${tokens.map(({ market, side }) => books.bookOnWire(market, side, Date.now())).join()}]`;
}

function receive(socket: WebSocket, text: string): void {
  if (text === 'PING') {
    socket.send('PONG');
    return;
  }
  const { assets_ids = [], operation } = JSON.parse(text) as { assets_ids?: string[]; operation?: string };
  const snapshots: string[] = [];
  for (const { market, side } of assets_ids.flatMap((id) => marketOfToken(id) ?? [])) {
    const known = followers.get(market) ?? new Set();
    if (operation === 'unsubscribe') known.delete(socket);
    else {
      if (!followers.has(market)) followed.push(market);
      followers.set(market, known.add(socket));
      snapshots.push(books.bookOnWire(market, side, Date.now()));
    }
  }
  if (snapshots.length > 0) socket.send(`[${snapshots.join()}]`);
}

function change(market: number): void {
  const frame = books.changeOnWire(market, random, nearness, Date.now());
  if (frame === '') return;
  for (const socket of followers.get(market) ?? []) socket.send(frame);
  sent += 1;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function scrambled(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
