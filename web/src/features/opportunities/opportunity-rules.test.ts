import { isPriceError } from '@dutchbook/contract/opportunities.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { isOutOfOrder } from '../../lists/row-order.ts';
import { bookAge } from './book-age.ts';
import { FEED, FEED_MEANING } from './feed-badge.tsx';
import { readOrderSize } from './order-size.tsx';
import { disarmedRefusal, placingRefusal } from './placing-rule.ts';

describe('Place Order', () => {
  const placeable = (active: boolean, profitPct: number | null) => ({
    active,
    profit_percentage: profitPct === null ? null : percentFromNumber(profitPct),
  });

  it('is open for an active opportunity that pays', () => {
    expect(placingRefusal(placeable(true, 0.01))).toBeUndefined();
  });

  it.each([
    [placeable(false, 1), 'not active'],
    [placeable(true, 0), 'not positive (0.00%)'],
    [placeable(true, -0.42), 'not positive (-0.42%)'],
    [placeable(true, null), 'not known yet'],
  ])('is closed for %j, with the reason', (opportunity, reason) => {
    expect(placingRefusal(opportunity)).toContain(reason);
  });
});

it('is closed while trading is disarmed, but for what is only simulated', () => {
  const armed = { gate: 'armed', message: 'trading is disarmed', actual: null, required: null };
  expect(disarmedRefusal({ blockers: [armed] }, true)).toBe('Orders cannot be placed: trading is disarmed.');
  // Armed again, which the opportunity may say later.
  expect(disarmedRefusal({ blockers: [armed] }, false)).toBeUndefined();
  expect(disarmedRefusal({ blockers: [] }, true)).toBeUndefined();
});

it.each([
  [null, false],
  ['Leg 1: no order book', true],
  ['Not enough balance for leg 2', false],
  ['BALANCE too low', false],
])('last error %j shows Error in place of the profit: %s', (last_error, isError) => {
  expect(isPriceError(last_error)).toBe(isError);
});

it.each([
  ['nothing', '', { shares: undefined }],
  ['a whole number', '20', { shares: sharesFromText('20') }],
  ['a decimal between spaces', ' 12.5 ', { shares: sharesFromText('12.5') }],
  ['zero', '0', { error: 'Enter a number of shares greater than 0' }],
  ['a negative number', '-5', { error: 'Enter a number of shares greater than 0' }],
  ['words', 'all', { error: 'Enter a number of shares, such as 12.5' }],
  ['an exponent', '1e3', { error: 'Enter a number of shares, such as 12.5' }],
  ['six decimals', '1.234567', { error: 'Enter at most two decimals: no venue takes a smaller part of a share' }],
  ['more than a quantity holds', '1000000001', { error: 'Enter at most 1,000,000,000 shares' }],
])('an order size of %s', (_what, text, read) => {
  expect(readOrderSize(text)).toEqual(read);
});

it('tells what a verified book is: one that the venue’s own snapshot agreed with', () => {
  expect(FEED.verified).toEqual({ tone: 'success', words: 'Verified' });
  expect(FEED_MEANING.verified).toContain('the venue’s own snapshot agreed');
});

it.each([
  [0, '0.0 s'],
  [449, '0.4 s'],
  [9_999, '9.9 s'],
  [10_000, '10 s'],
  [61_000, '1 min'],
  [7_300_000, '2 h'],
])('a book of %i ms is %s old', (ms, words) => {
  expect(bookAge(ms)).toBe(words);
});

describe('the order of the rows', () => {
  const moving = ['current_price', 'profit_percentage'] as const;
  const row = (price: number | null) => ({
    current_price: price === null ? null : setPriceFromNumber(price),
    profit_percentage: null,
  });
  const by = (sortOrder: 'asc' | 'desc') => ({ sortBy: 'current_price', sortOrder }) as const;

  it('is overtaken when a live price passes its neighbour', () => {
    expect(isOutOfOrder([row(0.9), row(0.95), row(1)], moving, by('asc'))).toBe(false);
    expect(isOutOfOrder([row(0.96), row(0.95), row(1)], moving, by('asc'))).toBe(true);
    expect(isOutOfOrder([row(0.9), row(0.95)], moving, by('desc'))).toBe(true);
  });

  it('is not judged by rows without a price, nor where nothing live is sorted by', () => {
    expect(isOutOfOrder([row(0.9), row(null), row(0.95)], moving, by('asc'))).toBe(false);
    expect(isOutOfOrder([row(1), row(0.9)], moving, { sortBy: 'created_at', sortOrder: 'asc' })).toBe(false);
  });
});
