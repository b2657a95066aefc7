import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Book } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import { takeLevels, walkBook } from '../book/walk.ts';
import { takerFeeOfLevels } from '../opportunity/fee.ts';
import { anyQuotes, type bookOf, eventOf as marketEvent, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { planPlacement } from '../order/plan.ts';
import { exclusiveOf, memberOf } from '../relation/catalogue-event.fixture.ts';
import { defaultSplitSize, planSplit } from './plan-split.ts';
import { eventOfSplit, splitWay } from './way-in.ts';

const one = setPriceFromNumber(1);
const pair = (yes: Parameters<typeof bookOf>[0], no: Parameters<typeof bookOf>[0]): PositionQuote[] => {
  const market = marketOf('m1');
  const of = { marketId: 'm1', market };
  return [
    quoteOf(1, yes, { ...of, outcome: 'Yes', tokenId: 'm1-yes' }),
    quoteOf(2, no, { ...of, outcome: 'No', tokenId: 'm1-no' }),
  ];
};

/** No on every member of a whole event of three, and what the venue says of it. */
function wholeEvent(count = 3) {
  const event = marketEvent({ id: 'e1' });
  const members = Array.from({ length: count }, (_, place) =>
    memberOf(`m${place + 1}`, { arity: count - 1, tokenIds: [`m${place + 1}-yes`, `m${place + 1}-no`] }),
  );
  const quotes = members.map(({ marketId }, place) =>
    quoteOf(place + 1, [[0.6, 100]], {
      outcome: 'No',
      tokenId: `${marketId}-no`,
      market: marketOf(marketId, { event }),
    }),
  );
  return { quotes, event: exclusiveOf(members), target: setPriceFromNumber(count - 1) };
}

function wayOf(quotes: readonly PositionQuote[], target = one, event: Parameters<typeof splitWay>[2] = null) {
  const way = splitWay(quotes, target, event);
  if (way === null) throw new Error('there is a way');
  return way;
}

describe('the way in by a split', () => {
  it('is there for both outcomes of a market: each is sold in place of the other', () => {
    const way = wayOf(pair([[0.4, 10]], [[0.5, 10]]));
    expect(way).toMatchObject({ kind: 'split', marketIds: ['m1'] });
    expect(way.sold.map(({ leg, outcome, tokenId }) => [leg, outcome, tokenId])).toEqual([
      [1, 'No', 'm1-no'],
      [2, 'Yes', 'm1-yes'],
    ]);
  });

  it('is there for the second outcome of every member of an event that the contract holds as a whole', () => {
    const { quotes, event, target } = wholeEvent();
    expect(eventOfSplit(quotes)).toBe('e1');
    const way = wayOf(quotes, target, event);
    expect(way).toMatchObject({ kind: 'horizontal_split', marketIds: ['m1', 'm2', 'm3'] });
    expect(way.sold.map(({ tokenId }) => tokenId)).toEqual(['m1-yes', 'm2-yes', 'm3-yes']);
  });

  it('is not there where a split does not prove what the set pays', () => {
    const { quotes, event, target } = wholeEvent();
    const [first] = pair([[0.4, 10]], [[0.5, 10]]);
    const away = (changes: object) => splitWay(quotes, target, { ...event, ...changes });
    expect(splitWay(pair([[0.4, 10]], [[0.5, 10]]), priceFromNumber(0.99), null)).toBeNull();
    expect(splitWay(first === undefined ? [] : [first], setPriceFromNumber(0), null)).toBeNull();
    expect(splitWay(quotes, one, event)).toBeNull();
    expect(splitWay(quotes, target, null)).toBeNull();
    expect(splitWay(quotes.slice(1), one, event)).toBeNull();
    expect(away({ exclusive: 'declared' })).toBeNull();
    expect(away({ isWhole: false })).toBeNull();
    expect(away({ closed: true })).toBeNull();
    expect(away({ members: event.members.map((member) => ({ ...member, arity: null })) })).toBeNull();
    const yes = quotes.map((quote) => ({ ...quote, outcome: 'Yes', tokenId: `${quote.marketId}-yes` }));
    expect(splitWay(yes, target, event)).toBeNull();
    expect(
      splitWay(
        pair([], []).map((quote) => ({ ...quote, market: undefined })),
        one,
        null,
      ),
    ).toBeNull();
  });

  it('asks for an event only where all positions are of different members of it', () => {
    expect(eventOfSplit(pair([], []))).toBeNull();
    expect(eventOfSplit([quoteOf(1, []), quoteOf(2, [])])).toBeNull();
    expect(eventOfSplit(wholeEvent().quotes.slice(0, 1))).toBeNull();
  });
});

describe('a plan to split and sell', () => {
  it('sells at the rest of the dollar, and says what goes in, comes back and can be lost', () => {
    const quotes = pair(
      [[0.4, 10]],
      [
        [0.5, 4],
        [0.55, 10],
      ],
    ).map((quote) => ({
      ...quote,
      market: marketOf('m1', { feeSchedule: { rate: 0 as never, step: 10 as never } }),
    }));
    const plan = planSplit(wayOf(quotes), quotes, sharesFromNumber(10), one);
    expect(plan).toMatchObject({
      ...{ size: 10_000_000, dollars: 10_000_000, totalCost: 10_000_000, totalReserve: 10_000_000, totalFees: 0 },
      // 6 for No, 4.7 for Yes: where Yes alone is sold and wins, 5.3 of the 10 are gone.
      ...{ proceeds: 10_700_000, expectedProfit: 700_000, expectedProfitPct: 7_000_000, worstCaseLoss: 5_300_000 },
      orders: [
        { leg: 1, outcome: 'No', tokenId: 'm1-no', side: 'sell', limitPrice: 600_000, cost: 6_000_000 },
        { leg: 2, outcome: 'Yes', tokenId: 'm1-yes', side: 'sell', limitPrice: 450_000, averagePrice: 470_000 },
      ],
      shortOf: [],
    });
    expect(plan.orders.map(({ reserve }) => reserve)).toEqual([5_607_000, 4_393_000]);
  });

  it('splits only into what can be sold at the limits, in the steps of the venue', () => {
    const fine = { tick: 1_000 as never };
    const quotes = pair([[0.401, 20]], [[0.5, 20]]).map((quote) => ({ ...quote, market: marketOf('m1', fine) }));
    expect(planSplit(wayOf(quotes), quotes, sharesFromNumber(10.37), one).size).toBe(10_000_000);
    const coarse = pair([[0.4, 20]], [[0.5, 20]]);
    expect(planSplit(wayOf(coarse), coarse, sharesFromNumber(10.37), one).size).toBe(10_370_000);
  });

  it('is of so many shares, where no size is asked for, that every sale is large enough', () => {
    const quotes = pair([[0.8, 100]], [[0.1, 100]]);
    const minimums = { minOrderValue: usdFromNumber(2), minOrderShares: sharesFromNumber(5) };
    expect(defaultSplitSize(quotes, minimums)).toBe(10_000_000);
    // What rests has to be more; these are sold at once.
    const large = quotes.map((quote) => ({ ...quote, market: marketOf('m1', { minOrderSize: sharesFromNumber(15) }) }));
    expect(defaultSplitSize(large, minimums)).toBe(10_000_000);
  });

  it('says what cannot be sold, as buying says what is not on offer', () => {
    const quotes = pair([[0.4, 10]], [[0.5, 6]]);
    const plan = planSplit(wayOf(quotes), quotes, sharesFromNumber(10), one);
    expect(plan.shortOf).toMatchObject([{ leg: 2, missing: 4_000_000 }]);
    expect(plan.dollars).toBe(10_000_000);
  });

  const size = fc.integer({ min: 1, max: 20 }).map(sharesFromNumber);

  it('brings to the micro-dollar what buying the positions brings, and what the mirrored books pay', () => {
    fc.assert(
      fc.property(anyQuotes, size, (quotes, shares) => {
        fc.pre(quotes.length > 1);
        const { event, target, quotes: named } = wholeEvent(quotes.length);
        const priced = named.map((quote, place) => ({ ...quote, book: quotes[place]?.book }));
        const way = wayOf(priced, target, event);
        const split = planSplit(way, priced, shares, target);
        const bought = planPlacement(priced, shares, target);
        expect(split.shortOf).toEqual(bought.shortOf);
        fc.pre(bought.shortOf.length === 0);
        expect(split.expectedProfit).toBe(bought.expectedProfit);
        for (const [place, order] of split.orders.entries()) {
          const { market, book } = priced[place] ?? {};
          const bids = bidsOfOther(book);
          const walked = walkBook(bids, shares, 'sell');
          expect([order.cost, order.limitPrice, order.averagePrice]).toEqual([
            walked.cost,
            walked.worstPrice,
            walked.averagePrice,
          ]);
          expect(order.fee).toBe(takerFeeOfLevels(takeLevels(bids, shares), market?.feeSchedule ?? (null as never)));
        }
      }),
    );
  });

  it('loses no dollars and makes none: what it costs is what goes in, and no part that sells loses more than it says', () => {
    fc.assert(
      fc.property(anyQuotes, size, fc.integer({ min: 1, max: 14 }), (quotes, shares, chosen) => {
        fc.pre(quotes.length > 1);
        const { event, target, quotes: named } = wholeEvent(quotes.length);
        const priced = named.map((quote, place) => ({ ...quote, book: quotes[place]?.book }));
        const plan = planSplit(wayOf(priced, target, event), priced, shares, target);
        fc.pre(plan.shortOf.length === 0);
        expect(plan.orders.reduce((sum, { reserve }) => sum + reserve, 0)).toBe(plan.dollars);
        const sold = plan.orders.filter((_, place) => (chosen >> place) % 2 === 1);
        fc.pre(sold.length > 0);
        const back = sold.reduce((sum, { cost, fee }) => sum + cost - fee, 0);
        expect(plan.dollars - back).toBeLessThanOrEqual(plan.worstCaseLoss);
      }),
    );
  });
});

/** The bids of the other outcome of a market, as the venue mirrors the asks. */
function bidsOfOther(book: Book | undefined): Level[] {
  return (book?.asks ?? []).map(({ price, size }) => ({ price: (1_000_000 - price) as typeof price, size }));
}
