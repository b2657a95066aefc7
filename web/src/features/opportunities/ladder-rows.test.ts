import type { DepthLevel } from '@dutchbook/contract/valuation.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { ladderRows } from './ladder-rows.ts';

const level = (price: string, size: string, total: string): DepthLevel => ({
  price: priceFromText(price),
  size: sharesFromText(size),
  total: usdFromText(total),
});

const BOOK = {
  leg: 1,
  market_id: 'm',
  outcome: 'Yes',
  asks: [level('0.5', '10', '5'), level('0.6', '10', '11'), level('0.7', '10', '18')],
  bids: [level('0.4', '10', '4'), level('0.3', '10', '7')],
};

it('stands the dearest ask on top and the lowest bid at the foot, with bars against the most dollars shown', () => {
  const { asks, bids } = ladderRows(BOOK, 2, null);
  expect(asks.map(({ price }) => price)).toEqual([600_000, 500_000]);
  expect(bids.map(({ price }) => price)).toEqual([400_000, 300_000]);
  expect(asks.map(({ reach }) => reach)).toEqual([1, 5 / 11]);
});

it('marks the asks of which the largest profitable size would buy', () => {
  const marked = (size: string) => ladderRows(BOOK, 3, sharesFromText(size)).asks.map(({ bought }) => bought);
  expect(marked('10')).toEqual([false, false, true]);
  expect(marked('10.01')).toEqual([false, true, true]);
  expect(marked('0')).toEqual([false, false, false]);
});
