import { Chain, ClobClient } from '@polymarket/clob-client-v2';
import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { type ExchangeOptions, type RunningExchange, startExchange } from '../../start-exchange.ts';
import { l2Signature } from './credentials.ts';

/** The first account of the public test mnemonic that every Ethereum tool ships with. */
export const TEST_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

export interface ListedMarket {
  readonly conditionId: string;
  readonly version: string;
  readonly tokens: readonly [string, string];
  readonly negRisk: boolean;
  readonly tick: number;
  readonly feeRate: number;
}

export interface Trader {
  readonly client: ClobClient;
  readonly creds: { readonly key: string; readonly secret: string; readonly passphrase: string };
}

/** A paused exchange and what tests do with it from outside, over its sockets. */
export interface Fixture {
  readonly exchange: RunningExchange;
  control(name: string, body?: object): Promise<unknown>;
  state(): Promise<ExchangeState>;
  markets(): Promise<ListedMarket[]>;
  trader(privateKey?: Hex): Promise<Trader>;
}

export interface ExchangeState {
  readonly account: { readonly usd: string; readonly tokens: Record<string, string> };
  readonly orders: readonly Record<string, string>[];
  readonly trades: readonly Record<string, string>[];
}

/**
 * Opens an exchange whose clock stands still: only `POST /_control/clock` moves it, so nothing settles by itself. `Date` stands
 * still with it until it is closed, so that what a client signs and expires by agrees with it however long a test takes.
 */
export async function openFixture(options: ExchangeOptions = {}): Promise<Fixture> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const exchange = closeWithDate(await startExchange({ paused: true, ...options }));
  const get = async (path: string) => (await fetch(`${exchange.url}${path}`)).json();
  return {
    exchange,
    control: (name, body = {}) => control(exchange, name, body),
    state: async () => (await get('/_control/state')) as ExchangeState,
    markets: async () => ((await get('/gamma/markets?limit=100')) as GammaMarket[]).map(listedMarket),
    trader: (privateKey) => connectTrader(exchange.url, privateKey),
  };
}

function closeWithDate(exchange: RunningExchange): RunningExchange {
  const close = async () => {
    vi.useRealTimers();
    await exchange.close();
  };
  return { ...exchange, close };
}

interface GammaMarket {
  readonly conditionId: string;
  readonly version: string;
  /** JSON text, in markets of version v1. */
  readonly clobTokenIds?: string;
  /** In markets of version v2. */
  readonly positionIds?: readonly [string, string];
  readonly negRisk: boolean;
  readonly orderPriceMinTickSize: number;
  readonly feeSchedule: { readonly rate: number };
}

function listedMarket(market: GammaMarket): ListedMarket {
  return {
    conditionId: market.conditionId,
    version: market.version,
    tokens: market.positionIds ?? (JSON.parse(market.clobTokenIds ?? '[]') as [string, string]),
    negRisk: market.negRisk,
    tick: market.orderPriceMinTickSize,
    feeRate: market.feeSchedule.rate,
  };
}

async function control(exchange: RunningExchange, name: string, body: object): Promise<unknown> {
  const response = await fetch(`${exchange.url}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** An official client with its API key created, or derived when it exists already. */
export async function connectTrader(url: string, privateKey: Hex = TEST_KEY): Promise<Trader> {
  const account = privateKeyToAccount(privateKey);
  const signer = createWalletClient({ account, chain: polygon, transport: http(url) });
  const creds = await new ClobClient({ host: url, chain: Chain.POLYGON, signer }).createOrDeriveApiKey();
  return { client: new ClobClient({ host: url, chain: Chain.POLYGON, signer, creds, throwOnError: true }), creds };
}

export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A signed call with a body of our choosing, for what the official client would not send. */
export async function signedCall(
  fixture: Fixture,
  { creds }: Trader,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body = '',
): Promise<WireAnswer> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = l2Signature(creds.secret, timestamp, method, path.split('?', 1)[0] ?? '', Buffer.from(body));
  const response = await fetch(`${fixture.exchange.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      poly_address: privateKeyToAccount(TEST_KEY).address,
      poly_signature: signature,
      poly_timestamp: timestamp,
      poly_api_key: creds.key,
      poly_passphrase: creds.passphrase,
    },
    ...(body === '' ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text), headers: response.headers };
}

/** A stream client that keeps every frame and lets a test wait for the one it expects. */
export class StreamClient {
  readonly frames: unknown[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const text = data.toString();
      const parsed: unknown = /^[[{]/.test(text) ? JSON.parse(text) : text;
      this.frames.push(...(Array.isArray(parsed) ? parsed : [parsed]));
      for (const look of this.#waiting) look();
    });
  }

  static async open(exchange: RunningExchange, channel: 'market' | 'user', hello: object): Promise<StreamClient> {
    const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}/ws/${channel}`);
    const client = new StreamClient(socket);
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
    socket.send(JSON.stringify(hello));
    return client;
  }

  send(message: string | object): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves with the first frame, past or future, that holds. */
  async expect<T>(holds: (frame: T) => boolean): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = (this.frames as T[]).find((frame) => typeof frame === 'object' && holds(frame));
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves when the server has answered everything that was sent before. */
  async untilAnswered(): Promise<void> {
    const seen = this.frames.filter((frame) => frame === 'PONG').length;
    this.send('PING');
    await new Promise<void>((resolve) => {
      const look = () => {
        if (this.frames.filter((frame) => frame === 'PONG').length <= seen) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  async closed(): Promise<number> {
    return new Promise((resolve) => this.#socket.once('close', (code) => resolve(code)));
  }

  close(): void {
    this.#socket.close();
  }
}
