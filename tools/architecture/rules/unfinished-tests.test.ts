import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { unfinishedTests } from './unfinished-tests.ts';

const found = (text: string) => placesFound(unfinishedTests, { 'server/src/a.test.ts': text });

test.each([
  "it.todo('buys');",
  "it.fails('buys', () => {});",
  "it.concurrent.fails.each([1])('buys', () => {});",
  "test.fixme('buys', () => {});",
  "test.fail('buys', () => {});",
  "describe.skip('buying', () => {});",
  "test.describe.only('buying', () => {});",
])('refuses %s', (text) => {
  expect(found(text)).toEqual(['server/src/a.test.ts:1']);
});

test.each([
  "it.each([1])('buys', () => {});",
  "describe.runIf(isRoot)('buying', () => {});",
  'const { todo, skip } = rows; skip.only(todo);',
])('accepts %s', (text) => {
  expect(found(text)).toEqual([]);
});
