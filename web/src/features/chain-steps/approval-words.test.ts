import type { Approval } from '@dutchbook/contract/approvals.ts';
import { expect, it } from 'vitest';
import { changeOf, problemsFirst } from './approval-words.ts';

const approval = (given: Partial<Approval>): Approval => ({
  venue: 'polymarket',
  contract: '0x1',
  name: 'collateral adapter',
  asset: 'shares',
  holder: '0x2',
  is_allowed: false,
  limit_usd: null,
  purpose: 'conversion',
  problem: null,
  submission_id: null,
  ...given,
});

it('allows what is not allowed, and revokes what is', () => {
  expect(changeOf(approval({}))).toEqual({
    is_allowed: true,
    action: 'Allow',
    question:
      'The collateral adapter may then move the shares of the account. Without it no shares are converted into dollars or redeemed.',
  });
  expect(changeOf(approval({ is_allowed: true, asset: 'cash' }))).toMatchObject({
    is_allowed: false,
    action: 'Revoke',
  });
});

it('takes back from a retired contract, and gives it nothing', () => {
  expect(changeOf(approval({ purpose: 'retired', is_allowed: true }))?.action).toBe('Revoke');
  expect(changeOf(approval({ purpose: 'retired' }))).toBeUndefined();
});

it('puts what is wrong first, and keeps the order otherwise', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name, nth) =>
    approval({ name, problem: nth % 2 === 1 ? 'wrong' : null }),
  );
  expect(problemsFirst([a, b, c, d].filter((each) => each !== undefined)).map(({ name }) => name)).toEqual([
    'b',
    'd',
    'a',
    'c',
  ]);
});
