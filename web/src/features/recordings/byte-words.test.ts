import { expect, test } from 'vitest';
import { byteWords } from './byte-words.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [12_345, '12.3 kB'],
  [999_600, '1 MB'],
  [2_000_000_000, '2 GB'],
  [1.5e15, '1500 TB'],
])('%d bytes are %s', (bytes, words) => expect(byteWords(bytes)).toBe(words));
