/** Markets and quotes for tests, in decimals as people write them. */
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { priceFromNumber, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { type Book, KeptBook, replaceBook } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import type { FeeSchedule, Market, MarketEvent } from '../market/market.ts';
import type { PositionQuote } from './value.ts';

type LevelText = readonly [price: number, size: number];

const levelsOf = (levels: readonly LevelText[]): Level[] =>
  levels.map(([price, size]) => ({ price: priceFromNumber(price), size: sharesFromNumber(size) }));

export function bookOf(asks: readonly LevelText[], bids: readonly LevelText[] = []): Book {
  const book = new KeptBook();
  replaceBook(book, levelsOf(bids), levelsOf(asks));
  return book;
}

/** How finely a market divides; it has one tick and one pocket, and its makers pay nothing. */
const STEPS = {
  minImmediateBuy: usdFromText('1'),
  immediateBuyStep: usdFromText('0.01'),
  sizeStep: sharesFromText('0.01'),
  saleAmountStep: usdFromText('0.0001'),
  tickBands: [],
  makerFeeSchedule: feeOf(0),
  feeChange: null,
  pocket: 'cash',
  netsOutcomes: false,
};

/** A fee of this rate, in hundred-thousandths of a dollar. */
export function feeOf(rate: number): FeeSchedule {
  return { rate: fractionFromNumber(rate), step: usdFromText('0.00001') };
}

export function marketOf(id: string, changes: Partial<Market> = {}): Market {
  return {
    id,
    question: `Will ${id} happen?`,
    event: null,
    outcomes: [
      { outcome: 'Yes', tokenId: `${id}-yes` },
      { outcome: 'No', tokenId: `${id}-no` },
    ],
    negRisk: false,
    endDate: null,
    closed: false,
    acceptingOrders: true,
    resolution: null,
    settledBy: 'exchange',
    tick: tickFromText('0.01'),
    minOrderSize: sharesFromText('5'),
    ...STEPS,
    feeSchedule: feeOf(0.04),
    ...changes,
  };
}

export function eventOf(changes: Partial<MarketEvent> = {}): MarketEvent {
  return { id: 'event', title: 'Who wins?', negRisk: true, augmented: false, marketIds: [], ...changes };
}

export function quoteOf(
  leg: number,
  asks: readonly LevelText[],
  changes: Partial<PositionQuote> & { rate?: number } = {},
): PositionQuote {
  const { rate = 0.04, ...rest } = changes;
  const marketId = `m${leg}`;
  return {
    leg,
    marketId,
    outcome: 'Yes',
    tokenId: `${marketId}-yes`,
    market: marketOf(marketId, { feeSchedule: feeOf(rate) }),
    book: bookOf(asks),
    midpoint: null,
    lastTrade: null,
    ...rest,
  };
}

/** A few positions with up to four asks of up to 20.00 shares each, on a tick of a cent. */
export const anyQuotes: fc.Arbitrary<PositionQuote[]> = fc
  .array(
    fc.record({
      rate: fc.constantFrom(0, 0.02, 0.04, 0.07),
      asks: fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 60 }).map((cents) => cents / 100),
          fc.oneof(
            fc.integer({ min: 1, max: 20 }),
            fc.integer({ min: 1, max: 2000 }).map((hundredths) => hundredths / 100),
          ),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((positions) => positions.map(({ asks, rate }, index) => quoteOf(index + 1, asks, { rate })));
