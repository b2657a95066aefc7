import { expect, it } from 'vitest';
import { differencesOf } from './audit-difference.ts';

it('names what differs, and nothing else', () => {
  const before = { email: 'ann@example.com', full_name: null, is_active: false, tags: [1] };
  const after = { email: 'ann@example.com', full_name: 'Ann', is_active: true, tags: [1] };
  expect(differencesOf(before, after)).toEqual([
    { name: 'full_name', before: 'empty', after: 'Ann' },
    { name: 'is_active', before: 'no', after: 'yes' },
  ]);
});

it('shows all of what was made or deleted', () => {
  expect(differencesOf(null, { size: 5, legs: [{ leg: 1 }] })).toEqual([
    { name: 'size', before: null, after: '5' },
    { name: 'legs', before: null, after: '[{"leg":1}]' },
  ]);
  expect(differencesOf({ title: 'Note' }, null)).toEqual([{ name: 'title', before: 'Note', after: null }]);
});

it('shows a value that has no parts', () => {
  expect(differencesOf(2, 3)).toEqual([{ name: '', before: '2', after: '3' }]);
  expect(differencesOf(null, null)).toEqual([]);
});
