import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import {
  type MarketStream,
  type MarketStreamEvents,
  type Venue,
  type VenueRuntime,
  VenueUnavailable,
} from '../venue.ts';
import { openApi } from './api.ts';
import { KalshiCatalogue } from './catalogue/catalogue.ts';
import type { KalshiConfig } from './config.ts';
import { KalshiMarketStream } from './market-stream/market-stream.ts';
import { PolledMarketStream } from './market-stream/polled-stream.ts';
import { openPrices } from './prices.ts';
import { openSigner } from './signing.ts';

/**
 * Opens the venue to be read. With a key books come whole and over the stream; without one their best levels are polled.
 *
 * @throws Error when the private key cannot be used; nothing of it is in the message.
 */
export async function openKalshi(given: KalshiConfig, runtime: VenueRuntime): Promise<Venue> {
  const config = { ...given, apiUrl: withoutSlash(given.apiUrl), wsUrl: withoutSlash(given.wsUrl) };
  const signer = config.key === null ? null : openSigner(config.key.id, config.key.privateKey);
  const api = openApi(config, signer, runtime);
  const catalogue = new KalshiCatalogue(api, config, runtime);
  const prices = openPrices(api, runtime, (marketId) => catalogue.tickOf(marketId));
  const open = new Set<MarketStream>();
  return {
    names: ['kalshi'],
    catalogue,
    prices,
    trading: null,
    chain: null,
    serverTime: () => readServerTime(config, runtime),
    openMarketStream: (events: MarketStreamEvents) => {
      const stream =
        signer === null
          ? new PolledMarketStream({ pollEveryMs: config.stream.pollEveryMs, prices, runtime, events })
          : new KalshiMarketStream({ url: config.wsUrl, config: config.stream, signer, runtime, events });
      open.add(stream);
      return stream;
    },
    openUserStream: () => {
      throw new Error('the venue is read only');
    },
    forget: () => catalogue.forget(),
    close: async () => {
      await Promise.all([...open].map((stream) => stream.close()));
    },
  };
}

/** The venue has no call for its time: every answer is dated. */
async function readServerTime(config: KalshiConfig, { network }: Pick<VenueRuntime, 'network'>): Promise<Instant> {
  const call = network?.fetch ?? fetch;
  const signal = AbortSignal.timeout(config.requestTimeoutMs);
  const response = await call(`${config.apiUrl}/exchange/status`, { signal, redirect: 'error' }).catch(
    (error: unknown) => {
      throw new VenueUnavailable(`the time got no answer: ${error instanceof Error ? error.message : String(error)}`);
    },
  );
  await response.body?.cancel();
  const ms = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(ms)) throw new VenueUnavailable('an answer came without a date');
  return instantFromMs(ms);
}

function withoutSlash(url: string): string {
  return url.replace(/\/{1,9}$/, '');
}
