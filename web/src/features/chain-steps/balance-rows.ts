import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';

type Balances = ChainSubmission['balances_before'];

export type BalanceRow = {
  id: string;
  /** Null of the cash. */
  tokenId: TokenId | null;
  /** Dollars of the cash, shares of a token, in millionths; null while it is not known. */
  before: number | null;
  after: number | null;
  change: number | null;
};

/** What the account had before and after: its cash, and each token that is named in one of the two. */
export function balanceRows(before: Balances, after: Balances): BalanceRow[] {
  const tokenIds = new Set([before, after].flatMap((each) => each?.shares.map(({ token_id }) => token_id) ?? []));
  return [null, ...tokenIds].map((tokenId) => {
    const [first, then] = [amountIn(before, tokenId), amountIn(after, tokenId)];
    const change = first === null || then === null ? null : then - first;
    return { id: tokenId ?? 'cash', tokenId, before: first, after: then, change };
  });
}

function amountIn(balances: Balances, tokenId: TokenId | null): number | null {
  if (balances === null) return null;
  if (tokenId === null) return balances.cash_usd;
  return balances.shares.find(({ token_id }) => token_id === tokenId)?.shares ?? null;
}

const DECIMALS = 6;

/** To the last unit, which is what evidence is looked at for. */
export function exactly(micro: number | null, unit: 'dollars' | 'shares'): string {
  if (micro === null) return '–';
  const text = microToFixed(Math.abs(micro), DECIMALS);
  const sign = micro < 0 ? '-' : '';
  return unit === 'dollars' ? `${sign}$${text}` : `${sign}${text}`;
}
