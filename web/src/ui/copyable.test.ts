import { expect, it } from 'vitest';
import { shortId } from './copyable.tsx';

it.each([
  ['39d519ea-f30d-430c-ae97-f8776c149f7f', '39d519ea'],
  ['0x1b48cf102a6c66e3c7e7f9d5aefdcf93', '0x1b48cf'],
  ['kalshi:KXHIGHNY-26NOV30-B41.5', 'Kalshi KXHIGHNY-26NOV30-B41.5'],
])('shortens what nobody reads, and leaves a ticker whole: %s', (id, shown) => {
  expect(shortId(id)).toBe(shown);
});
