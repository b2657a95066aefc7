import { expect, it } from 'vitest';
import { testTime } from '../../platform/runtime/test-time.ts';
import { combineTokens } from './combined-tokens.ts';
import { scriptedTokens } from './recorder.fixture.ts';

/** Both feeds have the markets whose outcomes they received. */
function twoFeeds() {
  const { clock } = testTime();
  const [first, second] = [scriptedTokens(clock), scriptedTokens(clock)];
  const joined = combineTokens(first.tokens);
  joined.join(second.tokens);
  const reported: string[] = [];
  joined.onChange((tokenIds) => void reported.push(tokenIds.join(' ')));
  return { first, second, joined, reported };
}

it('has each token once, by the first feed that has a book of it', () => {
  const { first, second, joined, reported } = twoFeeds();
  for (const id of ['a:yes', 'b:yes']) first.book(id);
  for (const id of ['b:yes', 'c:yes']) second.book(id);
  expect(joined.ids()).toEqual(['a:yes', 'b:yes', 'c:yes']);
  expect(joined.held('b:yes')?.book).toBe(first.book('b:yes'));
  expect(joined.held('c:yes')?.book).toBe(second.book('c:yes'));
  second.tell('b:yes', 'c:yes');
  second.tell('b:yes');
  first.tell('a:yes', 'b:yes');
  expect(reported).toEqual(['c:yes', 'a:yes b:yes']);
  first.drop('b:yes');
  second.tell('b:yes');
  expect(joined.held('b:yes')?.book).toBe(second.book('b:yes'));
  expect(reported).toEqual(['c:yes', 'a:yes b:yes', 'b:yes']);
});

it('lets outcomes mirror each other where one feed has both, and not where each has one', () => {
  const { first, second, joined } = twoFeeds();
  for (const id of ['a:yes', 'a:no', 'b:yes']) first.book(id);
  for (const id of ['b:no', 'c:yes', 'c:no']) second.book(id);
  expect(['a:yes', 'b:yes', 'b:no', 'c:yes', 'd:yes'].map(joined.other)).toEqual([
    'a:no',
    null,
    null,
    'c:no',
    undefined,
  ]);
  first.drop('a:no');
  second.book('a:no');
  expect(joined.other('a:yes')).toBe(null);
});
