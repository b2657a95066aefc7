import { generateKeyPairSync } from 'node:crypto';
import { type MarketId, type TokenId, withoutVenue } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { priceFromText, priceToText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { z } from 'zod';
import { Bench, type VenueWords } from '../conformance/bench.ts';
import { ExchangeControl, type ExchangeState, type QuotedLevels } from '../conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from '../conformance/exchange-process.ts';
import type { Venue, VenueRuntime } from '../venue.ts';
import { KALSHI_DEFAULTS, type KalshiConfig } from './config.ts';
import { ofToken, tokenIdOf } from './ids.ts';
import { openKalshi } from './kalshi.ts';
import { directionOf, orderName, ownPrice } from './orders.ts';

/** Faults of an order; all others are faults of a call. */
const MATCHING_FAULTS = new Set(['partial_fill']);

const kalshiState = z.object({
  pockets: z.record(z.string(), z.object({ usd: z.string(), tokens: z.record(z.string(), z.string()) })),
  orders: z.array(
    z.object({
      client_order_id: z.string().nullable(),
      ...{ ticker: z.string(), side: z.enum(['bid', 'ask']), status: z.string(), filled: z.string() },
    }),
  ),
  fills: z.array(
    z.object({
      client_order_id: z.string().nullable(),
      ...{ trade_id: z.string(), ticker: z.string(), side: z.enum(['bid', 'ask']), count: z.string() },
      ...{ fee: z.string(), yes_price: z.string() },
    }),
  ),
});

/** Moves the second venue of the simulated exchange, by the calls that cases know. */
export class KalshiControl extends ExchangeControl {
  readonly #url: string;

  constructor(url: string) {
    super(url);
    this.#url = url;
  }

  override async quote(tokenId: TokenId, bids: QuotedLevels, asks: QuotedLevels): Promise<void> {
    const levels = (side: QuotedLevels) => side.map(([price, size]) => ({ price, size }));
    await this.call('book', { token_id: withoutVenue(tokenId), bids: levels(bids), asks: levels(asks) });
  }

  override async resolve(marketId: MarketId, outcome: string): Promise<void> {
    await this.call('resolve', { ticker: withoutVenue(marketId), yes_pays: outcome === 'Yes' ? '1' : '0' });
  }

  override async editRules(marketId: MarketId, rules: string): Promise<void> {
    await this.call('market', { ticker: withoutVenue(marketId), rules });
  }

  override async clampPages(max: number | null): Promise<void> {
    await this.call('reads', { page_max: max });
  }

  override async fault(name: string, details: Record<string, unknown> = {}): Promise<void> {
    const { token_id: tokenId, ...rest } = details;
    const named = MATCHING_FAULTS.has(name) && typeof tokenId === 'string' ? { token_id: withoutVenue(tokenId) } : {};
    await this.call('faults', { name, ...rest, ...named });
  }

  override async clearFaults(): Promise<void> {
    await fetch(`${this.#url}/_control/kalshi/faults`, { method: 'DELETE' });
  }

  override async setTick(tokenId: TokenId, tick: string): Promise<void> {
    const ticker = ofToken(tokenId)?.ticker;
    await this.call('market', { ticker, ranges: [{ start: '0', end: '1', step: tick }] });
  }

  override async waiveFees(marketId: MarketId, until: Instant): Promise<void> {
    await this.call('market', { ticker: withoutVenue(marketId), fee_waived_until_ms: until });
  }

  override async state(): Promise<ExchangeState> {
    const response = await fetch(`${this.#url}/_control/kalshi/state`);
    const { pockets, orders, fills } = kalshiState.parse(await response.json());
    const own = Object.entries(pockets).filter(([pocket]) => pocket.startsWith('member/'));
    const usd = own.reduce((sum, [, pocket]) => sum + usdFromText(pocket.usd), 0);
    const ours = <Row extends { client_order_id: string | null; side: 'bid' | 'ask'; ticker: string }>(row: Row) => {
      const id = orderName(row.client_order_id, '');
      const { side, outcome } = directionOf(id, row.side);
      return { id, side, asset_id: tokenIdOf(row.ticker, outcome), outcome };
    };
    return {
      account: { usd: microToText(usd), tokens: Object.assign({}, ...own.map(([, { tokens }]) => tokens)) },
      orders: orders.map((order) => ({ ...ours(order), size_matched: order.filled, status: order.status })),
      trades: fills.map((fill) => ({
        ...ours(fill),
        id: fill.trade_id,
        size: fill.count,
        price: priceToText(ownPrice(priceFromText(fill.yes_price), ours(fill).outcome)),
        fee: fill.fee,
        status: 'CONFIRMED',
      })),
    };
  }

  override async setMode(): Promise<void> {}

  override async nameTransactions(): Promise<void> {}

  /** `/_control/kalshi/NAME` */
  async call(name: string, body: object): Promise<void> {
    const response = await fetch(`${this.#url}/_control/kalshi/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  }
}

const WORDS: VenueWords = {
  pockets: ['0', '1', '2', '3'],
  hasTickBands: true,
  makersPay: true,
  announcesFees: true,
  netsOutcomes: true,
  calledOffPays: { ofOneEvent: 'price_of_venue', alone: 'price_of_venue' },
  renamesOrders: true,
  restsAnySize: true,
  settlesAtOnce: true,
  noMoney: /insufficient balance/,
};

const RUNTIME: VenueRuntime = {
  now: () => instantFromMs(Date.now()),
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined },
};

/** Quick enough to see in a test what takes a venue half a minute. */
const QUICK_STREAM = {
  ...KALSHI_DEFAULTS.stream,
  verifyEveryMs: 300,
  pollEveryMs: 200,
  backoffMinMs: 20,
  backoffMaxMs: 200,
};

/** An exchange in a process of its own with this key known to it, and the venue on it, which is read. */
export class KalshiWorld {
  readonly #exchange: ExchangeProcess;
  readonly control: KalshiControl;
  readonly #key: KalshiConfig['key'];
  readonly #open: Venue[] = [];

  private constructor(exchange: ExchangeProcess, control: KalshiControl, key: KalshiConfig['key']) {
    this.#exchange = exchange;
    this.control = control;
    this.#key = key;
  }

  get url(): string {
    return this.#exchange.url;
  }

  get apiUrl(): string {
    return `${this.url}/trade-api/v2`;
  }

  /** `mirrored`: the REST interface that it mirrors on paper; without it nothing moves by itself. */
  static async start({ mirrored }: { mirrored?: string } = {}): Promise<KalshiWorld> {
    const exchange = await startExchangeProcess(
      mirrored === undefined
        ? { isPaused: true }
        : { environment: { PAPER_KALSHI_UPSTREAM: mirrored, PAPER_FILLS: 'touch' } },
    );
    const control = new KalshiControl(exchange.url);
    const key = await newKey(control, 'key-of-the-test', ['read', 'write::trade']);
    return new KalshiWorld(exchange, control, key);
  }

  /** With a second key, which moves cash. */
  async openMover(): Promise<Venue> {
    return await this.openVenue({ transferKey: await newKey(this.control, 'key-that-moves', ['write::transfer']) });
  }

  async openVenue(
    { requestTimeoutMs = 10_000, ...given }: Partial<KalshiConfig> = {},
    now = RUNTIME.now,
  ): Promise<Venue> {
    const { url } = this.#exchange;
    const venue = await openKalshi(
      {
        ...KALSHI_DEFAULTS,
        apiUrl: this.apiUrl,
        wsUrl: `${url.replace('http', 'ws')}/trade-api/ws/v2`,
        key: this.#key,
        stream: QUICK_STREAM,
        requestTimeoutMs,
        ...given,
      },
      { ...RUNTIME, now },
    );
    this.#open.push(venue);
    return venue;
  }

  bench(venue: Venue, markets: ConstructorParameters<typeof Bench>[0]['markets']): Bench {
    return new Bench({
      control: this.control,
      venue,
      words: WORDS,
      openVenue: (pace) => this.openVenue(pace),
      markets,
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#open.map((venue) => venue.close()));
    await this.#exchange.stop();
  }
}

async function newKey(control: KalshiControl, id: string, scopes: readonly string[]) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await control.call('keys', { key_id: id, public_key: publicPem, scopes });
  return { id, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
