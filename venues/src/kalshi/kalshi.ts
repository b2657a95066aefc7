import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import {
  type MarketStream,
  type MarketStreamEvents,
  type Venue,
  type VenueRuntime,
  VenueUnavailable,
} from '../venue.ts';
import type { ReadingContext } from './account-lists.ts';
import { type KalshiApi, openApi, venueTimeAtMost } from './api.ts';
import { KalshiCatalogue } from './catalogue/catalogue.ts';
import type { KalshiConfig } from './config.ts';
import { type KeyTerms, readKey } from './key.ts';
import { KalshiMarketStream } from './market-stream/market-stream.ts';
import { PolledMarketStream } from './market-stream/polled-stream.ts';
import { followLimits, kalshiPace } from './pacing.ts';
import { openPockets } from './pockets.ts';
import { openPrices } from './prices.ts';
import { openSigner } from './signing.ts';
import { openTrading } from './trading.ts';
import { KalshiUserStream } from './user-stream.ts';

/**
 * Opens the venue. With a key that may trade orders leave, books come whole and over the stream; without one their best levels are
 * polled.
 *
 * @throws Error when the private key cannot be used, or may move money; nothing of it is in the message.
 */
export async function openKalshi(given: KalshiConfig, runtime: VenueRuntime): Promise<Venue> {
  const config = { ...given, apiUrl: withoutSlash(given.apiUrl), wsUrl: withoutSlash(given.wsUrl) };
  const { key, wsUrl: url } = config;
  const signer = key === null ? null : openSigner(key.id, key.privateKey);
  const api = openApi(config, signer, runtime);
  const followed = key === null ? NO_KEY : await followKey(api, key.id, runtime);
  const { mayTrade } = followed;
  const catalogue = new KalshiCatalogue(api, config, runtime);
  const prices = openPrices(api, runtime, (marketId) => catalogue.tickOf(marketId));
  const pace = kalshiPace();
  const limits = signer === null ? null : followLimits(api, pace, runtime);
  const context: ReadingContext = {
    ...{ api, runtime, subaccount: config.subaccount, unreadable: new Set() },
    ...{ places: new Map(), names: new Map(), sentBy: new Map(), shards: { names: [], readAt: instantFromMs(0) } },
  };
  const onPaused = (ticker: string) => catalogue.pause(ticker);
  const movingApi = mayTrade ? await openMovingApi(config, api, runtime) : null;
  const pockets = openPockets({ api, movingApi, config });
  const open = new Set<{ close(): Promise<void> }>();
  const kept = <Opened extends { close(): Promise<void> }>(stream: Opened): Opened => {
    open.add(stream);
    return stream;
  };
  return {
    names: ['kalshi'],
    catalogue,
    prices,
    trading:
      mayTrade && limits !== null
        ? openTrading({
            ...{ api, config, runtime, context, pace, limits, onPaused, pockets },
            keyEndsAt: followed.endsAt,
          })
        : null,
    chain: null,
    serverTime: () => readServerTime(config, runtime),
    openMarketStream: (events: MarketStreamEvents): MarketStream => {
      if (signer === null)
        return kept(new PolledMarketStream({ pollEveryMs: config.stream.pollEveryMs, prices, runtime, events }));
      const onActivity = (ticker: string) => catalogue.resume(ticker);
      const venueNow = () => venueTimeAtMost(api, runtime.now());
      return kept(
        new KalshiMarketStream({ url, config: config.stream, signer, runtime, events, venueNow, onActivity }),
      );
    },
    openUserStream: (events) => {
      if (signer === null) throw new Error('the venue is read only');
      return kept(new KalshiUserStream({ url, config: config.stream, signer, runtime, context, events }));
    },
    forget: () => catalogue.forget(),
    close: async () => {
      limits?.stop();
      followed.stop();
      await Promise.all([...open].map((stream) => stream.close()));
    },
  };
}

type FollowedKey = { mayTrade: boolean; endsAt: () => Instant | null; stop: () => void };

const NO_KEY: FollowedKey = { mayTrade: false, endsAt: () => null, stop: () => undefined };

/**
 * A venue that does not answer now may do so later: its key is believed to trade, and the venue itself refuses what it may not. When it
 * ends is asked for again, as its owner may have renewed it.
 */
async function followKey(api: KalshiApi, keyId: string, { log, now }: VenueRuntime): Promise<FollowedKey> {
  let terms: KeyTerms | null = null;
  let isRead = false;
  const read = async () => {
    try {
      terms = await readKey(api, keyId);
      isRead = true;
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.warn({ reason: error.message }, 'kalshi key not read');
    }
  };
  const known = (): KeyTerms | null => terms;
  await read();
  if (known()?.mayMoveMoney)
    throw new Error(
      'KALSHI_KEY_ID names a key that may move money between accounts: make one with the scopes read and write::trade alone',
    );
  const endsAt = () => known()?.expiresAt ?? null;
  const ends = endsAt();
  if (ends !== null && ends < now() + ENDS_SOON_MS)
    log.warn({ endsAt: instantToIso(ends) }, 'kalshi key ends soon: the attestation of the region runs out');
  const timer = setInterval(() => void read(), KEY_READ_EVERY_MS);
  timer.unref();
  return { mayTrade: !isRead || (known()?.mayTrade ?? true), endsAt, stop: () => clearInterval(timer) };
}

const KEY_READ_EVERY_MS = 300_000;

/** Null where no key was given to move cash by, or the one that was may not. */
async function openMovingApi(config: KalshiConfig, api: KalshiApi, runtime: VenueRuntime): Promise<KalshiApi | null> {
  const { transferKey: key } = config;
  if (key === null) return null;
  const terms = await readKey(api, key.id).catch((error: unknown) => {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn({ reason: error.message }, 'kalshi transfer key not read');
    return null;
  });
  if (terms?.mayTrade)
    throw new Error('KALSHI_TRANSFER_KEY_ID names a key that may place orders: make one with write::transfer alone');
  if (terms?.mayMoveMoney === false) {
    runtime.log.warn({}, 'kalshi transfer key may not move money: cash is not moved between shards');
    return null;
  }
  return openApi(config, openSigner(key.id, key.privateKey), runtime);
}

const ENDS_SOON_MS = 14 * 86_400_000;

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
