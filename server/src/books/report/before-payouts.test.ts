import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import type { BatchState } from '../../trading/orders/batch-state.ts';
import { entriesOfBatch } from '../../trading/under-way/reserve.ts';
import type { BatchMarket } from './batch-markets.ts';
import { resultRows } from './result-rows.ts';
import type { ResultState } from './result-states.ts';

const AT = instantFromMs(0);
const END = instantFromMs(1000);
const ORIGIN = { source: null, structure: null, basis: null };

const inEvent = (id: string, ends: number): BatchMarket => ({
  event: { id, title: id },
  endDate: instantFromMs(ends),
});
const MARKETS = new Map([
  ['a', inEvent('cup', 1000)],
  ['b', inEvent('cup', 1000)],
  ['c', inEvent('cup', 1000)],
]);

type Leg = { resolves?: number; paid?: boolean };
/** When legs are paid, or known to have resolved. */
type Times = { paidAt?: Instant; resolvedAt?: Instant };

/** Ten sets, No on each of three, for 0.65 a share; `paid`: the venue has redeemed it. */
function stateOf(legs: readonly Leg[], { paidAt = END, resolvedAt = END }: Times): ResultState {
  const named = legs.map((leg, place) => ({ ...leg, market: ['a', 'b', 'c'][place] ?? '', ordinal: place }));
  const common = { price: priceFromNumber(0.65), expectedPrice: null, expectedFee: null, bookAgeMs: null };
  const none = { goneSize: sharesFromNumber(0), goneAt: null, resolvedAt, size: sharesFromNumber(10) };
  const orders = named.map(({ market, ordinal, resolves }) => ({
    ...{ ...common, ...none, id: `buy-${market}`, leg: ordinal + 1, side: 'buy', status: 'filled' },
    ...{ marketId: market, marketName: market, tokenId: `${market}-no`, outcome: 'No', sellsOrderId: null },
    ...{ saleId: null, chainStepId: null, submissionPurpose: null },
    resolvedValue: resolves === undefined ? null : (priceFromNumber(resolves) as Price),
    ...{ filledSize: none.size, filledCost: usdFromNumber(6.5), fee: usdFromNumber(0), feeRate: FRACTION_ZERO },
    soldSize: legs[ordinal]?.paid ? none.size : sharesFromNumber(0),
  }));
  const paid = orders.filter((_, place) => legs[place]?.paid);
  const sales = paid.map((order) => ({
    ...{ ...order, id: `pay-${order.marketId}`, side: 'sell', sellsOrderId: order.id },
    ...{ saleId: order.marketId, chainStepId: order.marketId, submissionPurpose: 'redeem' },
  }));
  const all = [...orders, ...sales];
  const tradedAt = (side: string) => (side === 'buy' ? AT : paidAt);
  const attempts = all.map(({ id, side }) => ({
    ...{ id: `try-${id}`, orderId: id, status: 'matched', bookPriceOfOrder: null, bookPrice: null },
    ...{ createdAt: AT, sentAt: AT, endedAt: tradedAt(side), size: none.size, price: common.price, feeRate: null },
  }));
  const fills = all.map(({ id, side, resolvedValue }) => ({
    ...{ tradeId: id, attemptId: `try-${id}`, price: common.price, size: none.size, fee: usdFromNumber(0) },
    ...{ cost: usdFromNumber(side === 'buy' ? 6.5 : (resolvedValue ?? 0) / 100_000) },
    ...{ settlement: 'confirmed', matchedAt: tradedAt(side), createdAt: tradedAt(side), settledAt: tradedAt(side) },
  }));
  const batch = {
    ...{ id: 'batch', opportunityId: 'opportunity', status: 'completed', orderSize: sharesFromNumber(10) },
    ...{ targetPrice: 2_000_000, targetProfit: usdFromNumber(0.5), automatic: true, splitStepId: null },
    ...{ soldAt: null, createdAt: AT, createdBy: null, simulated: false, releasedAt: null },
  };
  return { batch, orders, received: [], sales, attempts, fills } as unknown as ResultState;
}

const profitOf = (legs: readonly Leg[], markets = MARKETS, times: Times = {}) => {
  const { batch } = resultRows(stateOf(legs, times), ORIGIN, markets, END);
  return [batch.paidProfit, batch.lockedProfit, batch.atRisk].map((micro) => micro / 1_000_000);
};

it('keeps a set whole while its legs are paid one by one: nothing is at risk, lost or paid before the last', () => {
  const locked = [0, 0.5, 0];
  expect(profitOf([{}, {}, {}])).toEqual(locked);
  expect(profitOf([{ resolves: 1, paid: true }, {}, {}])).toEqual(locked);
  expect(profitOf([{ resolves: 1, paid: true }, { resolves: 0 }, {}])).toEqual(locked);
  expect(profitOf([{ resolves: 1, paid: true }, { resolves: 0 }, { resolves: 1 }])).toEqual(locked);
  const paid = [{ resolves: 1, paid: true }, { resolves: 0 }, { resolves: 1, paid: true }];
  expect(profitOf(paid)).toEqual([0.5, 0, 0]);
});

it('calls bound what is open exposure, also while the profit of a set that is being paid waits for its last leg', () => {
  const boundBy = (legs: readonly Leg[]) => {
    const state = stateOf(legs, {});
    const { batch } = resultRows(state, ORIGIN, MARKETS, END);
    const exposed = entriesOfBatch(state as unknown as BatchState).find(({ account }) => account === 'exposed');
    expect(batch.locked).toBe(exposed?.amount ?? 0);
    return batch.locked / 1_000_000;
  };
  expect(boundBy([{}, {}, {}])).toBe(19.5);
  expect(boundBy([{ resolves: 1, paid: true }, {}, {}])).toBe(13);
  expect(boundBy([{ resolves: 1, paid: true }, { resolves: 0 }, { resolves: 1 }])).toBe(6.5);
  expect(boundBy([{ resolves: 1, paid: true }, { resolves: 0 }, { resolves: 1, paid: true }])).toBe(0);
});

it('waits for no market that ends later', () => {
  const later = new Map([...MARKETS, ['b', inEvent('cup', 2000)], ['c', inEvent('cup', 2000)]]);
  expect(profitOf([{ resolves: 1, paid: true }, {}, {}], later)[0]).toBe(3.5);
});

it('shows what was paid before the end of its market, which the others of its event have yet to reach', () => {
  const early = { paidAt: instantFromMs(999) };
  expect(profitOf([{ resolves: 1, paid: true }, {}, {}], MARKETS, early)[0]).toBe(3.5);
  const later = { paidAt: END, resolvedAt: instantFromMs(86_401_001) };
  expect(profitOf([{ resolves: 1, paid: true }, { resolves: 0 }, { resolves: 1 }], MARKETS, later)[0]).not.toBe(0);
});
