import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Percent, percentFromNumber } from '@dutchbook/units/percent.ts';
import { PRICE_ONE, priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, feeOf, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { GateQuote } from '../risk/context.ts';
import { changeOf, countsAgain, repriced } from './reprice.ts';
import type { OpportunityRow } from './tracked.ts';

const NOW = instantFromMs(1_000_000_000);
const YEAR_MS = 365 * 86_400_000;
const TERMS = {
  pricing: { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) },
  triggerPct: percentFromNumber(2),
};
const ROW: OpportunityRow = {
  ...{ id: 'one', active: true, targetPrice: PRICE_ONE, currentPrice: null, feesPerSet: null, profitPercentage: null },
  ...{ profitUsd: null, maxProfitableSize: null, paysAt: null, about: null },
  ...{ annualisedReturn: null, triggered: false, rises: 0, refusal: null, lastChecked: null, lastError: null },
  ...{ errorCount: 0, augmentedEvent: false, resolution: null },
};

/** A position of that price in a market that ends after so long. */
function quotesOf(ask: number, endsInMs: number | null, question = 'Will it?'): GateQuote[] {
  const endDate = endsInMs === null ? null : ((NOW + endsInMs) as Instant);
  const market = marketOf('m1', { endDate, question, feeSchedule: feeOf(0) });
  return [{ ...quoteOf(1, [[ask, 100]], { market }), feed: 'live', bookAgeMs: 0 }];
}

const priced = (before: OpportunityRow, quotes: GateQuote[], now: Instant = NOW) =>
  repriced(before, quotes, TERMS, { now, countsFailure: true }).row;

describe('the dollars now', () => {
  const LEVELS: GateQuote[] = quotesOf(0.8, YEAR_MS).map((quote) => ({
    ...quote,
    book: bookOf([
      [0.8, 100],
      [0.9, 50],
      [1, 500],
    ]),
  }));

  it('are those of the largest size that pays, walked through its levels', () => {
    expect(priced(ROW, LEVELS)).toMatchObject({ profitUsd: 25_000_000, maxProfitableSize: 150_000_000 });
  });

  it('are what one set loses where no size pays', () => {
    const tooDear = { ...ROW, targetPrice: priceFromNumber(0.75) };
    expect(priced(tooDear, quotesOf(1, YEAR_MS))).toMatchObject({ profitUsd: -250_000, maxProfitableSize: 0 });
  });

  it('are not known of what is not active, or could not be priced', () => {
    const before = priced(ROW, LEVELS);
    const nothing = { profitUsd: null, maxProfitableSize: null };
    expect(priced({ ...before, active: false }, LEVELS)).toMatchObject(nothing);
    const withoutBook = LEVELS.map((quote) => ({ ...quote, book: undefined }));
    expect(priced(before, withoutBook)).toMatchObject({ ...nothing, profitPercentage: before.profitPercentage });
  });
});

describe('when it pays', () => {
  it('is the end of its last market, and at once where a merge brings the cash', () => {
    expect(priced(ROW, quotesOf(0.8, YEAR_MS)).paysAt).toBe(NOW + YEAR_MS);
    expect(priced(ROW, quotesOf(0.8, null)).paysAt).toBeNull();
    const [yes] = quotesOf(0.4, YEAR_MS);
    const both = ['m1:yes', 'm1:no'].map((tokenId) => ({ ...(yes as GateQuote), tokenId }));
    const first = priced(ROW, both);
    expect(first.paysAt).toBe(NOW);
    const later = instantFromMs(NOW + 5_000);
    expect(changeOf(first, priced(first, both, later))).toBe('none');
  });

  it('is at once from now on where it was to pay at an end that is still to come', () => {
    const [yes] = quotesOf(0.4, YEAR_MS);
    const both = ['m1:yes', 'm1:no'].map((tokenId) => ({ ...(yes as GateQuote), tokenId }));
    expect(priced({ ...ROW, paysAt: instantFromMs(NOW + 1) }, both).paysAt).toBe(NOW);
    expect(priced({ ...ROW, paysAt: NOW }, both, instantFromMs(NOW + 1)).paysAt).toBe(NOW);
  });

  it('stands, with what else its markets said, while one of them is not known', () => {
    const said = { augmentedEvent: true, resolution: 'disputed', about: 'Rain', paysAt: NOW } as const;
    const [known] = quotesOf(0.8, YEAR_MS);
    const row = priced({ ...ROW, ...said }, [{ ...(known as GateQuote), market: undefined }]);
    expect(row).toMatchObject(said);
  });

  it('is at once for second outcomes of an event that contracts convert, and its end where the venue has none', () => {
    const event = { id: 'e', title: 'Who wins?', negRisk: true, augmented: false, marketIds: ['m1', 'm2'] };
    const endDate = (NOW + YEAR_MS) as Instant;
    const paysAt = (netsOutcomes: boolean) => {
      const quotes = ['m1', 'm2'].map((id, place) => {
        const market = marketOf(id, { endDate, event, netsOutcomes });
        return { ...quoteOf(place + 1, [[0.4, 100]], { market }), marketId: id, tokenId: `${id}-no` };
      });
      return priced(
        ROW,
        quotes.map((quote) => ({ ...quote, feed: 'live', bookAgeMs: 0 })),
      ).paysAt;
    };
    expect(paysAt(false)).toBe(NOW);
    expect(paysAt(true)).toBe(NOW + YEAR_MS);
  });
});

