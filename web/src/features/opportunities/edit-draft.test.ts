import { priceToNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { changesOf, draftOf, editProblems } from './edit-draft.ts';

const before = { target_price: setPriceFromNumber(1), active: true };

it('shows the target price as the screens do, and with every decimal it has', () => {
  expect(draftOf(before).target_price).toBe('1.0000');
  expect(draftOf({ ...before, target_price: setPriceFromNumber(0.123456) }).target_price).toBe('0.123456');
});

it.each(['', 'a dollar', '0', '-1', '1e3', '50.000001', '0.0000001', '.'])(
  'refuses "%s" as a target price',
  (target_price) => {
    expect(editProblems({ target_price, active: true })).toEqual({
      target_price: 'Enter a price greater than 0, 50 at most',
    });
  },
);

it.each(['1', ' 2.5 ', '.5', '3.'])('takes "%s" as a target price', (target_price) => {
  expect(editProblems({ target_price, active: true })).toEqual({});
});

it('sends only what was changed', () => {
  expect(changesOf({ target_price: '1.0', active: true }, draftOf(before))).toEqual({});
  expect(changesOf({ target_price: '1.0', active: false }, draftOf(before))).toEqual({ active: false });
  const { target_price } = changesOf({ target_price: '1.02', active: true }, draftOf(before));
  expect(target_price && priceToNumber(target_price)).toBe(1.02);
});
