import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { PRICE_ONE, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { eventOf, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { seeded } from '../relation/relation.fixture.ts';
import type { GateQuote } from '../risk/context.ts';
import { inServingOrder, servedBefore } from './serving-order.ts';

const NOW = instantFromIso('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

const live = { feed: 'live' as const, bookAgeMs: 0 };

function endsIn(days: number | null): GateQuote {
  const endDate = days === null ? null : ((NOW + days * DAY_MS) as Instant);
  return { ...quoteOf(1, [[0.9, 100]], { market: marketOf('m1', { endDate }) }), ...live };
}

function hit(id: string, profit: number, quotes: readonly GateQuote[], targetPrice = PRICE_ONE) {
  return { id, rise: { quotes, row: { targetPrice, profitPercentage: percentFromNumber(profit) } } };
}

const idsOf = (hits: ReturnType<typeof hit>[]) => inServingOrder(hits, NOW).map(({ id }) => id);

describe('of two hits and cash for one', () => {
  it('that is served which leaves more for each dollar and day', () => {
    for (let seed = 1; seed <= 1000; seed += 1) {
      const random = seeded(seed * 31 + 7);
      const some = (id: string) => {
        const [cost, days] = [1 + random() * 500, 0.01 + random() ** 3 * 400];
        const profit = cost * random() * 0.2;
        const perDollarDay = profit / cost / days;
        return { ...hit(id, (100 * profit) / cost, [endsIn(days)]), perDollarDay };
      };
      const pair = [some('first'), some('second')] as const;
      const better = pair[0].perDollarDay >= pair[1].perDollarDay ? 'first' : 'second';
      expect({ seed, served: idsOf([...pair])[0] }).toEqual({ seed, served: better });
    }
  });

  it('one is served whose cash is back after an exit before one that waits for a day', () => {
    const market = marketOf('m1');
    const both = ['Yes', 'No'].map((outcome, nth) => {
      const tokenId = market.outcomes[nth]?.tokenId ?? '';
      return { ...quoteOf(nth + 1, [[0.4, 100]], { market, marketId: 'm1', outcome, tokenId }), ...live };
    });
    const event = eventOf({ negRisk: true });
    const second = ['a', 'b', 'c'].map((id, nth) => {
      const of = { market: marketOf(id, { event, endDate: null }), marketId: id, outcome: 'No', tokenId: `${id}-no` };
      return { ...quoteOf(nth + 1, [[0.6, 100]], of), ...live };
    });
    const waits = hit('waits', 5, [endsIn(1)]);
    expect(idsOf([waits, hit('merged', 1, both)])).toEqual(['merged', 'waits']);
    expect(idsOf([waits, hit('converted', 1, second, setPriceFromNumber(2))])).toEqual(['converted', 'waits']);
    // A conversion hands out two dollars, and the third waits for the end of its markets, which is not known.
    expect(idsOf([hit('more', 1, second, setPriceFromNumber(3)), waits])).toEqual(['waits', 'more']);
  });

  it('one whose end is known is served before one whose end is not, or has passed, and else the first', () => {
    const known = hit('known', 1, [endsIn(300)]);
    expect(idsOf([hit('unknown', 20, [endsIn(null)]), known])).toEqual(['known', 'unknown']);
    expect(idsOf([hit('past', 20, [endsIn(-1)]), known])).toEqual(['known', 'past']);
    expect(idsOf([hit('one', 20, [endsIn(3), endsIn(null)]), hit('other', 30, [endsIn(null)])])).toEqual([
      'one',
      'other',
    ]);
  });

  it('neither is served before the other where both are not known', () => {
    expect(servedBefore(null, null)).toBe(0);
  });

  it('what is known to lose is served before what is not known at all, whichever came first', () => {
    const loses = hit('loses', -5, [endsIn(3)]);
    const endless = hit('endless', 5, [endsIn(null)]);
    const unpriced = {
      ...loses,
      id: 'unpriced',
      rise: { ...loses.rise, row: { ...loses.rise.row, profitPercentage: null } },
    };
    for (const unknown of [endless, unpriced]) {
      expect(inServingOrder([loses, unknown], NOW).map(({ id }) => id)).toEqual(['loses', unknown.id]);
      expect(inServingOrder([unknown, loses], NOW).map(({ id }) => id)).toEqual(['loses', unknown.id]);
    }
  });
});