describe('the return a year', () => {
  it('is not written anew for what time alone changes within a hundredth of it, and is beyond that', () => {
    const first = priced(ROW, quotesOf(0.8, YEAR_MS));
    expect(first).toMatchObject({ profitPercentage: 25_000_000, annualisedReturn: 25_000_000 });
    const standing = priced(first, quotesOf(0.8, YEAR_MS / 1.0099));
    expect(standing.annualisedReturn).toBe(25_000_000);
    const last = { ...first, annualisedReturn: 25_250_000 as Percent };
    expect(priced(last, quotesOf(0.8, YEAR_MS)).annualisedReturn).toBe(25_250_000);
    expect(priced({ ...first, annualisedReturn: 25_260_000 as Percent }, quotesOf(0.8, YEAR_MS)).annualisedReturn).toBe(
      25_000_000,
    );
    // A hundredth of what stood is still within it.
    const half = { ...first, profitPercentage: 25_000_000 as Percent, annualisedReturn: 12_500_000 as Percent };
    expect(priced(half, quotesOf(0.8, YEAR_MS / 0.505)).annualisedReturn).toBe(12_500_000);
  });

  it('follows another profit at once, however little it differs', () => {
    const before = { ...ROW, profitPercentage: 24_999_999 as Percent, annualisedReturn: 25_000_001 as Percent };
    expect(priced(before, quotesOf(0.8, YEAR_MS)).annualisedReturn).toBe(25_000_000);
  });

  it('is not known once the end of a market is not', () => {
    const before = { ...ROW, profitPercentage: 25_000_000 as Percent, annualisedReturn: 25_000_000 as Percent };
    expect(priced(before, quotesOf(0.8, null)).annualisedReturn).toBeNull();
  });
});

describe('what has changed', () => {
  const numbers: Partial<OpportunityRow>[] = [
    { currentPrice: priceFromNumber(0.7) },
    { feesPerSet: usdFromNumber(0.02) },
    { profitPercentage: percentFromNumber(3) },
    { annualisedReturn: percentFromNumber(4) },
    { profitUsd: usdFromNumber(1) },
    { maxProfitableSize: sharesFromNumber(5) },
    { errorCount: 2 },
  ];
  const state: Partial<OpportunityRow>[] = [
    { triggered: true },
    { augmentedEvent: true },
    { resolution: 'disputed' },
    { lastError: 'no price' },
    { currentPrice: null },
    { about: 'Rain' },
    { paysAt: NOW },
  ];
  const before = { ...ROW, currentPrice: priceFromNumber(0.6) };

  it.each(numbers)('is a number: %o', (change) => {
    expect(changeOf(before, { ...before, ...change })).toBe('numbers');
  });

  it.each(state)('is more than a number: %o', (change) => {
    expect(changeOf(before, { ...before, ...change })).toBe('state');
  });

  it('is nothing where only the moment of the check has', () => {
    expect(changeOf(before, { ...before, lastChecked: NOW })).toBe('none');
  });
});

describe('a failure to price', () => {
  it('counts when it is the first, was never counted, or was counted ten seconds ago', () => {
    const ago = (ms: number) => (NOW - ms) as Instant;
    expect(countsAgain(null, ago(1), NOW)).toBe(true);
    expect(countsAgain('no price', null, 1 as Instant)).toBe(true);
    expect(countsAgain('no price', ago(9_999), NOW)).toBe(false);
    expect(countsAgain('no price', ago(10_000), NOW)).toBe(true);
  });

  it('says why in what a database takes, and keeps the last price', () => {
    const before = { ...ROW, currentPrice: priceFromNumber(0.6) };
    const [known] = quotesOf(0.5, null, 'Will \0it?');
    if (known === undefined) throw new Error('There is no quote.');
    const row = priced(before, [{ ...known, book: undefined }]);
    expect(row).toMatchObject({ currentPrice: 600_000, errorCount: 1 });
    expect(row.lastError).toContain('Will it?');
  });
});
