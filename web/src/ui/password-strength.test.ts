import { expect, it } from 'vitest';
import { passwordScore, strengthOf } from './password-strength.tsx';

it.each([
  [0, 4, 'Low'],
  [1, 4, 'Low'],
  [2, 4, 'Medium'],
  [3, 4, 'High'],
  [4, 4, 'High'],
  [33, 100, 'Medium'],
  [32, 100, 'Low'],
  [65, 100, 'Medium'],
  [66, 100, 'High'],
] as const)('%d of %d is %s', (value, max, strength) => {
  expect(strengthOf(value, max)).toBe(strength);
});

it.each([
  ['short', 0],
  ['eightlow', 1],
  ['twelve lower', 2],
  ['Twelve Letters', 3],
  ['Twelve Letters 1!', 4],
])('%s has %d merits', (password, merits) => {
  expect(passwordScore(password)).toBe(merits);
});
