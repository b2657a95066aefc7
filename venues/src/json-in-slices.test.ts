import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseInSlices } from './json-in-slices.ts';

const LONG = 'of "quotes", \\ [brackets] {and} commas, '.repeat(6000);

test.each([
  ['a list alone', [LONG, 1, null, [], {}, [[LONG]], { a: [1, { b: '\\' }] }]],
  [
    'the first list of an object',
    { before: { list: [1] }, events: [{ id: 1, text: LONG }, 2, '\\"'], after: [LONG, 3] },
  ],
  ['an empty list before a long one', { none: [], events: [LONG, LONG] }],
  ['an object without a list', { text: LONG, inner: { list: [1, 2] } }],
  ['a text', LONG],
  ['a list of lists', [[1, 2], [LONG], []]],
  ['what is short', { events: [1] }],
])('reads %s as JSON.parse does', async (_, value) => {
  for (const space of [0, 2]) expect(await parseInSlices(JSON.stringify(value, null, space))).toEqual(value);
});

test('reads an object by the order of its text where names are whole numbers', async () => {
  const text = `{"events":[${JSON.stringify(LONG)}],"7":[]}`;
  expect(await parseInSlices(text)).toEqual({ events: [LONG], 7: [] });
});

test.each([
  `[${JSON.stringify(LONG)},]`,
  `[,${JSON.stringify(LONG)}]`,
  `[${JSON.stringify(LONG)}`,
  `{"events":[${JSON.stringify(LONG)}]`,
  `{"events":[${JSON.stringify(LONG)} 1]}`,
  `{"events":[${JSON.stringify(LONG)}}}`,
  `{"events":[1,"${LONG}`,
])('refuses what is no JSON, %#', async (text) => {
  await expect(parseInSlices(text)).rejects.toThrow(SyntaxError);
});

test('leaves time between the elements of a long list', async () => {
  const parsed = parseInSlices(JSON.stringify([LONG, LONG, LONG]));
  let isParsed = false;
  void parsed.then(() => {
    isParsed = true;
  });
  await setImmediate();
  expect(isParsed).toBe(false);
  expect(await parsed).toHaveLength(3);
});
