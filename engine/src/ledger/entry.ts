/** Double entry: what one cause moved between accounts. In every unit the amounts of an entry add up to nothing. */
import { type LedgerAccount, venueOfCash } from '@dutchbook/units/ledger-kinds.ts';

/** `usd`, the symbol of what gas is paid in (`pol`), or the id of a token, whose amounts are shares. */
export type LedgerUnit = string;

export const USD_UNIT = 'usd';

/** `amount` in millionths of the unit, positive where the account has more of it afterwards. */
export type LedgerLine = { account: LedgerAccount; unit: LedgerUnit; amount: number };

/** @throws where it adds or loses something, or moves cash at two venues: an entry that is wrong is never written */
export function balanced(lines: readonly LedgerLine[]): LedgerLine[] {
  const kept = lines.filter(({ amount }) => amount !== 0);
  for (const [unit, ofUnit] of Map.groupBy(kept, (line) => line.unit)) {
    const sum = ofUnit.reduce((total, { amount }) => total + amount, 0);
    if (sum !== 0) throw new Error(`a ledger entry is ${sum} off in ${unit}`);
  }
  const venues = new Set(kept.flatMap(({ account }) => venueOfCash(account) ?? []));
  if (venues.size > 1) throw new Error(`a ledger entry moves the cash of ${[...venues].join(' and ')}`);
  return kept;
}

/** One line for each account and unit. */
export function summed(lines: readonly LedgerLine[]): LedgerLine[] {
  const byPlace = Map.groupBy(lines, ({ account, unit }) => `${account} ${unit}`);
  return [...byPlace.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, amount: same.reduce((sum, { amount }) => sum + amount, 0) }];
  });
}
