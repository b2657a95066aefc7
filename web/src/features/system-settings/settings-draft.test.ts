import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { expect, it } from 'vitest';
import { rebasedFields } from '../../forms/rebase.ts';
import { amountOf } from './number-from.ts';
import { SETTING_GROUPS } from './setting-groups.ts';
import { changedSettings, changesOf, draftOf, SETTING_NAMES, settingProblems } from './settings-draft.ts';

const saved = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;
const draft = draftOf(saved);

it('shows every setting in one group', () => {
  const shown: string[] = SETTING_GROUPS.flatMap(({ names }) => [...names]);
  expect(shown.toSorted()).toEqual([...SETTING_NAMES].toSorted());
});

it('sees a change in values, not in how they are written', () => {
  expect(changesOf(saved, { ...draft, MIN_ORDER_VALUE_USD: ' 2.00 ', PRICE_LOW_THRESHOLD: '.1' })).toEqual([]);
  const changed = { ...draft, MIN_ORDER_VALUE_USD: '3', ENABLE_WEBSOCKET: false, MIN_ORDER_SHARES: '' };
  expect(changesOf(saved, changed)).toEqual([
    { name: 'ENABLE_WEBSOCKET', from: 'on', to: 'off' },
    { name: 'MIN_ORDER_VALUE_USD', from: '2', to: '3' },
    { name: 'MIN_ORDER_SHARES', from: '5', to: 'nothing' },
  ]);
});

it('sends what has changed and nothing else', () => {
  const changed = { ...draft, MIN_ORDER_VALUE_USD: '3', ENABLE_WEBSOCKET: false };
  expect(changedSettings(saved, changed)).toEqual({ MIN_ORDER_VALUE_USD: 3, ENABLE_WEBSOCKET: false });
});

it.each([
  ['', 'is required'],
  ['0.99', 'must be at least 1'],
  ['1001', 'must be at most 1000'],
  ['1e9', 'must be at most 1000'],
  ['1,5', 'must be a number'],
  ['0x10', 'must be a number'],
  ['1e', 'must be a number'],
  ['1.0000001', 'has at most 6 decimals'],
])('refuses "%s" in the words of the contract, by the name that the field shows', (typed, problem) => {
  expect(settingProblems({ ...draft, MIN_ORDER_VALUE_USD: typed })).toEqual({
    MIN_ORDER_VALUE_USD: `Least value of an order ${problem}`,
  });
});

it('names no setting by its constant in what it refuses', () => {
  const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, ''])) as unknown as typeof draft;
  const problems = Object.values(settingProblems(empty));
  expect(problems.length).toBeGreaterThan(10);
  expect(problems.filter((problem) => /[A-Z]{2}/.test(problem))).toEqual([]);
});

it('takes a number as a calculator writes it', () => {
  expect(changedSettings(saved, { ...draft, CLIP_USD: '2.5e3' })).toEqual({ CLIP_USD: 2_500 });
});

it('keeps what is being typed when another user saves, and follows them elsewhere', () => {
  const theirs = { ...saved, MIN_ORDER_SHARES: 7, MIN_ORDER_VALUE_USD: 9, PRICE_LOW_THRESHOLD: 0.2 };
  const mine = { ...draft, MIN_ORDER_VALUE_USD: '3', PRICE_LOW_THRESHOLD: '0.20' };
  expect(rebasedFields(mine, draft, draftOf(theirs), amountOf)).toEqual({
    ...draftOf(theirs),
    MIN_ORDER_VALUE_USD: '3',
  });
});
