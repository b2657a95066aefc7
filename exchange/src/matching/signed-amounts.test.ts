import { type Price, tickFromText } from '@dutchbook/units/price.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from './signed-amounts.ts';

const CENT = tickFromText('0.01');
const ticks = fc.constantFrom(CENT, tickFromText('0.001'), tickFromText('0.0001'));

describe('what signed amounts mean', () => {
  it('gives back the price and the shares of every limit order on the grid', () => {
    fc.assert(
      fc.property(ticks, fc.nat(), fc.integer({ min: 1, max: 5_000_000 }), (tick, draw, hundredths) => {
        const price = (1 + (draw % (1_000_000 / tick - 1))) * tick;
        const shares = hundredths * 10_000;
        const dollars = (price * hundredths) / 100;
        const buy = { side: 'BUY', makerAmount: dollars, takerAmount: shares } as const;
        const sell = { side: 'SELL', makerAmount: shares, takerAmount: dollars } as const;
        const quantity = { kind: 'shares', shares };
        expect(termsOf(buy, 'GTC', tick)).toEqual({ limit: price, shares, quantity });
        expect(termsOf(sell, 'FAK', tick)).toEqual({ limit: price, shares, quantity });
        expect(termsOf(buy, 'FOK', tick)).toEqual({
          limit: price,
          shares,
          quantity: { kind: 'dollars', usd: dollars },
        });
      }),
    );
  });

  it('takes the truncated shares of a dollar order at the price they stand for', () => {
    // $10 at 0.07 buys 142.857142... shares, which clients cut to four decimals.
    const amounts = { side: 'BUY', makerAmount: 10_000_000, takerAmount: 142_857_100 } as const;
    expect(termsOf(amounts, 'FAK', CENT)?.limit).toBe(70_000 as Price);
    expect(termsOf(amounts, 'GTC', CENT)).toBeUndefined();
  });

  it.each([
    ['between two ticks', 5_550_000, 10_000_000],
    ['zero', 0, 10_000_000],
    ['one', 10_000_000, 10_000_000],
    ['above one', 11_000_000, 10_000_000],
    ['for no shares', 5_000_000, 0],
  ])('refuses a price %s', (_name, makerAmount, takerAmount) => {
    expect(termsOf({ side: 'BUY', makerAmount, takerAmount }, 'GTC', CENT)).toBeUndefined();
  });
});
