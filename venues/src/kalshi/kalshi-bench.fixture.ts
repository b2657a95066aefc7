import { generateKeyPairSync } from 'node:crypto';
import { type MarketId, type TokenId, withoutVenue } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { Bench, type VenueWords } from '../conformance/bench.ts';
import { ExchangeControl, type QuotedLevels } from '../conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from '../conformance/exchange-process.ts';
import type { Venue, VenueRuntime } from '../venue.ts';
import { KALSHI_DEFAULTS, type KalshiConfig } from './config.ts';
import { openKalshi } from './kalshi.ts';

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
    await this.call('faults', { name, ...details });
  }

  override async clearFaults(): Promise<void> {
    await fetch(`${this.#url}/_control/kalshi/faults`, { method: 'DELETE' });
  }

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
  renamesOrders: true,
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

  static async start(): Promise<KalshiWorld> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const exchange = await startExchangeProcess({ isPaused: true });
    const control = new KalshiControl(exchange.url);
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await control.call('keys', { key_id: 'key-of-the-test', public_key: publicPem, scopes: ['read'] });
    const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return new KalshiWorld(exchange, control, { id: 'key-of-the-test', privateKey: privatePem });
  }

  async openVenue(given: Partial<KalshiConfig> = {}): Promise<Venue> {
    const { url } = this.#exchange;
    const venue = await openKalshi(
      {
        ...KALSHI_DEFAULTS,
        apiUrl: `${url}/trade-api/v2`,
        wsUrl: `${url.replace('http', 'ws')}/trade-api/ws/v2`,
        key: this.#key,
        stream: QUICK_STREAM,
        ...given,
      },
      RUNTIME,
    );
    this.#open.push(venue);
    return venue;
  }

  bench(venue: Venue, markets: ConstructorParameters<typeof Bench>[0]['markets']): Bench {
    return new Bench({ control: this.control, venue, words: WORDS, openVenue: () => this.openVenue(), markets });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#open.map((venue) => venue.close()));
    await this.#exchange.stop();
  }
}
