import type { Market } from '@dutchbook/engine/market/market.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { limitUse } from '../under-way/limit-use.ts';
import { reserveAnew } from '../under-way/reserve.ts';
import { boughtBatch, onChain } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';
import { recordRedeem } from './record-redeem.ts';
import { decideRedeem, type RedeemDecision } from './redeem.ts';

const kept = keptDesk();

let used = 0;

/** A batch of ten pairs of a market that stands alone, which then ends so. */
async function resolved(outcome: 'first' | 'half'): Promise<{ market: Market; batchId: string }> {
  const market = kept.site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
  if (market === undefined) throw new Error('the exchange has more markets');
  await kept.site.control.split(market.id, '10');
  const batchId = await boughtBatch(kept.test, [
    { market, outcome: 0, shares: '10', cost: '4' },
    { market, outcome: 1, shares: '10', cost: '5' },
  ]);
  await kept.site.control.resolve(market.id, outcome === 'half' ? outcome : (market.outcomes[0]?.outcome ?? ''));
  kept.site.venue.forget();
  return { market, batchId };
}

async function decide(): Promise<RedeemDecision> {
  const { catalogue, trading } = kept.site.venue;
  if (trading === null) throw new Error('the venue trades');
  return await decideRedeem(kept.test.runtime.db, { ...kept.desk.parts, catalogue, trading }, null, 'display');
}

async function redeemAll(decision: RedeemDecision): Promise<string | null> {
  const requested = { requestId: kept.test.runtime.random.uuid(), automatic: false, requestedBy: null };
  return await recordRedeem(kept.desk.parts, decision, kept.desk.parts.chain, requested, async () => {});
}

describe('redeeming on the exchange', () => {
  it('pays what the shares are worth, half of a market that ended in half, in one submission', async () => {
    const won = await resolved('first');
    await kept.test.time.advance(1000);
    const halved = await resolved('half');
    const decision = await decide();
    expect(decision.tokens.map(({ value, shares, error }) => [value, shares, error])).toEqual([
      [1_000_000, 10_000_000, null],
      [0, 10_000_000, null],
      [500_000, 10_000_000, null],
      [500_000, 10_000_000, null],
    ]);
    const before = await onChain(kept.site, []);
    const { db, clock } = kept.test.runtime;
    await reserveAnew(db, sql`true`);
    expect(await redeemAll(decision)).toBeNull();
    await kept.desk.untilIdle();
    expect((await onChain(kept.site, [])).cash - before.cash).toBe(20_000_000);
    expect((await limitUse(db, clock.now())).openExposure).toBe(0);
    const submissions = await kept.desk.submissions();
    expect(submissions).toMatchObject([
      { row: { purpose: 'redeem', status: 'confirmed', expected: 20_000_000, received: 20_000_000 } },
    ]);
    const proceeds = async (batchId: string) =>
      (await kept.desk.stateOf(batchId)).sales.map(({ filledCost }) => filledCost);
    expect(await proceeds(won.batchId)).toEqual([10_000_000]);
    expect(await proceeds(halved.batchId)).toEqual([5_000_000, 5_000_000]);
    expect((await decide()).tokens.filter(({ value }) => value > 0)).toEqual([]);
  });

  it('takes nothing for redeemed that the chain or the venue still has, whichever of them is behind', async () => {
    const { market } = await resolved('first');
    const [token = ''] = market.outcomes.map(({ tokenId }) => tokenId);
    const { catalogue, trading } = kept.site.venue;
    const { chain } = kept.desk.parts;
    if (trading === null) throw new Error('the venue trades');
    const none = { ...chain, balances: async () => ({ ...(await chain.balances([])), shares: new Map() }) };
    const unlisted = { positions: async () => [] };
    const judgedBy = async (changed: Partial<Parameters<typeof decideRedeem>[1]>) => {
      const parts = { ...kept.desk.parts, catalogue, trading, chain, ...changed };
      const { tokens } = await decideRedeem(kept.test.runtime.db, parts, [market.id], 'display');
      const of = tokens.find(({ lots }) => lots[0]?.tokenId === token);
      return [of?.isGone, of?.error];
    };
    const behind = 'The chain has none of these shares, and the venue still lists more.';
    expect(await judgedBy({ chain: none })).toEqual([false, behind]);
    expect(await judgedBy({ trading: unlisted })).toEqual([false, null]);
    expect((await judgedBy({ chain: none, trading: unlisted }))[0]).toBe(true);
  });

  it('ends with the money accounted for where a market resolves between a merge that is planned and its sending', async () => {
    await kept.loop.stop();
    const market = kept.site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
    if (market === undefined) throw new Error('the exchange has more markets');
    const before = await onChain(kept.site, []);
    await kept.site.control.split(market.id, '10');
    const batchId = await boughtBatch(kept.test, [
      { market, outcome: 0, shares: '10', cost: '4' },
      { market, outcome: 1, shares: '10', cost: '5' },
    ]);
    const { requestId, refusal } = await kept.desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await kept.site.control.resolve(market.id, market.outcomes[1]?.outcome ?? '');
    kept.site.venue.forget();
    kept.loop = kept.desk.keep();
    await kept.desk.untilIdle();
    const [merge] = await kept.desk.submissions(requestId);
    expect(merge?.row.bookedAt).not.toBeNull();
    // Whatever the contract made of it: what is left of the pair is redeemed.
    if (merge?.row.status === 'failed') {
      expect(await redeemAll(await decide())).toBeNull();
      await kept.desk.untilIdle();
    }
    expect((await onChain(kept.site, [])).cash).toBe(before.cash);
    const { sales, batch } = await kept.desk.stateOf(batchId);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(10_000_000);
    expect(batch).toMatchObject({ actualProfit: 1_000_000, unhedged: null });
  });
});
