/** Double entry: what one cause moved between accounts. In every unit the amounts of an entry add up to nothing. */

/**
 * `cash`, `shares`: what the venue has confirmed. `receivable`: matched and not confirmed, both what is owed and what is due.
 * `fees`, `gas`: what was spent on them. `traded`: where dollars turn into shares and back. `outside`: where deposits come
 * from and withdrawals go to.
 */
export const LEDGER_ACCOUNTS = ['cash', 'shares', 'receivable', 'fees', 'gas', 'traded', 'outside'] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** `usd`, the symbol of what gas is paid in (`pol`), or the id of a token, whose amounts are shares. */
export type LedgerUnit = string;

export const USD_UNIT = 'usd';

/** `amount` in millionths of the unit, positive where the account has more of it afterwards. */
export type LedgerLine = { account: LedgerAccount; unit: LedgerUnit; amount: number };

/**
 * `matched`, `settled`, `undone`: a trade, once it is reported, confirmed, and taken back. `split` to `redeem`: a call of a contract
 * that was proven. `gas`: of a submission. `opening`: what was there before the ledger began. `deposit`, `withdrawal`,
 * `correction`: stated by a person, because the venue has it and the ledger had not.
 */
export const LEDGER_KINDS = [
  'matched',
  'settled',
  'undone',
  'split',
  'merge',
  'convert',
  'redeem',
  'gas',
  'opening',
  'deposit',
  'withdrawal',
  'correction',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** @throws where it adds or loses something: an entry that is wrong is never written */
export function balanced(lines: readonly LedgerLine[]): LedgerLine[] {
  const kept = lines.filter(({ amount }) => amount !== 0);
  for (const [unit, ofUnit] of Map.groupBy(kept, (line) => line.unit)) {
    const sum = ofUnit.reduce((total, { amount }) => total + amount, 0);
    if (sum !== 0) throw new Error(`a ledger entry is ${sum} off in ${unit}`);
  }
  return kept;
}
