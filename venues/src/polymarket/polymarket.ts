import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type CallAnswer, createJsonApi, type JsonApi, openReadSlots } from '../transport.ts';
import {
  type MarketStreamEvents,
  type UserStreamEvents,
  type Venue,
  type VenueRuntime,
  VenueUnavailable,
} from '../venue.ts';
import { openSessions, tradingAccount } from './auth.ts';
import { PolymarketCatalogue } from './catalogue.ts';
import { openChain } from './chain/open-chain.ts';
import type { PolymarketConfig } from './config.ts';
import { createSecrets } from './errors.ts';
import { PolymarketMarketStream } from './market-stream/market-stream.ts';
import { noteAnswer, polymarketPace, readLimits } from './pacing.ts';
import { openAccountCall } from './placing/account-call.ts';
import { openPrices } from './prices.ts';
import { createTicks } from './ticks.ts';
import { openTrading } from './trading.ts';
import { PolymarketUserStream } from './user-stream.ts';
import { serverSeconds } from './wire.ts';

/**
 * Opens the venue. Resolves once a first attempt to obtain API credentials has been made, also when the venue is not
 * up: the attempts go on in the background, reads throw `VenueUnavailable` and nothing is placed until one succeeds.
 * Without a private key the venue is read only and no attempt is made.
 *
 * @throws Error when the private key, the funder or the signature type cannot be used; the key is never named.
 */
export async function openPolymarket(given: PolymarketConfig, runtime: VenueRuntime): Promise<Venue> {
  const config = { ...given, clobUrl: withoutSlash(given.clobUrl), wsUrl: withoutSlash(given.wsUrl) };
  const secrets = createSecrets();
  const account = config.privateKey === null ? null : tradingAccount(config, config.privateKey, secrets);
  const pace = polymarketPace();
  const onAnswer = (answer: CallAnswer) => noteAnswer(pace, answer, runtime.now());
  const ticks = createTicks(runtime.now);
  const takeSlot = openReadSlots(readLimits('clob'), runtime.now);
  const takeGammaSlot = openReadSlots(readLimits('gamma'), runtime.now);
  const takeDataSlot = openReadSlots(readLimits('data'), runtime.now);
  const clob = createJsonApi(config.clobUrl, config.requestTimeoutMs, { ...runtime, takeSlot });
  const dataApi = createJsonApi(config.dataUrl, config.requestTimeoutMs, { ...runtime, takeSlot: takeDataSlot });
  const gamma = createJsonApi(config.gammaUrl, config.requestTimeoutMs, { ...runtime, takeSlot: takeGammaSlot });
  const catalogue = new PolymarketCatalogue({ gamma, clob }, config, runtime, ticks, config.chainId);
  const prices = openPrices(clob, runtime, ticks);
  const sessions =
    account &&
    openSessions(
      config,
      account,
      { clob, call: openAccountCall(config, runtime, account.address, onAnswer) },
      runtime,
      secrets,
    );
  const open = new Set<{ close(): Promise<void> }>();
  const keep = <T extends { close(): Promise<void> }>(stream: T): T => {
    open.add(stream);
    return stream;
  };
  await sessions?.firstAttempt;
  return {
    names: ['polymarket'],
    catalogue,
    prices,
    trading:
      account &&
      sessions &&
      openTrading({ config, runtime, account, sessions, catalogue, ticks, secrets, pace, dataApi }),
    chain: account && openChain({ config, runtime, account, gamma, secrets }),
    serverTime: () => readServerTime(clob),
    openMarketStream: (events: MarketStreamEvents) =>
      keep(
        new PolymarketMarketStream({
          url: `${config.wsUrl}/market`,
          config: config.stream,
          runtime,
          prices,
          ticks,
          otherTokens: (tokenId) => catalogue.otherTokens(tokenId),
          events,
        }),
      ),
    openUserStream: (events: UserStreamEvents) => {
      if (!account || !sessions) throw new Error('a venue without a private key has no user stream');
      const { maker } = account;
      return keep(new PolymarketUserStream({ config, runtime, maker, sessions, catalogue, secrets, events }));
    },
    forget: () => {
      ticks.forget();
      catalogue.forget();
    },
    close: async () => {
      sessions?.close();
      await Promise.all([...open].map((stream) => stream.close()));
    },
  };
}

async function readServerTime(clob: JsonApi): Promise<Instant> {
  const seconds = serverSeconds.safeParse(await clob.get('/time', {}));
  if (!seconds.success) throw new VenueUnavailable('the time came without a number');
  return instantFromMs(seconds.data * 1000);
}

function withoutSlash(url: string): string {
  return url.replace(/\/{1,9}$/, '');
}
