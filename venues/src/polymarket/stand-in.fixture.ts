import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VenueRuntime } from '../venue.ts';
import { POLYMARKET_DEFAULTS, type PolymarketConfig, type StreamConfig } from './config.ts';

/** Answers one kind of request with JSON, with a status alone, or with a whole response. */
export type Answer = (request: { query: URLSearchParams; headers: IncomingHttpHeaders; body: string }) => unknown;

/**
 * A hand-made venue for what the simulated exchange would never do: malformed frames, answers out of a script, silence.
 * It says nothing by itself but PONG.
 */
export type StandIn = {
  config(stream?: Partial<StreamConfig>): PolymarketConfig;
  /** `route` is method and path, as `POST /books`; a number answers that status. */
  answer(route: string, answer: Answer): void;
  /** Requests so far, as method and path with query. */
  requests: string[];
  /** Everything stream clients said, keep-alive left out. */
  said: string[];
  /** Sends to every connected stream client. */
  send(frame: object | string): void;
  connections(): number;
  /** Answers that were held back are sent once it answers again: nothing is ever lost on a connection. */
  setAnswersPings(answers: boolean): void;
  dropConnections(): void;
  close(): Promise<void>;
};

/** Quick in what a test waits for; what must not come in between while it thinks (pings, comparisons, REST) is slow. */
const QUICK: StreamConfig = {
  ...POLYMARKET_DEFAULTS.stream,
  pingEveryMs: 60_000,
  silenceMs: 60_000,
  silenceMaxMs: 60_000,
  snapshotWaitMs: 60_000,
  compareEveryMs: 60_000,
  settleMs: 20,
  resyncAfterMs: 5,
  backoffMinMs: 5,
  backoffMaxMs: 50,
};

/** What the venue answers to who asks for an API key, for a market and, but for the name of its time, for a trade. */
export const TEST_KEY = {
  apiKey: 'key-of-the-test',
  secret: 'c2VjcmV0LW9mLXRoZS10ZXN0',
  passphrase: 'phrase-of-the-test',
};
export const WIRE_MARKET = {
  conditionId: '0x1',
  question: 'Will it?',
  outcomes: '["Yes","No"]',
  clobTokenIds: '["71","72"]',
  version: 'v1',
  closed: false,
  acceptingOrders: true,
  orderMinSize: 5,
  orderPriceMinTickSize: 0.01,
  feesEnabled: true,
  feeSchedule: { rate: 0.04, exponent: 1 },
};
export const WIRE_TRADE = {
  id: 'trade-1',
  taker_order_id: '0xaa',
  asset_id: '71',
  market: '0x1',
  side: 'BUY',
  size: '10',
  price: '0.5',
  status: 'MATCHED',
  trader_side: 'TAKER',
  maker_orders: [],
};

export const TEST_RUNTIME: VenueRuntime = {
  now: () => instantFromMs(Date.now()),
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined },
};

/** Starts the stand-in on a loopback port. */
export async function openStandIn(): Promise<StandIn> {
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const said: string[] = [];
  const clients = new Set<WebSocket>();
  const owed: WebSocket[] = [];
  let answersPings = true;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand.in');
    requests.push(`${request.method} ${request.url}`);
    void textOf(request).then((body) => {
      const answered =
        answers.get(`${request.method} ${url.pathname}`)?.({
          query: url.searchParams,
          headers: request.headers,
          body,
        }) ?? 404;
      if (answered instanceof Response) {
        response.statusCode = answered.status;
        void answered.text().then((text) => response.end(text));
        return;
      }
      response.statusCode = typeof answered === 'number' ? answered : 200;
      response.end(typeof answered === 'number' ? '' : JSON.stringify(answered));
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('message', (data) => {
      const text = data.toString();
      if (text !== 'PING') said.push(text);
      else if (answersPings) client.send('PONG');
      else owed.push(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    config: (stream) => ({
      ...POLYMARKET_DEFAULTS,
      clobUrl: url,
      gammaUrl: `${url}/gamma`,
      dataUrl: `${url}/data-api`,
      wsUrl: `ws://127.0.0.1:${port}/ws`,
      stream: { ...QUICK, ...stream },
    }),
    answer: (route, answer) => void answers.set(route, answer),
    requests,
    said,
    send: (frame) => {
      for (const client of clients) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    },
    connections: () => clients.size,
    setAnswersPings: (does) => {
      answersPings = does;
      if (does) for (const client of owed.splice(0)) if (clients.has(client)) client.send('PONG');
    },
    dropConnections: () => {
      for (const client of clients) client.terminate();
    },
    close: async () => {
      for (const client of clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
