import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { reservedEntries } from '../order/reserved.ts';
import { batchResult, type ResultBatch, type ResultOrder } from './result.ts';

/** Ten shares at 0.40, with ten cents of fees; `sold` of them. */
type Leg = { resolves?: number; sold?: number };

const NOW = 0 as NonNullable<ResultOrder['fills'][number]['settledAt']>;
const TEN = sharesFromNumber(10);

function trade(tradeId: string, shares: number, fee: number): ResultOrder['fills'][number] {
  const size = sharesFromNumber(shares);
  return {
    ...{ attemptId: tradeId, tradeId, price: priceFromNumber(0.4), size, cost: usdFromNumber(shares * 0.4) },
    ...{ fee: usdFromNumber(fee), settlement: 'confirmed', matchedAt: NOW, settledAt: NOW },
  };
}

/** In dollars: open exposure by the reserved entries of a batch, and what its result says is bound. */
function openOf(
  legs: readonly Leg[],
  { isSoldOut = false, isPractice = false } = {},
): [exposed: number, bound: number] {
  const orders = legs.map(({ resolves, sold = 0 }, place) => {
    const id = `o${place}`;
    const resolvedValue = resolves === undefined ? null : priceFromNumber(resolves);
    const attempt = { id, status: 'matched' as const, matchedSize: TEN, sentAt: NOW };
    return {
      ...{ id, leg: place + 1, marketId: id, outcome: 'Yes', tokenId: id, size: TEN, price: priceFromNumber(0.4) },
      ...{ expectedPrice: priceFromNumber(0.4), expectedFee: null, status: 'filled' as const, resolvedValue },
      ...{ feeRate: 0 as never, feeStep: usdFromNumber(0.00001), filledSize: TEN, filledCost: usdFromNumber(4) },
      ...{ fee: usdFromNumber(0.1), soldSize: sharesFromNumber(sold), goneSize: SHARES_ZERO },
      fills: [trade(id, 10, 0.1)],
      sales: sold === 0 ? [] : [trade(`s${place}`, sold, 0)],
      attempts: [
        {
          ...attempt,
          ...{ bookPriceOfOrder: null, bookPrice: null, size: TEN, price: priceFromNumber(0.4) },
          ...{ feeRate: null, endedAt: NOW },
        },
      ],
    };
  });
  const entries = reservedEntries({ isPractice, isHolding: !isSoldOut, isReleased: false, orders: orders as never });
  const exposed = entries
    .filter(({ account }) => account.startsWith('exposed'))
    .reduce((sum, { amount }) => sum + amount, USD_ZERO as number);
  const batch: ResultBatch = {
    ...{ orders, received: [], size: TEN, targetPrice: setPriceFromNumber(1), predictedProfit: USD_ZERO as Usd },
    ...{ isSplit: false, isActive: false, isSoldOut },
  };
  return [exposed / 1e6, batchResult(batch).locked / 1e6];
}

it.each<[string, readonly Leg[], number]>([
  ['all of it is held', [{}, {}], 8.2],
  ['a part was sold', [{ sold: 5 }, {}], 6.15],
  ['a leg has lost', [{ resolves: 0 }, {}], 4.1],
  ['a leg has won and is not paid', [{ resolves: 1 }, { resolves: 0 }], 4.1],
  ['a leg pays a part', [{ resolves: 0.37 }, {}], 8.2],
  ['what has won is paid, and the other lost', [{ resolves: 1, sold: 10 }, { resolves: 0 }], 0],
  ['what has won is paid but for what the venue took as its fee', [{ resolves: 1, sold: 9.8 }, { resolves: 0 }], 0],
  ['all has lost', [{ resolves: 0 }, { resolves: 0 }], 0],
])('open exposure and what is bound are one: %s', (_, legs, dollars) => {
  expect(openOf(legs)).toEqual([dollars, dollars]);
  expect(openOf(legs, { isSoldOut: true })).toEqual([0, 0]);
});

it('practice is paid with the result', () => {
  expect(openOf([{ resolves: 1 }, {}], { isPractice: true })[0]).toBe(4.1);
});
