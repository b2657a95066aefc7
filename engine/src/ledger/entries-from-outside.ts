/** The entries of what was not traded: the gas of a submission, and what the account has from elsewhere. */
import type { TokenId, VenueName } from '@dutchbook/units/ids.ts';
import { type ArrivalName, type CashAccount, cashAt } from '@dutchbook/units/ledger-kinds.ts';
import { balanced, type LedgerLine, USD_UNIT } from './entry.ts';

/** A coin has 18 decimals, a line six. */
const WEI_PER_MICRO = 1_000_000_000_000n;

/** Rounded up to a millionth of the coin. */
export function linesOfGas({ wei, symbol }: { wei: string; symbol: string }, venue: VenueName): LedgerLine[] {
  const amount = Number((BigInt(wei) + WEI_PER_MICRO - 1n) / WEI_PER_MICRO);
  const unit = symbol.toLowerCase();
  return balanced([
    { account: 'gas', unit, amount },
    { account: cashAt(venue), unit, amount: -amount },
  ]);
}

/** `amount`: what the account at the venue has more of, in millionths of dollars or of shares of a token. */
export type FromOutside = { unit: string; amount: number };

export function linesFromOutside(changes: readonly FromOutside[], venue: VenueName): LedgerLine[] {
  return balanced(
    changes.flatMap(({ unit, amount }) => [
      { account: accountOf(unit, venue), unit, amount },
      { account: 'outside' as const, unit, amount: -amount },
    ]),
  );
}

const ARRIVES_FROM = {
  deposit: 'outside',
  reward: 'income',
  rebate: 'income',
  redeem: 'traded',
  unknown: 'unnamed',
} as const;

/** Dollars that came, by what they are. */
export function linesOfArrival(
  kind: Exclude<keyof typeof ARRIVES_FROM, 'redeem'>,
  amount: number,
  venue: VenueName,
): LedgerLine[] {
  return balanced([
    { account: cashAt(venue), unit: USD_UNIT, amount },
    { account: ARRIVES_FROM[kind], unit: USD_UNIT, amount: -amount },
  ]);
}

/** Dollars that had come from nowhere known, and of which a person has said what they are. */
export function linesOfNaming(name: ArrivalName, amount: number): LedgerLine[] {
  return balanced([
    { account: 'unnamed', unit: USD_UNIT, amount },
    { account: ARRIVES_FROM[name], unit: USD_UNIT, amount: -amount },
  ]);
}

/** Where what the venue has confirmed of a unit stands. */
export function accountOf(unit: string, venue: VenueName): CashAccount | 'shares' {
  return unit === USD_UNIT ? cashAt(venue) : 'shares';
}

/** Shares that a contract took for dollars without a trade of ours. `shares`: below zero what left. */
export function linesOfRedeemed(
  { dollars, shares }: { dollars: number; shares: ReadonlyMap<string, number> },
  venue: VenueName,
): LedgerLine[] {
  return balanced([
    { account: cashAt(venue), unit: USD_UNIT, amount: dollars },
    { account: 'traded', unit: USD_UNIT, amount: -dollars },
    ...[...shares].flatMap(([unit, amount]) => [
      { account: 'shares' as const, unit, amount },
      { account: 'traded' as const, unit, amount: -amount },
    ]),
  ]);
}

/** Worthless shares leave what was traded, and are held from then on like any that had cost nothing. */
export function linesOfLost(tokenId: TokenId, shares: number): LedgerLine[] {
  return balanced([
    { account: 'traded', unit: tokenId, amount: shares },
    { account: 'outside', unit: tokenId, amount: -shares },
  ]);
}
