import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeSince, type EquityPoint, equityCurve, equityOf, worthOf } from './equity.ts';

const START = instantFromIso('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
const after = (minutes: number) => (START + minutes * MINUTE_MS) as Instant;

function point(minutes: number, dollars: number, fields: Partial<EquityPoint> = {}): EquityPoint {
  const cash = usdFromText(String(dollars));
  return { at: after(minutes), cash, locked: USD_ZERO, shares: USD_ZERO, paidIn: usdFromText('1000'), ...fields };
}

describe('the worth of shares outside of sets', () => {
  it('is at their prices, rounded down, and says how many have none', () => {
    const loose = [
      { shares: sharesFromText('10.5'), price: priceFromText('0.3333'), boughtFor: null },
      { shares: sharesFromText('7'), price: null, boughtFor: null },
    ];
    expect(worthOf(loose)).toEqual({ worth: usdFromText('3.49965'), unpriced: 1 });
  });

  it('is what they have cost while the rest of their set is being bought', () => {
    const boughtFor = usdFromText('4.1');
    const loose = [null, priceFromText('0.35')].map((price) => ({ shares: sharesFromText('10'), price, boughtFor }));
    expect(worthOf(loose)).toEqual({ worth: usdFromText('8.2'), unpriced: 0 });
  });
});

describe('a change of equity', () => {
  const points = [point(0, 1000), point(60, 1010), point(120, 1005)];
  const now = point(130, 1207, { paidIn: usdFromText('1200') });

  it('is from the last point by then, and a deposit is none', () => {
    expect(changeSince({ points, beganAt: after(-10), now }, after(119))).toEqual({
      since: after(119),
      change: usdFromText('-3'),
    });
  });

  it('is all that was earned where the ledger began later', () => {
    expect(changeSince({ points: [], beganAt: after(5), now }, after(0))).toEqual({
      since: after(5),
      change: usdFromText('7'),
    });
  });

  it('is from the first point where nothing is known before, and of nothing unknown', () => {
    expect(changeSince({ points, beganAt: after(-10), now }, after(-5))).toEqual({
      since: after(0),
      change: usdFromText('7'),
    });
    expect(changeSince({ points: [], beganAt: after(-10), now }, after(-5))).toBeNull();
  });
});

describe('the curve of equity', () => {
  it('leaves deposits out, and says how deep it fell and how far below its peak it is', () => {
    const points = [
      point(0, 1000),
      point(1, 1020),
      point(2, 1005),
      point(3, 1215, { paidIn: usdFromText('1200') }),
      point(4, 1212, { paidIn: usdFromText('1200') }),
    ];
    const curve = equityCurve(points, usdFromText('1200'), 100);
    expect(curve.points.map(({ equity }) => equity / 1_000_000)).toEqual([1200, 1220, 1205, 1215, 1212]);
    expect(curve).toMatchObject({ drawdown: usdFromText('15'), belowPeak: usdFromText('8') });
  });

  it('draws no more than it may, its first and last point among them, and measures by all of them', () => {
    const dollars = fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(dollars, (values) => {
        const points = values.map((each, minute) => point(minute, each));
        const curve = equityCurve(points, usdFromText('1000'), 50);
        expect(curve.points.length).toBeLessThanOrEqual(50);
        expect(curve.points[0]?.equity).toBe(equityOf(points[0] as EquityPoint));
        expect(curve.points.at(-1)?.equity).toBe(equityOf(points.at(-1) as EquityPoint));
        const deepest = values.map((each, nth) => Math.max(...values.slice(0, nth + 1)) - each);
        expect(curve.drawdown).toBe((Math.max(...deepest) * 1_000_000) as Usd);
      }),
      { numRuns: 50 },
    );
  });
});
