import { VENUE_NAMES, type VenueName } from './ids.ts';

/**
 * Where something stands. `cash`, `shares`: what the venue has confirmed. `receivable`: matched and not confirmed, both what is owed
 * and what is due. Dollars of a venue other than the first have accounts of their own; a token names its venue. `fees`, `gas`: what was spent on them. `traded`: where dollars become shares and back. `income`: where rewards
 * and rebates of the venue come from. `unnamed`: where dollars come from of which no person has said what they are. `outside`: where
 * deposits come from and withdrawals go to, and shares that pay nothing.
 */
export const LEDGER_ACCOUNTS = [
  'cash',
  'cash@kalshi',
  'shares',
  'receivable',
  'receivable@kalshi',
  'fees',
  'gas',
  'traded',
  'income',
  'unnamed',
  'outside',
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

const CASH_AT = { polymarket: 'cash', kalshi: 'cash@kalshi' } as const satisfies Record<VenueName, LedgerAccount>;
export type CashAccount = (typeof CASH_AT)[VenueName];

const DUE_AT = { polymarket: 'receivable', kalshi: 'receivable@kalshi' } as const satisfies Record<
  VenueName,
  LedgerAccount
>;
export type DueAccount = (typeof DUE_AT)[VenueName];

/** The account of the dollars that are receivable at a venue. */
export function dueAt(venue: VenueName): DueAccount {
  return DUE_AT[venue];
}

/** Whether its dollars are ours: cash, or receivable. */
export function isOfOurDollars(account: LedgerAccount): boolean {
  return venueOfDollars(account) !== null;
}

/** The venue whose dollars the account holds, cash or receivable; null of an account of something else. */
export function venueOfDollars(account: LedgerAccount): VenueName | null {
  return VENUE_NAMES.find((venue) => CASH_AT[venue] === account || DUE_AT[venue] === account) ?? null;
}

/** The account of the cash at a venue. */
export function cashAt(venue: VenueName): CashAccount {
  return CASH_AT[venue];
}

/** The venue whose cash the account is; null of an account of something else. */
export function venueOfCash(account: LedgerAccount): VenueName | null {
  return VENUE_NAMES.find((venue) => CASH_AT[venue] === account) ?? null;
}

/**
 * `matched`, `settled`, `undone`: a trade, once it is reported, confirmed, and taken back. `split` to `redeem`: a call of a contract
 * that was proven. `closed`: shares that the exchange of paper trading took at the bid at the end of a run. `lost`: shares whose market has resolved against them, closed for nothing. `gas`: of a submission. `opening`:
 * what was there before the ledger began. `deposit`, `withdrawal`: proven by the chain, or stated by a person. `reward`, `rebate`: by who
 * has sent it, or named by a person. `unknown`: dollars from any other sender, until a person names them. `correction`: a
 * trade that was reported again with other amounts, shares whose payout of nothing was raised, or what a person stated because the venue
 * has it and the ledger had not.
 */
export const LEDGER_KINDS = [
  'matched',
  'settled',
  'undone',
  'split',
  'merge',
  'convert',
  'redeem',
  'closed',
  'lost',
  'gas',
  'opening',
  'deposit',
  'withdrawal',
  'reward',
  'rebate',
  'unknown',
  'correction',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** What a person may say that dollars of unknown origin are. `redeem`: what the venue paid for shares. */
export const ARRIVAL_NAMES = ['deposit', 'reward', 'rebate', 'redeem'] as const;
export type ArrivalName = (typeof ARRIVAL_NAMES)[number];
