import { expect, it } from 'vitest';
import { errorsAsCsv } from './import-errors.ts';

it('writes a line per refused row, quoted, and nothing that a spreadsheet would run', () => {
  const errors = [
    { row: 2, message: 'target_price: "0" is not greater than 0, sorry' },
    { row: 50_000, message: '=1+1' },
  ];
  expect(errorsAsCsv(errors)).toBe(
    'row,message\r\n2,"target_price: ""0"" is not greater than 0, sorry"\r\n50000,"\'=1+1"\r\n',
  );
});
