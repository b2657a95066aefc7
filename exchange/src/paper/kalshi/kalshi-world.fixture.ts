import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { startExchange } from '../../start-exchange.ts';
import { type Cable, openCable } from '../cable.fixture.ts';
import type { PaperOptions } from '../options.ts';
import { type Venue, venueOf } from '../paper.fixture.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const BASE = '/trade-api/v2';

export interface WireBook {
  readonly yes_dollars: readonly [string, string][];
  readonly no_dollars: readonly [string, string][];
}

export interface KalshiState {
  readonly pockets: Record<string, { usd: string; tokens: Record<string, string> }>;
  readonly fills: readonly Record<string, unknown>[];
  readonly orders: readonly { id: string; status: string; filled: string }[];
}

export interface Placed {
  readonly order_id: string;
  readonly fill_count: string;
  readonly remaining_count: string;
}

/** Kalshi's wire of an exchange, with one member. */
export class KalshiSide {
  readonly venue: Venue;

  constructor(venue: Venue) {
    this.venue = venue;
  }

  /** Opens the account of the member. */
  async join(): Promise<void> {
    await this.control('keys', { key_id: 'key', public_key: PUBLIC_PEM });
  }

  async control(name: string, body: object = {}): Promise<unknown> {
    return await this.venue.control(`kalshi/${name}`, body);
  }

  read<T>(path: string): Promise<T> {
    return this.venue.get<T>(`${BASE}${path}`);
  }

  async book(ticker: string): Promise<WireBook> {
    return (await this.read<{ orderbook_fp: WireBook }>(`/markets/${ticker}/orderbook`)).orderbook_fp;
  }

  /** What the makers show: levels of YES, in cents and shares. */
  async quote(ticker: string, bids: [number, number][], asks: [number, number][]): Promise<void> {
    const levels = (side: [number, number][]) =>
      side.map(([cents, size]) => ({ price: String(cents / 100), size: String(size) }));
    await this.control('book', { token_id: `${ticker}:yes`, bids: levels(bids), asks: levels(asks) });
  }

  state(): Promise<KalshiState> {
    return this.venue.get('/_control/kalshi/state');
  }

  /** @returns the status and the body of the answer */
  async order(body: object): Promise<[number, Placed & { error?: { code: string; details?: string } }]> {
    return await this.call('POST', '/portfolio/events/orders', {
      ...{
        count: '1',
        price: '0.5',
        time_in_force: 'immediate_or_cancel',
        self_trade_prevention_type: 'taker_at_cross',
      },
      ...body,
    });
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<[number, T]> {
    const response = await fetch(`${this.venue.url}${BASE}${path}`, {
      method,
      headers: this.#signed(method, `${BASE}${path.split('?', 1)[0]}`),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as T];
  }

  /** Follows the book of a market; `frames` is what has come. */
  async follow(
    ticker: string,
  ): Promise<{ frames: { type: string; msg: Record<string, unknown> }[]; ended: Promise<void> }> {
    const path = '/trade-api/ws/v2';
    const socket = new WebSocket(`${this.venue.url.replace('http', 'ws')}${path}`, {
      headers: this.#signed('GET', path),
    });
    const frames: { type: string; msg: Record<string, unknown> }[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString('utf8')) as (typeof frames)[0]));
    socket.on('error', () => {});
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    await new Promise((resolve) => socket.on('open', resolve));
    const params = { channels: ['orderbook_delta'], market_tickers: [ticker], use_yes_price: true };
    socket.send(JSON.stringify({ id: 1, cmd: 'subscribe', params }));
    return { frames, ended };
  }

  #signed(method: string, path: string): Record<string, string> {
    const timestamp = String(Date.now());
    return {
      'kalshi-access-key': 'key',
      'kalshi-access-timestamp': timestamp,
      'kalshi-access-signature': sign(null, Buffer.from(`${timestamp}${method}${path}`), privateKey).toString('base64'),
    };
  }
}

export interface KalshiWorld {
  /** The venue that is mirrored: a simulated exchange whose makers stand still. */
  readonly real: KalshiSide;
  readonly paper: KalshiSide;
  readonly cable: Cable;
  close(): Promise<void>;
}

export async function openKalshiPaper(url: string, options: Partial<PaperOptions> = {}, journalFile?: string) {
  const paper = await startExchange({
    paper: {
      ...{ kalshiUpstream: `${url}${BASE}`, fills: 'touch', cash: usdFromText('10000') },
      ...options,
      pace: { newestMs: 30, rereadMs: 60_000, backoffMinMs: 5, backoffMaxMs: 50, ...options.pace },
      kalshiPace: {
        ...{ bookCallsPerSecond: 500, listCallsPerSecond: 500, bookEveryMs: 20, touchEveryMs: 20, tradesEveryMs: 20 },
        ...{ cutAfterMs: 100, backoffMinMs: 5, backoffMaxMs: 50, ...options.kalshiPace },
      },
    },
    ...(journalFile !== undefined && { journalFile }),
  });
  return new KalshiSide(venueOf(paper));
}

export async function openKalshiWorld(options: Partial<PaperOptions> = {}, journalFile?: string): Promise<KalshiWorld> {
  const real = new KalshiSide(venueOf(await startExchange({ paused: true })));
  const cable = await openCable(real.venue.port);
  const paper = await openKalshiPaper(cable.url, options, journalFile);
  return {
    ...{ real, paper, cable },
    close: async () => {
      await paper.venue.close();
      await cable.close();
      await real.venue.close();
    },
  };
}

/** A way to a venue on which calls are held, or answered otherwise: `meet` says with which status and headers. */
export async function openWay(
  venue: Venue,
  meet: (path: string) => Promise<[status: number, headers: Record<string, string>] | undefined>,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, reply) => {
    const answer = async () => {
      const met = await meet(request.url ?? '');
      if (met !== undefined) return reply.writeHead(...met).end('{}');
      const text = await (await fetch(`${venue.url}${request.url}`)).text();
      return reply.setHeader('content-type', 'application/json').end(text);
    };
    answer().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether the whole catalogue has been read. */
export async function isRead({ venue }: KalshiSide): Promise<boolean> {
  return (await venue.get<{ kalshi: { catalogue_complete: boolean } }>('/_control/paper')).kalshi.catalogue_complete;
}

export const QUICK_POLL = { timeout: 10_000 };
/** Times of the venue are known to a second before answers have told more. */
export const MOMENTS_MS = 5_000;

/** Quotes a market of a series without maker fees, on the first shard; open once the mirror has read the whole catalogue. */
export async function openQuotedWorld(...options: Parameters<typeof openKalshiWorld>) {
  const world = await openKalshiWorld(...options);
  const { markets } = await world.real.read<{ markets: { ticker: string; exchange_index: number }[] }>(
    '/markets?limit=1000',
  );
  const ticker = markets.find(({ exchange_index }) => exchange_index === 0)?.ticker ?? '';
  await world.real.quote(
    ticker,
    [
      [39, 10],
      [40, 100],
    ],
    [
      [42, 50],
      [45, 30],
    ],
  );
  await world.real.join();
  await world.paper.join();
  await expect.poll(() => isRead(world.paper), QUICK_POLL).toBe(true);
  return { world, ticker };
}
