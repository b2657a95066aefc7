import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { namedFiles } from './named-files.ts';

const FILES = {
  'server/src/trading/orders/table.ts': '',
  'docs/reasons/README.md': 'see [the tables](../../server/src/trading/orders)',
};

test.each([
  ['a file that has moved', 'see `server/src/trading/batches/table.ts`'],
  ['a folder that has moved', 'see `server/src/orders`'],
  ['the end of a path that no file has', 'see `orders/store.ts`'],
  ['a link to nothing', 'see [why](docs/reasons/why.md#because)'],
])('refuses %s', (_what, line) => {
  expect(placesFound(namedFiles, { ...FILES, 'README.md': `first\n${line}` })).toEqual(['README.md:2']);
});

test('accepts whole paths, their ends, links from where the document lies, and other sites', () => {
  const text =
    '`server/src/trading/orders/table.ts`, `orders/table.ts`, `table.ts`, [x](docs/reasons#a), ![a picture](x.png), [y](https://x.example/y.md)';
  expect(placesFound(namedFiles, { ...FILES, 'README.md': text })).toEqual([]);
});
