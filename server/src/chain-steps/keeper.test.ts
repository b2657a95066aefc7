import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';
import { boughtBatch, type ChainDesk, type ChainSite, onChain, openChainDesk, openChainSite } from './chain.fixture.ts';

let site: ChainSite;
let test: TestRuntime;
let desk: ChainDesk;
let keeper: { stop: () => Promise<void> };

beforeAll(async () => {
  site = await openChainSite();
});
afterAll(async () => {
  await site.venue.close();
  await site.exchange.stop();
});
beforeEach(async () => {
  test = await openTestRuntime({ VENUE: 'simulated' });
  desk = openChainDesk(test, site);
  keeper = desk.keep();
});
afterEach(async () => {
  await keeper.stop();
  await test.close();
});

/** Of a market that stands alone, another at each call. */
const lone = () => {
  const market = site.markets.filter(({ event }) => event?.negRisk !== true)[next++];
  if (market === undefined) throw new Error('the exchange has more markets');
  return market;
};
let next = 0;

describe('the keeper of the chain', () => {
  it('turns a pair into its dollars, to the micro-dollar, and books them to the orders in proportion to what they cost', async () => {
    const market = lone();
    await site.control.split(market.id, '10');
    const tokens = market.outcomes.map(({ tokenId }) => tokenId);
    const before = await onChain(site, tokens);
    const batchId = await boughtBatch(test, [
      { market, outcome: 0, shares: '10', cost: '3.333333' },
      { market, outcome: 1, shares: '10', cost: '6' },
    ]);
    const { requestId, refusal } = await desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await desk.settle();
    expect(await desk.submissions(requestId)).toMatchObject([
      {
        row: { status: 'confirmed', expected: 10_000_000, error: null },
        steps: [{ kind: 'merge', shares: 10_000_000 }],
      },
    ]);
    const after = await onChain(site, tokens);
    expect([after.cash - before.cash, after.shares]).toEqual([10_000_000, [0, 0]]);
    const { batch, sales, orders } = await desk.stateOf(batchId);
    expect(sales).toMatchObject([
      { status: 'filled', filledSize: 10_000_000, filledCost: 3_571_428, fee: 0 },
      { status: 'filled', filledSize: 10_000_000, filledCost: 6_428_572, fee: 0 },
    ]);
    expect(orders).toMatchObject([{ soldSize: 10_000_000 }, { soldSize: 10_000_000 }]);
    expect(batch).toMatchObject({ actualProfit: 666_667, unhedged: null });
  });
});
