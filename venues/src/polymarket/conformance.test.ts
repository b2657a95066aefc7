import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Bench, type OpenVenue } from '../conformance/bench.ts';
import { CONFORMANCE_CASES } from '../conformance/cases.ts';
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

const RUNTIME: VenueRuntime = {
  now: () => instantFromMs(Date.now()),
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined },
};

/** As `POLYMARKET_SIGNATURE_TYPE=3` and `POLYMARKET_FUNDER` set it. */
const DEPOSIT_WALLET = { signatureType: 3, funder: `0x${'d4'.repeat(20)}` } as const;

/** What a signature decides: orders of each kind of market and of both sides, and finding them, their fills and what they bought again. */
const CASES_OF_A_WALLET = [20, 21, 25, 26, 29, 30, 32, 33, 67, 80];

describe('Polymarket on the simulated exchange', () => {
  runCases({}, CONFORMANCE_CASES);
});

describe('Polymarket on the simulated exchange, for a deposit wallet', () => {
  runCases(
    DEPOSIT_WALLET,
    CONFORMANCE_CASES.filter(({ number }) => CASES_OF_A_WALLET.includes(number)),
  );
});

/** Each case on a bench of its own; one exchange and one venue for all, opened as the account says. */
function runCases(account: Partial<PolymarketConfig>, cases: typeof CONFORMANCE_CASES): void {
  let exchange: ExchangeProcess;
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
        ...account,
      },
      RUNTIME,
    );

  beforeAll(async () => {
    exchange = await startExchangeProcess({ isPaused: true });
    venue = await openVenue({});
    markets = (await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data;
  });

  afterAll(async () => {
    await venue?.close();
    await exchange?.stop();
  });

  for (const { number, title, run } of cases) {
    it(`${number} ${title}`, async () => {
      const bench = new Bench({ control: new ExchangeControl(exchange.url), venue, openVenue, markets });
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
}
