import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { limitsDraftOf, limitsOf, limitsProblems } from './limits-draft.ts';

const none = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };
const draft = limitsDraftOf(none);

it('takes an empty field for no limit, and dollars for one', () => {
  expect(draft).toEqual({ per_order_usd: '', per_batch_usd: '', per_day_usd: '', open_exposure_usd: '' });
  expect(limitsOf({ ...draft, per_day_usd: ' 12.50 ' })).toEqual({ ...none, per_day_usd: usdFromNumber(12.5) });
  expect(limitsDraftOf({ ...none, per_day_usd: usdFromNumber(12.5) }).per_day_usd).toBe('12.5');
});

it.each([
  ['0', 'Limit per order must be at least 1'],
  ['100000001', 'Limit per order must be at most 100000000'],
  ['plenty', 'Limit per order must be a number'],
])('refuses "%s"', (typed, problem) => {
  expect(limitsProblems({ ...draft, per_order_usd: typed }, false)).toEqual({ per_order_usd: problem });
});

it('wants every limit on a real venue', () => {
  expect(limitsProblems({ ...draft, per_order_usd: '5', per_batch_usd: '5', per_day_usd: '5' }, true)).toEqual({
    open_exposure_usd: 'Limit on open exposure is required on a real venue',
  });
});
