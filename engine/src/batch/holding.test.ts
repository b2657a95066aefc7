import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { holdsMoreThanFees } from '../order/open-cost.ts';
import { holdingOf } from './holding.ts';

describe('shares that an answer of the venue may be silent about', () => {
  it.each([
    { held: 0.5, bought: 10, more: false, why: 'its fee is a twentieth at most' },
    { held: 0.51, bought: 10, more: true, why: 'no fee is as large' },
    { held: 0.01, bought: 0.1, more: true, why: 'an order could sell a hundredth of a share' },
    { held: 0.009, bought: 0.1, more: false, why: 'no order could sell less' },
  ])('$held of $bought bought: $more, since $why', ({ held, bought, more }) => {
    expect(holdsMoreThanFees({ held: sharesFromNumber(held), bought: sharesFromNumber(bought) })).toBe(more);
  });
});

describe('what is held', () => {
  it('costs nothing where shares were sold of which no purchase was ever reported', () => {
    const sale = {
      attemptId: 's1',
      tradeId: 't1',
      price: priceFromNumber(0.5),
      size: sharesFromNumber(4),
      cost: usdFromNumber(2),
      fee: usdFromNumber(0.01),
      settlement: 'confirmed' as const,
    };
    const holding = holdingOf({ fills: [], sales: [sale] });
    expect(holding).toMatchObject({ held: 0, cost: USD_ZERO, buyFees: USD_ZERO, proceeds: usdFromNumber(2) });
  });
});
