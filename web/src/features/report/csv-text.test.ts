import { expect, it } from 'vitest';
import { csvText } from './csv-text.ts';

it('quotes what would end a cell, keeps numbers, and defuses what a spreadsheet would carry out', () => {
  expect(csvText([['a "b", c', '-1.5', '=1+1', '-x', '@y', 'plain']])).toBe(
    '"a ""b"", c",-1.5,\'=1+1,\'-x,\'@y,plain\r\n',
  );
});
