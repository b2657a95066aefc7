import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { planPlacement } from './plan.ts';
import { type MeasuredSurvival, measureSurvival, type SentOrder, survivalOfPlan } from './survival.ts';

/** 400 shares at 0.50 of 800 that were shown, by a book of 300 ms. */
function sent(met: number, changed: Partial<SentOrder> = {}): SentOrder {
  return {
    ...{ venue: 'polymarket', category: 'sports', bookAgeMs: 300 },
    ...{ size: sharesFromNumber(400), shown: sharesFromNumber(800), limit: priceFromNumber(0.5) },
    met: sharesFromNumber(met),
    ...changed,
  };
}

const times = (count: number, of: SentOrder) => Array.from({ length: count }, () => of);

/** One leg that takes 400 shares at 0.50. */
function expected(
  measured: MeasuredSurvival,
  changed: { id?: string; bookAgeMs?: number; category?: string; asked?: number } = {},
) {
  const { id = 'm1', bookAgeMs = 300, category = 'sports', asked = 400 } = changed;
  const market = marketOf(id, { feeCategory: category });
  const quotes = [{ ...quoteOf(1, [[0.5, asked]], { market, marketId: id, tokenId: `${id}-yes` }), bookAgeMs }];
  return survivalOfPlan(measured, quotes, planPlacement(quotes, sharesFromNumber(asked), setPriceFromNumber(1)));
}

describe('what is expected to be met of the depth that is shown', () => {
  it('is the lower quartile of what orders of the kind met of what they asked for, from 30 orders on', () => {
    const few = [...times(8, sent(100)), ...times(21, sent(400))];
    expect(expected(measureSurvival(few))).toEqual({ share: null, samples: 29 });
    const enough = [...few, sent(400)];
    expect(expected(measureSurvival(enough))).toEqual({ share: fractionFromNumber(0.25), samples: 30 });
    // A quarter of them, and no more, met less than all.
    expect(expected(measureSurvival(enough.slice(1).concat(sent(400))))).toEqual({
      ...{ share: fractionFromNumber(1), samples: 30 },
    });
  });

  it('is what was met of what was shown where that was less than the order', () => {
    const measured = measureSurvival(times(30, sent(150, { shown: sharesFromNumber(200) })));
    expect(expected(measured)).toEqual({ share: fractionFromNumber(0.75), samples: 30 });
  });

  it.each([
    { of: { id: 'kalshi:m1' } },
    { of: { category: 'politics' } },
    { of: { bookAgeMs: 1000 } },
    { of: { asked: 2000 } },
  ])('is known by venue, category, dollars asked for and age of the book: of $of nothing is known', ({ of }) => {
    const measured = measureSurvival(times(30, sent(200)));
    expect(expected(measured)).toEqual({ share: fractionFromNumber(0.5), samples: 30 });
    expect(expected(measured, of)).toEqual({ share: null, samples: 0 });
  });

  it('is that of the leg of which least is met, and of no leg that too little is known of', () => {
    const legs = [
      ['a', 0.4, 30],
      ['b', 0.9, 40],
      ['c', 0.1, 29],
    ] as const;
    const orders = legs.flatMap(([category, share, count]) => times(count, sent(400 * share, { category })));
    const quotes = legs.map(([category], index) => {
      const market = marketOf(`m${index}`, { feeCategory: category });
      return {
        ...quoteOf(index + 1, [[0.5, 400]], { market, marketId: market.id, tokenId: `${index}` }),
        bookAgeMs: 0,
      };
    });
    const plan = planPlacement(quotes, sharesFromNumber(400), setPriceFromNumber(1));
    expect(survivalOfPlan(measureSurvival(orders), quotes, plan)).toEqual({
      ...{ share: fractionFromNumber(0.4), samples: 30 },
    });
  });
});
