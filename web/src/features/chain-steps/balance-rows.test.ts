import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { balanceRows, exactly } from './balance-rows.ts';

const balances = (cash: number, shares: Record<string, number>): NonNullable<ChainSubmission['balances_before']> => ({
  cash_usd: usdFromNumber(cash),
  shares: Object.entries(shares).map(([token_id, held]) => ({ token_id, shares: sharesFromNumber(held) })),
});

it('compares the cash and every token that either of the two names', () => {
  const rows = balanceRows(balances(1, { a: 5 }), balances(6, { a: 0, b: 2 }));
  expect(rows.map(({ id, change }) => [id, change])).toEqual([
    ['cash', 5_000_000],
    ['a', -5_000_000],
    ['b', null],
  ]);
});

it('knows no change while one of the two was not read', () => {
  expect(balanceRows(balances(1, { a: 5 }), null).map(({ after, change }) => [after, change])).toEqual([
    [null, null],
    [null, null],
  ]);
});

it('writes every unit', () => {
  expect(exactly(-1, 'dollars')).toBe('-$0.000001');
  expect(exactly(12_000_000, 'shares')).toBe('12.000000');
  expect(exactly(null, 'shares')).toBe('–');
});
