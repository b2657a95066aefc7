/** A plain key sends one call in a transaction: of the second protocol each token of a market takes one. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { isMember } from '@dutchbook/venues/conformance/conversions.ts';
import { expect, it } from 'vitest';
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
