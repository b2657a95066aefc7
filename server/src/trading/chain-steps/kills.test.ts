/** A chain loop that is killed at any of its steps, and another that goes on: nothing is sent twice, nothing lost. CHAIN_KILLS=20 takes so many at each. */
import { afterAll, describe, expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { CHAIN_POINTS } from '../../platform/runtime/crash-point.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { boughtBatch, type ChainSite, nextBlocks, onChain, openChainDesk, openChainSite } from './chain.fixture.ts';

const KILLS = Number(process.env.CHAIN_KILLS ?? 2);

class Killed extends Error {}

/** The relayer takes a hundred merges a day, and a run has several where it is repeated. */
const RUNS_OF_A_SITE = 30;

let site: ChainSite | null = null;
let runs = 0;

async function closeSite(): Promise<void> {
  await site?.venue.close();
  await site?.exchange.stop();
}

async function siteOfRun(): Promise<ChainSite> {
  if (site === null || runs % RUNS_OF_A_SITE === 0) {
    await closeSite();
    site = await openChainSite();
  }
  runs += 1;
  return site;
}

afterAll(closeSite);

describe.each(CHAIN_POINTS)('a chain loop that dies when it has passed %s', (point) => {
  it.each(Array.from({ length: KILLS }, (_, seed) => seed + 1))(
    'leaves what another carries on, run %i',
    async (seed) => {
      const site = await siteOfRun();
      await using test = await openTestRuntime({ VENUE: 'simulated' });
      const desk = openChainDesk(test, site);
      const market = site.markets.filter(({ event }) => event?.negRisk !== true)[runs % 20];
      if (market === undefined) throw new Error('the exchange has more markets');
      const amount = `${1 + seed}.${String(seed).padStart(6, '7')}`;
      await site.control.split(market.id, amount);
      const batchId = await boughtBatch(test, [
        { market, outcome: 0, shares: amount, cost: '0.7' },
        { market, outcome: 1, shares: amount, cost: '0.3' },
      ]);
      const tokens = market.outcomes.map(({ tokenId }) => tokenId);
      const before = await onChain(site, tokens);
      const { transactions } = await site.control.chain();
      let isAlive = true;
      const pass = (at: string) => {
        if (at !== point && isAlive) return;
        isAlive = false;
        throw new Killed(at);
      };
      const partitions = { ...onlyEngine().partitions, held: () => (isAlive ? null : []) };
      const dying = desk.keep({ runtime: { ...test.runtime, pass }, partitions });
      await desk.cashNow({ batchId }, pass).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      for (let round = 0; round < 4 && isAlive; round += 1) {
        await test.time.advance(1000);
        if (isAlive) await nextBlocks(site);
      }
      expect(isAlive).toBe(false);
      await dying.stop();

      const next = desk.keep();
      // What may have been sent and was not is proven once its deadline has passed.
      await desk.untilIdle(12);
      await next.stop();
      const [submission] = await desk.submissions();
      const after = await onChain(site, tokens);
      const { batch, sales } = await desk.stateOf(batchId);
      const expected = submission?.row.expected ?? 0;
      const isConfirmed = submission?.row.status === 'confirmed';
      expect(submission?.row.bookedAt).not.toBeNull();
      expect(['confirmed', 'failed']).toContain(submission?.row.status);
      expect(isConfirmed).toBe(point !== 'chain_marked');
      expect(after.cash - before.cash).toBe(isConfirmed ? expected : 0);
      expect((await site.control.chain()).transactions.length - transactions.length).toBe(isConfirmed ? 1 : 0);
      expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(isConfirmed ? expected : 0);
      expect(batch.actualProfit).toBe(expected - 1_000_000);
    },
  );
});
