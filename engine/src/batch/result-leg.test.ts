import { type Price, priceFromMicro, priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromMicro, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { notional, type Usd, usdFromMicro, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fill, Settlement } from '../order/fill.ts';
import { legResult, type SignedPrices } from './result-leg.ts';

const fillOf = (attemptId: string, size: number, price: number, settlement: Settlement = 'confirmed'): Fill => ({
  ...{ attemptId, tradeId: `${attemptId}/${size}/${price}`, price: priceFromNumber(price) },
  ...{ size: sharesFromNumber(size), cost: usdFromNumber(size * price), fee: usdFromNumber(size / 100), settlement },
});

const signed = (id: string, ofOrder: number | null, ofAttempt: number | null): SignedPrices => {
  const priceOf = (price: number | null) => (price === null ? null : priceFromNumber(price));
  return { id, bookPriceOfOrder: priceOf(ofOrder), bookPrice: priceOf(ofAttempt) };
};

const EXPECTED = { expectedPrice: priceFromNumber(0.4) };

describe('the result of a leg', () => {
  it('is what was predicted where its book did not move', () => {
    const leg = legResult({ ...EXPECTED, attempts: [signed('a', 0.4, 0.4)], fills: [fillOf('a', 10, 0.4)] });
    expect(leg).toEqual({
      ...{ filled: sharesFromNumber(10), averagePrice: priceFromNumber(0.4) },
      ...{ paid: usdFromNumber(4), fee: usdFromNumber(0.1) },
      ...{ movedBeforeSend: 0, sizeAdded: 0, movedInFlight: 0 },
    });
  });

  it('tells what had moved before it was sent from what moved after, and from the smaller size of a retry', () => {
    const attempts = [signed('a', 0.42, 0.42), signed('b', 0.5, 0.46)];
    const leg = legResult({ ...EXPECTED, attempts, fills: [fillOf('a', 6, 0.43), fillOf('b', 4, 0.45)] });
    expect(leg.paid).toBe(usdFromNumber(4.38));
    expect(leg.movedBeforeSend).toBe(usdFromNumber(6 * 0.02 + 4 * 0.1));
    expect(leg.sizeAdded).toBe(usdFromNumber(4 * -0.04));
    expect(leg.movedInFlight).toBe(usdFromNumber(6 * 0.01 + 4 * -0.01));
  });

  it('counts as moved in flight what was signed when the book was not kept', () => {
    const leg = legResult({ ...EXPECTED, attempts: [signed('a', null, null)], fills: [fillOf('a', 10, 0.43)] });
    expect(leg).toMatchObject({ movedBeforeSend: 0, sizeAdded: 0, movedInFlight: usdFromNumber(0.3) });
  });

  it('goes by what was signed where the book had too little for the whole order', () => {
    const leg = legResult({ ...EXPECTED, attempts: [signed('a', null, 0.42)], fills: [fillOf('a', 10, 0.43)] });
    const parts = { movedBeforeSend: usdFromNumber(0.2), sizeAdded: 0, movedInFlight: usdFromNumber(0.1) };
    expect(leg).toMatchObject(parts);
  });

  it('leaves out what failed to settle', () => {
    const fills = [fillOf('a', 6, 0.4), fillOf('a', 4, 0.9, 'failed')];
    const leg = legResult({ ...EXPECTED, attempts: [signed('a', 0.4, 0.4)], fills });
    expect(leg).toMatchObject({ filled: sharesFromNumber(6), paid: usdFromNumber(2.4), movedInFlight: 0 });
  });

  it('is of three parts that add up to what was paid beyond what was predicted, to the micro-dollar', () => {
    const price = fc.integer({ min: 1, max: 999_999 }).map(priceFromMicro);
    const known = fc.option(price, { nil: null });
    const attempt = fc.record({ bookPriceOfOrder: known, bookPrice: known });
    const fill = fc.record({
      nth: fc.nat({ max: 2 }),
      size: fc.integer({ min: 1, max: 5_000_000_000 }).map(sharesFromMicro),
      price,
      above: fc.integer({ min: -3, max: 3 }),
      settlement: fc.constantFrom<Settlement>('matched', 'confirmed', 'failed'),
    });
    const history = fc.record({ expectedPrice: price, made: fc.array(attempt, { minLength: 3, maxLength: 3 }) });
    fc.assert(
      fc.property(history, fc.array(fill, { maxLength: 8 }), ({ expectedPrice, made }, reports) => {
        const attempts = made.map((prices, nth) => ({ id: `a${nth}`, ...prices }));
        const fills = reports.map(({ nth, above, size, price: paid, settlement }, place): Fill => {
          const cost = usdFromMicro(Math.max(0, notional(size, paid, 'up') + above));
          return { attemptId: `a${nth}`, tradeId: `t${place}`, price: paid, size, cost, fee: 0 as Usd, settlement };
        });
        const leg = legResult({ expectedPrice, attempts, fills });
        const paid = fills.filter((each) => each.settlement !== 'failed').reduce((sum, { cost }) => sum + cost, 0);
        const predicted = notional(leg.filled, expectedPrice as Price, 'up');
        expect(leg.paid).toBe(paid);
        expect(leg.movedBeforeSend + leg.sizeAdded + leg.movedInFlight).toBe(paid - predicted);
      }),
    );
  });
});
