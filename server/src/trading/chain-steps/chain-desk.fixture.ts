/** A chain loop at work for each test, on the simulated exchange that all tests of a file share. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { boughtBatch, type ChainDesk, type ChainSite, openChainDesk, openChainSite } from './chain.fixture.ts';

/** There from the first test on; a test may put another loop in the place of its own. */
export type KeptDesk = {
  site: ChainSite;
  test: TestRuntime;
  desk: ChainDesk;
  loop: { stop: () => Promise<void> };
  /** A market that stands alone and of which ten pairs are there: another at each call. */
  pair: () => Promise<{ market: Market; tokens: string[] }>;
  /** A batch of such a pair. */
  boughtPair: (costs?: string[]) => Promise<{ market: Market; tokens: string[]; batchId: string }>;
  /** What became of the submissions of a request. */
  statusOf: (requestId: string) => Promise<unknown[][]>;
};

/** `signatureType`: as of `openChainSite`. */
export function keptDesk(signatureType: 0 | 1 | 2 | 3 = 3): KeptDesk {
  let used = 0;
  const kept = {
    pair: async () => {
      const market = kept.site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
      if (market === undefined) throw new Error('the exchange has more markets');
      await kept.site.control.split(market.id, '10');
      return { market, tokens: market.outcomes.map(({ tokenId }) => tokenId) };
    },
    boughtPair: async (costs = ['4', '5']) => {
      const { market, tokens } = await kept.pair();
      const bought = costs.map((cost, outcome) => ({ market, outcome: outcome as 0 | 1, shares: '10', cost }));
      return { market, tokens, batchId: await boughtBatch(kept.test, bought) };
    },
    statusOf: async (requestId: string) =>
      (await kept.desk.submissions(requestId)).map(({ row }) => [row.purpose, row.status, row.error]),
  } as KeptDesk;
  beforeAll(async () => {
    kept.site = await openChainSite(signatureType);
  });
  afterAll(async () => {
    await kept.site.venue.close();
    await kept.site.exchange.stop();
  });
  beforeEach(async () => {
    kept.test = await openTestRuntime({ VENUE: 'simulated' });
    kept.desk = openChainDesk(kept.test, kept.site);
    kept.loop = kept.desk.keep();
  });
  afterEach(async () => {
    await kept.loop.stop();
    await kept.site.control.clearFaults();
    await kept.test.close();
  });
  return kept;
}
