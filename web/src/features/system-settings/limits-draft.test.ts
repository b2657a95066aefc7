import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { changedFields, rebasedFields } from '../../forms/rebase.ts';
import { changedLimits, clipProblem, limitsDraftOf, limitsProblems } from './limits-draft.ts';
import { amountOf } from './number-from.ts';

const none = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };
const draft = limitsDraftOf(none);

it('takes an empty field for no limit, and dollars for one', () => {
  expect(draft).toEqual({ per_order_usd: '', per_batch_usd: '', per_day_usd: '', open_exposure_usd: '' });
  expect(changedLimits(none, { ...draft, per_day_usd: ' 12.50 ' })).toEqual({ per_day_usd: usdFromNumber(12.5) });
  expect(limitsDraftOf({ ...none, per_day_usd: usdFromNumber(12.5) }).per_day_usd).toBe('12.5');
});

it('sends what was changed and nothing else, null where a limit is taken back', () => {
  const saved = { ...none, per_order_usd: usdFromNumber(5), per_day_usd: usdFromNumber(20) };
  expect(changedFields({ ...limitsDraftOf(saved), per_order_usd: '5.0' }, limitsDraftOf(saved), amountOf)).toEqual([]);
  expect(changedLimits(saved, { ...limitsDraftOf(saved), per_order_usd: '5.0', per_day_usd: '' })).toEqual({
    per_day_usd: null,
  });
});

it('follows what another user has set, but in the fields that were touched', () => {
  const typed = { ...draft, per_order_usd: '5', per_batch_usd: '7.0' };
  const saved = {
    ...none,
    per_order_usd: usdFromNumber(6),
    per_batch_usd: usdFromNumber(7),
    per_day_usd: usdFromNumber(9),
  };
  expect(rebasedFields(typed, draft, limitsDraftOf(saved), amountOf)).toEqual({
    ...draft,
    per_order_usd: '5',
    per_batch_usd: '7',
    per_day_usd: '9',
  });
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

it.each([
  [
    'per_day_usd',
    '99.99',
    'best',
    /^Below “Most dollars of a clip”, which is \$100\.00: no clip as large as that is placed\.$/,
  ],
  ['per_batch_usd', '5', 'up_to', /^Below “Most dollars of a clip”/],
  ['open_exposure_usd', '5', 'up_to', /^Below “Most dollars of a clip”/],
  ['per_day_usd', '100', 'best', undefined],
  ['per_day_usd', '', 'best', undefined],
  ['per_day_usd', 'plenty', 'best', undefined],
  ['per_day_usd', '5', 'smallest', undefined],
  ['per_order_usd', '5', 'best', undefined],
] as const)('of %s %s with sizes %s says what it does to clips: %s', (name, typed, SIZE_POLICY, said) => {
  const words = clipProblem(name, typed, { SIZE_POLICY, CLIP_USD: 100 });
  if (said === undefined) expect(words).toBeUndefined();
  else expect(words).toMatch(said);
});
