import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterAll, beforeAll, it } from 'vitest';
import { Bench, type OpenVenue, type VenueWords } from '../conformance/bench.ts';
import { ExchangeControl } from '../conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from '../conformance/exchange-process.ts';
import type { Venue, VenueRuntime } from '../venue.ts';
import { POLYMARKET_DEFAULTS, type PolymarketConfig } from './config.ts';
import { openPolymarket } from './polymarket.ts';

/** A key made up for this test; it holds nothing anywhere. */
const TEST_KEY = `0x${'42'.repeat(32)}`;

/** Quick enough to see in a test what takes a venue half a minute, with room for a busy machine. */
const QUICK_STREAM = {
  ...POLYMARKET_DEFAULTS.stream,
  pingEveryMs: 500,
  pongLateMs: 2_000,
  pongTimeoutMs: 10_000,
  silenceMs: 500,
  silenceMaxMs: 500,
  snapshotWaitMs: 1_000,
  settleMs: 100,
  resyncAfterMs: 50,
  compareEveryMs: 500,
  backoffMinMs: 20,
  backoffMaxMs: 200,
};

const WORDS: VenueWords = {
  pockets: ['cash'],
  hasTickBands: false,
  makersPay: false,
  announcesFees: false,
  netsOutcomes: false,
  calledOffPays: { ofOneEvent: 'as_promised', alone: 'half' },
  renamesOrders: false,
  restsAnySize: false,
  settlesAtOnce: false,
  noMoney: /not enough balance/,
};

const RUNTIME: VenueRuntime = {
  now: () => instantFromMs(Date.now()),
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined },
};

/** An exchange and the strings behind it. */
export type StartExchange = () => Promise<{ exchange: ExchangeProcess; control: ExchangeControl }>;

async function startSimulated(): ReturnType<StartExchange> {
  const exchange = await startExchangeProcess({ isPaused: true });
  return { exchange, control: new ExchangeControl(exchange.url) };
}

/** Each case on a bench of its own; one exchange and one venue for all, opened as the account says. */
export function runCases(
  account: Partial<PolymarketConfig>,
  cases: readonly { number: number; title: string; run: (bench: Bench) => Promise<void> }[],
  start: StartExchange = startSimulated,
): void {
  let exchange: ExchangeProcess;
  let control: ExchangeControl;
  let venue: Venue;
  let markets: Awaited<ReturnType<Venue['catalogue']['searchMarkets']>>['data'];

  const openVenue: OpenVenue = ({ tokensPerSocket = QUICK_STREAM.tokensPerSocket, requestTimeoutMs = 10_000 }) =>
    openPolymarket(
      {
        ...POLYMARKET_DEFAULTS,
        clobUrl: exchange.url,
        gammaUrl: `${exchange.url}/gamma`,
        dataUrl: `${exchange.url}/data-api`,
        wsUrl: `${exchange.url.replace('http', 'ws')}/ws`,
        privateKey: TEST_KEY,
        requestTimeoutMs,
        stream: { ...QUICK_STREAM, tokensPerSocket },
        chain: {
          ...POLYMARKET_DEFAULTS.chain,
          rpcUrls: [`${exchange.url}/_chain/rpc`, `${exchange.url}/_chain/rpc2`],
          relayerUrl: `${exchange.url}/relayer`,
          relayerKey: 'key-of-the-test-at-the-relayer',
          directional: true,
        },
        ...account,
      },
      RUNTIME,
    );

  beforeAll(async () => {
    ({ exchange, control } = await start());
    venue = await openVenue({});
    if (account.funder) await control.setChain({ wallet: { address: account.funder } });
    markets = (await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data;
  });

  afterAll(async () => {
    await venue?.close();
    await exchange?.stop();
  });

  for (const { number, title, run } of cases) {
    it(`${number} ${title}`, async () => {
      const bench = new Bench({ control, venue, words: WORDS, openVenue, markets });
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
}
