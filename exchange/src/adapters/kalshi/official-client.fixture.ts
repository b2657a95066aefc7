import { generateKeyPairSync } from 'node:crypto';
import axios from 'axios';
import {
  AccountApi,
  Configuration,
  EventsApi,
  ExchangeApi,
  HistoricalApi,
  MarketApi,
  OrderGroupsApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterEach, beforeEach, expect } from 'vitest';
import { type RunningExchange, startExchange } from '../../start-exchange.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
export const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let exchange: RunningExchange;

/** An exchange of its own for each test of a file, with a key of the official client. */
export function useExchange(): void {
  beforeEach(async () => {
    exchange = await startExchange({ paused: true });
    await control('keys', { key_id: 'a-key', public_key: publicPem });
  });
  afterEach(async () => exchange.close());
}

export const urlOf = (path: string) => `${exchange.url}${path}`;

export async function control(name: string, body: object): Promise<void> {
  const response = await fetch(`${exchange.url}/_control/kalshi/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
}

/** Each interface on an axios of its own: the client signs every call of the one that it is given. */
export function client(apiKey = 'a-key') {
  const configuration = new Configuration({
    basePath: `${exchange.url}/trade-api/v2`,
    apiKey,
    privateKeyPem: privatePem,
  });
  const open = <Api>(kind: new (configuration: Configuration, path: undefined, http: never) => Api) =>
    new kind(configuration, undefined, axios.create({ proxy: false }) as never);
  return {
    exchange: open(ExchangeApi),
    events: open(EventsApi),
    markets: open(MarketApi),
    orders: open(OrdersApi),
    groups: open(OrderGroupsApi),
    portfolio: open(PortfolioApi),
    account: open(AccountApi),
    history: open(HistoricalApi),
  };
}

/** Has the exchange's clock come to the next start of a minute, or be so much later. */
export async function advance(ms?: number): Promise<number> {
  const at = async () => ((await (await fetch(`${exchange.url}/_control/clock`)).json()) as { now_ms: number }).now_ms;
  const body = JSON.stringify({ advance_ms: ms ?? 60_000 - ((await at()) % 60_000) + 1_000 });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  expect((await fetch(`${exchange.url}/_control/clock`, init)).status).toBe(200);
  return Math.floor((await at()) / 1000);
}

/** A market of this series that nothing has been done to, with these quotes in its book. */
export async function quoted(series: string, bids: [string, string][], asks: [string, string][]): Promise<string> {
  const { data } = await client().markets.getMarkets(1, undefined, undefined, series);
  const ticker = data.markets[0]?.ticker ?? '';
  const levels = (side: [string, string][]) => side.map(([price, size]) => ({ price, size }));
  await control('book', { token_id: `${ticker}:yes`, bids: levels(bids), asks: levels(asks) });
  return ticker;
}

export const LIMIT = { self_trade_prevention_type: 'taker_at_cross', time_in_force: 'good_till_canceled' } as const;
