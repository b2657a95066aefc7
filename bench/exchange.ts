/** The simulated exchange in this process, its makers at rest, which notes when a frame about a book leaves and when orders arrive. */

import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ExchangeOptions, openExchange } from '@dutchbook/exchange/start-exchange.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { WebSocket } from 'ws';
import type { Call } from './product.ts';

/** No orders reach the exchange for this long after the frame that should have brought them. */
const PATIENCE_MS = 2500;
const SIZE = '100000';
const PLENTY = usdFromText('100000000');
const LISTED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

export type Exchange = Awaited<ReturnType<typeof openSimulatedExchange>>;

/** `planted`: events behind the others that are quoted wrong on purpose, or look so. The trader can pay any order. */
export async function openSimulatedExchange(options: Pick<ExchangeOptions, 'planted'> = {}) {
  const { app, close } = await openExchange({ ...options, startingBalance: PLENTY });
  /** In ms, of the POST of orders that came last; and what is called at one. */
  const posted = { call: (_atMs: number) => {} };
  let slowMs = 0;
  app.server.prependListener('request', ({ method, url = '' }) => {
    if (method === 'POST' && url.startsWith('/orders')) posted.call(performance.now());
  });
  app.addHook('onRequest', ({ url }, _reply, done) => {
    if (slowMs === 0 || url.startsWith('/_control')) done();
    else setTimeout(done, slowMs);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const control = async (name: string, payload: object) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: `/_control/${name}`, payload });
    if (statusCode >= 400) throw new Error(`${name}: ${body}`);
  };
  /** One level on each side. */
  const setBook = (tokenId: string, ask: string) =>
    control('book', { token_id: tokenId, bids: [{ price: '0.05', size: SIZE }], asks: [{ price: ask, size: SIZE }] });
  return {
    ...{ app, url, control, setBook },
    /** The variables of a product that trades there. */
    variables: {
      VENUE: 'simulated',
      DEMO_DATA: 'off',
      POLYMARKET_CLOB_URL: url,
      POLYMARKET_GAMMA_URL: `${url}/gamma`,
      POLYMARKET_WS_URL: `ws://127.0.0.1:${port}/ws`,
    },
    /** From now on every answer to a trader takes so much longer. */
    slowDown: (ms: number) => {
      slowMs = ms;
    },
    /** When each POST of orders arrived while `work` went on, in ms. */
    posts: async (work: () => Promise<void>): Promise<number[]> => {
      const arrivedMs: number[] = [];
      posted.call = (atMs) => void arrivedMs.push(atMs);
      await work();
      return arrivedMs;
    },
    /** Sets a book, and resolves with the ms from the frame that shows it to the next orders; null where none come. */
    msToOrders: (tokenId: string, ask: string): Promise<number | null> =>
      new Promise((resolve) => {
        const tooLate = setTimeout(() => resolve(null), PATIENCE_MS);
        onceSent(tokenId, (sentMs) => {
          posted.call = (atMs) => {
            clearTimeout(tooLate);
            resolve(atMs - sentMs);
          };
        });
        void setBook(tokenId, ask);
      }),
    [Symbol.asyncDispose]: close,
  };
}

/** When the next frame with `text` has just left; later than the engine decides on it, whose other listeners come first. */
function onceSent(text: string, sent: (atMs: number) => void): void {
  const send: (...given: never[]) => void = WebSocket.prototype.send;
  const noted = function (this: WebSocket, ...given: never[]) {
    send.apply(this, given);
    if (!String(given[0]).includes(text)) return;
    Object.assign(WebSocket.prototype, { send });
    sent(performance.now());
  };
  Object.assign(WebSocket.prototype, { send: noted });
}

/** One opportunity, and the token of each of its positions. */
export type OpenSet = { id: string; tokenIds: readonly string[] };

export type SetsPlan = { sets: number; positions: number; ask: string; targetPrice: number };

/** Adds opportunities through the product's API, no market in two of them, each position at the same ask. */
export async function openSets(call: Call, exchange: Exchange, plan: SetsPlan): Promise<OpenSet[]> {
  const { sets, positions, ask, targetPrice } = plan;
  const markets = await listedMarkets(call, sets * positions);
  const opened: OpenSet[] = [];
  for (let from = 0; from < sets * positions; from += positions) {
    const legs = markets.slice(from, from + positions);
    const tokenIds = legs.map(({ outcomes: [first] }) => first?.token_id ?? '');
    for (const tokenId of tokenIds) await exchange.setBook(tokenId, ask);
    const combinations = legs.map(({ id, outcomes: [first] }, place) => ({
      leg: place + 1,
      markets: [{ id, outcome: first?.outcome }],
    }));
    const body = { market_combinations: combinations, target_price: targetPrice };
    const { id } = (await call('POST', '/arbitrage/opportunities', body)) as { id: string };
    opened.push({ id, tokenIds });
  }
  return opened;
}

type Market = { id: string; outcomes: { outcome: string; token_id: string }[] };

/** A product that has just started lists the markets that discovery has read so far. @throws where there are too few after a while */
async function listedMarkets(call: Call, count: number): Promise<Market[]> {
  for (const endMs = performance.now() + LISTED_WITHIN_MS; performance.now() < endMs; await pause(LOOK_EVERY_MS)) {
    const { data } = (await call('GET', `/markets?limit=${count}`)) as { data: Market[] };
    if (data.length >= count) return data;
  }
  throw new Error(`the product does not list ${count} markets`);
}
