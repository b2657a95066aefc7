import type { LedgerEntry } from '@dutchbook/contract/ledger.ts';
import type { LedgerAccount, LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { microFromText, microToFixed } from '@dutchbook/units/micro.ts';
import { formatUsd, usdFromText } from '@dutchbook/units/usd.ts';

/** Why something moved, as people say it. */
export const KIND_WORDS: Record<LedgerKind, string> = {
  matched: 'Matched',
  settled: 'Settled',
  undone: 'Undone',
  split: 'Split',
  merge: 'Merge',
  convert: 'Convert',
  redeem: 'Redeem',
  closed: 'Closed',
  lost: 'Lost',
  gas: 'Gas',
  opening: 'Opening',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  reward: 'Reward',
  rebate: 'Rebate',
  unknown: 'Unknown',
  correction: 'Correction',
};

export const ACCOUNT_WORDS: Record<LedgerAccount, string> = {
  cash: 'Cash',
  'cash@kalshi': 'Cash at Kalshi',
  shares: 'Shares',
  receivable: 'Receivable',
  'receivable@kalshi': 'Receivable at Kalshi',
  fees: 'Fees',
  gas: 'Gas',
  traded: 'Traded',
  income: 'Income',
  unnamed: 'Unnamed',
  outside: 'Outside',
};

/** What stands in an account, for those whose name does not say it. */
export const ACCOUNT_MEANINGS: Partial<Record<LedgerAccount, string>> = {
  receivable: 'due to us less owed, not confirmed',
  'receivable@kalshi': 'due to us less owed, not confirmed',
  fees: 'paid to the venue',
  gas: 'paid to the chain',
  traded: 'paid for shares less brought back',
  income: 'rewards and rebates, below zero',
  unnamed: 'came without a name yet, below zero',
  outside: 'paid in less taken out, below zero',
};

type Line = Pick<LedgerEntry['lines'][number], 'unit' | 'amount'>;

/** An amount in its unit, to the last place that it has. */
export function amountWords({ unit, amount }: Line): string {
  if (unit === 'usd') {
    const whole = usdFromText(amount);
    // A part of a cent is shown, not rounded away: the lines have to add up for the reader too.
    return whole % 10_000 === 0 ? formatUsd(whole) : withSign(trimmed(microToFixed(whole, 6)), '$');
  }
  const grouped = trimmed(microToFixed(microFromText(amount, unit), 6));
  return unit === 'pol' ? `${grouped} POL` : `${grouped} sh`;
}

function withSign(amount: string, sign: string): string {
  return amount.startsWith('-') ? `-${sign}${amount.slice(1)}` : `${sign}${amount}`;
}

/** `12.500000` is 12.5. */
function trimmed(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/** A token by its first and last digits. */
export function unitWords(unit: string): string {
  return unit.length > 12 ? `${unit.slice(0, 6)}…${unit.slice(-4)}` : unit.toUpperCase();
}
