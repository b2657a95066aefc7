import type { Market } from '@dutchbook/engine/market/market.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';
import {
  boughtBatch,
  type ChainDesk,
  type ChainSite,
  nextBlocks,
  onChain,
  openChainDesk,
  openChainSite,
} from './chain.fixture.ts';
import { recordRedeem, recordRedeemedByVenue, redeemedByVenue } from './record-redeem.ts';
import { decideRedeem, type RedeemDecision } from './redeem.ts';

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

let used = 0;

/** A batch of ten pairs of a market that stands alone, which then ends so. */
async function resolved(outcome: 'first' | 'half'): Promise<{ market: Market; batchId: string }> {
  const market = site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
  if (market === undefined) throw new Error('the exchange has more markets');
  await site.control.split(market.id, '10');
  const batchId = await boughtBatch(test, [
    { market, outcome: 0, shares: '10', cost: '4' },
    { market, outcome: 1, shares: '10', cost: '5' },
  ]);
  await site.control.resolve(market.id, outcome === 'half' ? outcome : (market.outcomes[0]?.outcome ?? ''));
  site.venue.forget();
  return { market, batchId };
}

async function decide(): Promise<RedeemDecision> {
  const { catalogue, trading } = site.venue;
  if (trading === null) throw new Error('the venue trades');
  return await decideRedeem(test.runtime.db, { catalogue, trading, chain: desk.parts.chain }, null, 'asked');
}

async function redeemAll(decision: RedeemDecision): Promise<string | null> {
  const requested = { requestId: test.runtime.random.uuid(), automatic: false, requestedBy: null };
  return await recordRedeem(desk.parts, decision, desk.parts.chain.callsMax, requested, async () => {});
}

describe('redeeming on the exchange', () => {
  it('pays what the shares came to be worth, half of a market that ended in half, in one submission', async () => {
    const won = await resolved('first');
    await test.time.advance(1000);
    const halved = await resolved('half');
    const decision = await decide();
    expect(decision.tokens.map(({ value, shares, error }) => [value, shares, error])).toEqual([
      [1_000_000, 10_000_000, null],
      [0, 10_000_000, null],
      [500_000, 10_000_000, null],
      [500_000, 10_000_000, null],
    ]);
    const before = await onChain(site, []);
    expect(await redeemAll(decision)).toBeNull();
    await desk.settle();
    expect((await onChain(site, [])).cash - before.cash).toBe(20_000_000);
    const submissions = await desk.submissions();
    expect(submissions).toMatchObject([{ row: { purpose: 'redeem', status: 'confirmed', expected: 20_000_000 } }]);
    const proceeds = async (batchId: string) => (await desk.stateOf(batchId)).sales.map(({ filledCost }) => filledCost);
    expect(await proceeds(won.batchId)).toEqual([10_000_000]);
    expect(await proceeds(halved.batchId)).toEqual([5_000_000, 5_000_000]);
    expect((await decide()).tokens.filter(({ value }) => value > 0)).toEqual([]);
  });

  it('finds what the venue has paid by itself, books it, and redeems it not again', async () => {
    const before = await onChain(site, []);
    const automatic = (on: boolean) =>
      fetch(`${site.exchange.url}/_control/auto_redeem`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ on, delay_ms: 0 }),
      });
    await automatic(true);
    const { market, batchId } = await resolved('first');
    await nextBlocks(site);
    await automatic(false);
    // Ten dollars became ten pairs, and ten shares ten dollars.
    expect((await onChain(site, [])).cash).toBe(before.cash);
    const decision = await decide();
    expect(redeemedByVenue(decision)).toMatchObject([{ shares: 10_000_000, value: 1_000_000 }]);
    expect(await recordRedeemedByVenue(desk.parts, decision, test.runtime.random.uuid())).toBeNull();
    const { transactions } = await site.control.chain();
    await desk.settle();
    expect((await site.control.chain()).transactions.length).toBe(transactions.length);
    expect((await desk.stateOf(batchId)).sales).toMatchObject([
      { status: 'filled', filledCost: 10_000_000, tokenId: market.outcomes[0]?.tokenId },
    ]);
    expect((await decide()).tokens.filter(({ value }) => value > 0)).toEqual([]);
  });

  it('ends with the money accounted for where a market resolves between a merge that is planned and its sending', async () => {
    await keeper.stop();
    const market = site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
    if (market === undefined) throw new Error('the exchange has more markets');
    const before = await onChain(site, []);
    await site.control.split(market.id, '10');
    const batchId = await boughtBatch(test, [
      { market, outcome: 0, shares: '10', cost: '4' },
      { market, outcome: 1, shares: '10', cost: '5' },
    ]);
    const { requestId, refusal } = await desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await site.control.resolve(market.id, market.outcomes[1]?.outcome ?? '');
    site.venue.forget();
    keeper = desk.keep();
    await desk.settle();
    const [merge] = await desk.submissions(requestId);
    expect(merge?.row.bookedAt).not.toBeNull();
    // Whatever the contract made of it: what is left of the pair is redeemed.
    if (merge?.row.status === 'failed') {
      expect(await redeemAll(await decide())).toBeNull();
      await desk.settle();
    }
    expect((await onChain(site, [])).cash).toBe(before.cash);
    const { sales, batch } = await desk.stateOf(batchId);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(10_000_000);
    expect(batch).toMatchObject({ actualProfit: 1_000_000, unhedged: null });
  });
});
