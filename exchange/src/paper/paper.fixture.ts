import { usdFromText } from '@dutchbook/units/usd.ts';
import { type ExchangeState, StreamClient } from '../adapters/polymarket/exchange-fixture.ts';
import { type RunningExchange, startExchange } from '../start-exchange.ts';
import type { Pace, PaperOptions } from './options.ts';

/** Quick in all that a test waits for. */
const QUICK: Partial<Pace> = {
  callsPerSecond: 500,
  backoffMinMs: 5,
  backoffMaxMs: 50,
  newestMs: 60_000,
  rereadMs: 60_000,
  snapshotWaitMs: 200,
};

export interface PaperWorld {
  /** The venue that is mirrored: a simulated exchange whose makers stand still. */
  readonly real: Venue;
  readonly paper: Venue;
  close(): Promise<void>;
}

export interface Venue extends RunningExchange {
  control(name: string, body?: object): Promise<unknown>;
  get<T>(path: string): Promise<T>;
  state(): Promise<ExchangeState>;
  book(tokenId: string): Promise<WireBook>;
}

export interface WireBook {
  readonly bids: readonly { price: string; size: string }[];
  readonly asks: readonly { price: string; size: string }[];
}

export function venueOf(exchange: RunningExchange): Venue {
  const get = async <T>(path: string) => (await (await fetch(`${exchange.url}${path}`)).json()) as T;
  return {
    ...exchange,
    get,
    control: async (name, body = {}) => {
      const response = await fetch(`${exchange.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(body) });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
      return answer;
    },
    state: () => get('/_control/state'),
    book: (tokenId) => get(`/book?token_id=${tokenId}`),
  };
}

/** A mirror of what answers at `url` as a simulated exchange does. */
export async function openPaper(
  url: string,
  options: Partial<PaperOptions> = {},
  journalFile?: string,
): Promise<Venue> {
  const upstream = { gamma: `${url}/gamma`, clob: url, ws: `${url.replace('http', 'ws')}/ws` };
  const paper = { upstream, fills: 'touch' as const, cash: usdFromText('1000'), ...options };
  return venueOf(
    await startExchange({
      paper: { ...paper, pace: { ...QUICK, ...options.pace } },
      ...(journalFile === undefined ? {} : { journalFile }),
    }),
  );
}

export async function openWorld(options: Partial<PaperOptions> = {}): Promise<PaperWorld> {
  const real = venueOf(await startExchange({ paused: true }));
  const paper = await openPaper(real.url, options);
  return {
    real,
    paper,
    close: async () => {
      await paper.close();
      await real.close();
    },
  };
}

export interface MarketAnswer {
  readonly conditionId: string;
  readonly version: string;
  readonly clobTokenIds: string;
  readonly negRisk: boolean;
  readonly acceptingOrders: boolean;
  readonly question: string;
}

/** A market of the first protocol that stands alone, with its tokens. */
export async function plainMarket(
  venue: Venue,
): Promise<{ conditionId: string; tokens: [string, string]; isAccepting: boolean }> {
  const markets = await venue.get<MarketAnswer[]>('/gamma/markets?limit=100');
  const found = markets.find(({ version, negRisk }) => version === 'v1' && !negRisk);
  if (found === undefined) throw new Error('the catalogue lists plain markets');
  return {
    conditionId: found.conditionId,
    tokens: JSON.parse(found.clobTokenIds) as [string, string],
    isAccepting: found.acceptingOrders,
  };
}

export function followMarket(venue: Venue, tokens: readonly string[]): Promise<StreamClient> {
  return StreamClient.open(venue, 'market', { assets_ids: tokens, type: 'market', custom_feature_enabled: true });
}
