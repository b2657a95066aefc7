import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, test } from 'vitest';
import { distanceWords, obstacleWords, stateWords, undecidedWords } from './relation-words.ts';

const members = { quoted: 2, members: 6 };

test.each([
  [0.016, '1.6 c away after fees'],
  [-0.008, 'pays 0.8 c after fees'],
  [0.00049, 'under 0.1 c away after fees'],
  [-0.000001, 'pays under 0.1 c after fees'],
  [0.0005, '0.1 c away after fees'],
  [0, 'breaks even after fees'],
  [1.5, '150.0 c away after fees'],
])('a distance of %d dollars reads “%s”', (dollars, words) => {
  expect(distanceWords({ distance: usdFromNumber(dollars), ...members })).toBe(words);
});

test('says what keeps a relation from paying only while something does', () => {
  const limited_by = 'leg 3: Renata Quill';
  const obstacle = (distance: number | null) =>
    obstacleWords({ distance: distance === null ? null : usdFromNumber(distance), limited_by, ...members });
  expect(obstacle(0.016)).toBe('limited by leg 3: Renata Quill');
  expect(obstacle(-0.016)).toBeNull();
  expect(obstacle(null)).toBe('2 of 6 members are quoted');
});

test.each([
  ['proposed', 'declared', true, 'Needs no approval'],
  ['proposed', 'enforced', false, 'Kind off'],
  ['proposed', 'parsed', false, 'Needs approval'],
  ['proposed', 'human', false, 'Needs approval'],
  ['approved', 'parsed', true, 'Approved'],
  ['rejected', 'enforced', false, 'Rejected'],
  ['void', 'declared', false, 'Void'],
] as const)('%s on a basis that is %s, may trade: %s, reads “%s”', (state, basis, may_trade, label) => {
  expect(stateWords({ state, basis, may_trade, distance: null }).label).toBe(label);
});

test.each([
  [0.016, 'inactive', /^Bought now, it loses 1\.6 c a set after fees\. Nothing is bought of it until it pays/],
  [-0.008, 'warning', /^Its hits become opportunities once a superuser approves it/],
] as const)('what waits for an approval at %d dollars away is %s', (dollars, tone, meaning) => {
  const words = stateWords({ state: 'proposed', basis: 'parsed', may_trade: false, distance: usdFromNumber(dollars) });
  expect(words.tone).toBe(tone);
  expect(words.meaning).toMatch(meaning);
});

test.each([
  [
    'declared',
    true,
    /^Nothing has to be decided\. Approved, it creates opportunities also while its kind is switched off/,
  ],
  ['enforced', false, /^Nothing is decided\. Approved, it creates opportunities although its kind is switched off/],
  [
    'parsed',
    false,
    /^It is not decided yet\. Approved, its hits become opportunities; rejected, it is not proposed again/,
  ],
] as const)(
  'a proposed one on a basis that is %s, may trade %s, says what a decision changes',
  (basis, may_trade, words) => {
    expect(undecidedWords({ state: 'proposed', basis, may_trade, distance: null })).toMatch(words);
  },
);
