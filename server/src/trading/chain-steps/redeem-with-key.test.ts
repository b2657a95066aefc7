/** A plain key sends one call in a transaction: several calls of one request are proven one after the other. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { isMember } from '@dutchbook/venues/conformance/conversions.ts';
import { expect, it } from 'vitest';
import { derivedBatch } from '../orders/derived-rows.ts';
import { boughtBatch, onChain } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';
import { recordRedeem } from './record-redeem.ts';
import { decideRedeem } from './redeem.ts';

const kept = keptDesk(0);

const isSecond = ({ id }: Market) => isMember(id);
const isAlone = ({ event }: Market) => event?.negRisk !== true;

it.each([
  ['of the second protocol in a transaction for each outcome', isSecond, ['2.5', '2.5']],
  ['of the first protocol in one', (market: Market) => !isSecond(market) && isAlone(market), ['5']],
])('redeems both outcomes of a market %s, where each pays half', async (_how, isMeant, paid) => {
  const market = kept.site.markets.find(isMeant);
  if (market === undefined) throw new Error('the exchange has such a market');
  const tokens = market.outcomes.map(({ tokenId }) => tokenId);
  const { runtime } = kept.test;
  const before = await onChain(kept.site, tokens);
  await kept.site.control.split(market.id, '5.000001');
  const batchId = await boughtBatch(kept.test, [
    { market, outcome: 0, shares: '5.000001', cost: '2' },
    { market, outcome: 1, shares: '5.000001', cost: '2' },
  ]);
  await kept.site.control.resolve(market.id, 'half');
  kept.site.venue.forget();
  const { chain, catalogue, controls } = kept.desk.parts;
  const { trading } = kept.site.venue;
  if (trading === null) throw new Error('the venue trades');
  const decision = await decideRedeem(runtime.db, { catalogue, trading, chain, controls }, null, 'display');
  const requested = { requestId: runtime.random.uuid(), automatic: false, requestedBy: null };
  expect(await recordRedeem(kept.desk.parts, decision, chain, requested, async () => {})).toBeNull();
  await kept.desk.untilIdle(12);
  const submissions = await kept.desk.submissions(requested.requestId);
  expect(submissions.map(({ row }) => [row.status, row.error, row.expected])).toEqual(
    paid.map((dollars) => ['confirmed', null, Number(dollars) * 1_000_000]),
  );
  const after = await onChain(kept.site, tokens);
  // Of five dollars and a millionth each half is rounded down, as the contract does.
  expect(after).toEqual({ ...before, cash: before.cash - 1 });
  const { batch, sales } = await kept.desk.stateOf(batchId);
  expect(batch).toMatchObject({ actualProfit: 1_000_000, unhedged: null });
  expect(sales.map(({ filledCost }) => filledCost)).toEqual([2_500_000, 2_500_000]);
});

it('counts a set as whole, and nothing as lost, until the last call of its conversion is proven', async () => {
  const pairs = [await kept.pair(), await kept.pair()];
  const bought = pairs.flatMap(({ market }) =>
    ([0, 1] as const).map((outcome) => ({ market, outcome, shares: '10', cost: '4.5' })),
  );
  const batchId = await boughtBatch(kept.test, bought, { targetPrice: setPriceFromNumber(2) });
  const { requestId, refusal } = await kept.desk.cashNow({ batchId });
  expect(refusal).toBeNull();
  await kept.desk.untilIdle(12);
  expect(await kept.desk.submissions(requestId)).toHaveLength(2);
  const whole = await kept.desk.stateOf(batchId);
  expect(whole.batch).toMatchObject({ actualProfit: 2_000_000, unhedged: null });
  // As it was before the second call was proven, or once that has failed.
  const half = (status: 'processing' | 'failed') => {
    const waiting = new Set(whole.sales.slice(2).map(({ id }) => id));
    const sales = whole.sales.map((sale) => (waiting.has(sale.id) ? { ...sale, status } : sale));
    const attempts = whole.attempts.filter(({ orderId }) => !waiting.has(orderId));
    const known = new Set(attempts.map(({ id }) => id));
    const fills = whole.fills.filter(({ attemptId }) => known.has(attemptId));
    return { ...whole, batch: { ...whole.batch, soldAt: null }, sales, attempts, fills };
  };
  const now = kept.test.runtime.clock.now();
  expect(derivedBatch(half('processing'), now)).toMatchObject({ actualProfit: 2_000_000, unhedged: null });
  expect(derivedBatch(half('failed'), now)).toMatchObject({
    ...{ actualProfit: -8_000_000, unhedged: { positions: [{ shares: 10_000_000 }, { shares: 10_000_000 }] } },
  });
});
