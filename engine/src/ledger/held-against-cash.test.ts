import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromMicro, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { feeOf } from '../opportunity/quotes.fixture.ts';
import { bookedAsTaker } from '../order/fill.ts';
import { type BookedFill, feesHeldAgainstCash } from './held-against-cash.ts';

function bought(price: string, size: string, rate: number, tokenId = '71'): BookedFill {
  const match = { price: priceFromText(price), size: sharesFromText(size) };
  return { tokenId, ...bookedAsTaker([match], 'buy', feeOf(rate)) };
}

const cash = (usd: number, shares: Record<string, string> = {}) => ({
  cash: usdFromMicro(Math.round(usd * 1_000_000)),
  shares: new Map(Object.entries(shares).map(([token, text]) => [token, -sharesFromText(text) as Shares])),
});

const held = (fills: BookedFill[], moves: ReturnType<typeof cash>) => {
  const found = feesHeldAgainstCash(fills, moves);
  if (found.kind !== 'fee') return found.kind;
  return [usdToNumber(found.taken), found.rate === null ? null : fractionToNumber(found.rate)];
};

describe('fees held against cash', () => {
  it('are proven where what was taken is what was booked, up to how the venue rounds', () => {
    const fills = [bought('0.4', '10', 0.04), bought('0.5', '10', 0.04)];
    expect(held(fills, cash(0))).toBe('proven');
    expect(held(fills, cash(-0.0002))).toBe('proven');
    expect(held(fills, cash(-0.000201))).not.toBe('proven');
    expect(held([], cash(0))).toBe('proven');
  });

  it('say what was taken, and at which rate', () => {
    // 10 × 0.04 × 0.25 in place of 10 × 0.01 × 0.25.
    expect(held([bought('0.5', '10', 0.01)], cash(-0.075))).toEqual([0.1, 0.04]);
    expect(held([bought('0.5', '10', 0)], cash(-0.1))).toEqual([0.1, 0.04]);
    expect(held([bought('0.5', '10', 0.04)], cash(0.1))).toEqual([0, 0]);
  });

  it('count shares that are missing at their price, and cash that was not taken for them', () => {
    expect(held([bought('0.5', '10', 0.04)], cash(0.1, { '71': '0.2' }))).toEqual([0.1, 0.04]);
    expect(held([bought('0.5', '10', 0)], cash(0, { '71': '0.2' }))).toEqual([0.1, 0.04]);
  });

  it.each([
    ['a deposit', cash(10)],
    ['a withdrawal', cash(-10)],
    ['shares that are gone', cash(0, { '71': '10' })],
    ['a trade of which the cash has not moved yet', cash(5.1)],
    ['a trade of which nothing has moved yet', cash(5.1, { '71': '10' })],
  ])('are not blamed for %s', (_, moves) => {
    expect(held([bought('0.5', '10', 0.04)], moves)).toBe('other');
  });

  it('are not blamed for anything where nothing was traded', () => {
    expect(held([], cash(-0.01))).toBe('other');
  });

  it('have no rate where a fee was taken at a price that has no spread', () => {
    const free: BookedFill = { ...bought('0.5', '100', 0), price: priceFromText('1'), cost: usdFromNumber(100) as Usd };
    expect(held([free], cash(-1))).toEqual([1, null]);
  });
});
