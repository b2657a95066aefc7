import { expect, test } from 'vitest';
import { changedParts } from './changed-part.ts';

const LONG = 'x'.repeat(100_000);

test('finds the part in which two texts differ, with a little around it', () => {
  const before = `${LONG} a tie is no win. ${LONG}`;
  const after = `${LONG} a tie is half a win. ${LONG}`;
  const parts = changedParts(before, after);
  expect([parts.before.part, parts.after.part]).toEqual(['no', 'half a']);
  expect(parts.before.lead).toMatch(/^…x{49,} a tie is $/);
  expect(parts.after.tail).toMatch(/^ win\. x+…$/);
});

test.each([
  ['', 'all', { lead: '', part: '', tail: '' }, { lead: '', part: 'all', tail: '' }],
  ['aa', 'aaa', { lead: 'aa', part: '', tail: '' }, { lead: 'aa', part: 'a', tail: '' }],
  ['one', 'two', { lead: '', part: 'one', tail: '' }, { lead: '', part: 'two', tail: '' }],
  ['same', 'same', { lead: 'same', part: '', tail: '' }, { lead: 'same', part: '', tail: '' }],
])('of “%s” and “%s”', (before, after, partBefore, partAfter) => {
  expect(changedParts(before, after)).toEqual({ before: partBefore, after: partAfter });
});

test('shortens what is another altogether', () => {
  const { before } = changedParts(LONG, 'y');
  expect(before.part).toHaveLength(1_501);
});
