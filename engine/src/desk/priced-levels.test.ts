import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyLevelChange, KeptBook, replaceBook } from '../book/book.ts';
import { type HeldBook, PricedLevels } from './priced-levels.ts';

const level = (price: string, size: string) => ({ price: priceFromText(price), size: sharesFromText(size) });

const PRICING = { useOrderBookPrices: true, useCumulativePricing: true, cumulativeThreshold: usdFromNumber(10) };
let held: HeldBook & { book: KeptBook };
let seen: PricedLevels;
const ask = (price: string, size: string) =>
  applyLevelChange(held.book, 'sell', priceFromText(price), sharesFromText(size));
const isNew = () => seen.isNew('token', held);

beforeEach(() => {
  held = { book: new KeptBook(), feed: 'live' };
  replaceBook(held.book, [level('0.4', '100')], [level('0.5', '10'), level('0.6', '100'), level('0.7', '100')]);
  seen = new PricedLevels(PRICING);
  isNew();
});

describe('what pricing sees of a book', () => {
  it('is as it was when levels change that it does not reach, or none that moves the price', () => {
    ask('0.7', '5');
    expect(isNew()).toBe(false);
    ask('0.5', '12');
    expect(isNew()).toBe(false);
  });

  it('is new when the limit moves to which must be paid', () => {
    ask('0.5', '30');
    expect(isNew()).toBe(true);
    expect(isNew()).toBe(false);
  });

  it('is new when the book is trusted otherwise, gone, or there again', () => {
    held = { ...held, feed: 'stale' };
    expect(isNew()).toBe(true);
    expect(seen.isNew('token', undefined)).toBe(true);
    expect(isNew()).toBe(true);
    seen.forget('token');
    expect(isNew()).toBe(true);
  });

  it('is as it was where a book that was never trusted and shows nothing is gone', () => {
    held = { book: new KeptBook(), feed: 'none' };
    expect(isNew()).toBe(true);
    expect(seen.isNew('token', undefined)).toBe(false);
  });

  it('is new under other settings, whatever was seen before', () => {
    seen.takeSettings(PRICING);
    expect(isNew()).toBe(true);
    seen.takeSettings({ ...PRICING, useCumulativePricing: false });
    expect(isNew()).toBe(true);
    ask('0.6', '1');
    expect(isNew()).toBe(false);
    seen.takeSettings({ ...PRICING, useOrderBookPrices: false });
    expect(isNew()).toBe(true);
    applyLevelChange(held.book, 'buy', priceFromText('0.42'), sharesFromText('1'));
    expect(isNew()).toBe(true);
  });
});
