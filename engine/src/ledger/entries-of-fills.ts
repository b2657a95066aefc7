/** The entries of what was traded or converted: always the difference between what the ledger should have of it and what it has. */
import { type TokenId, venueOf } from '@dutchbook/units/ids.ts';
import { cashAt, dueAt, type LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Side } from '../book/level.ts';
import type { Settlement } from '../order/fill.ts';
import { balanced, type LedgerLine, summed, USD_UNIT } from './entry.ts';

/** What the ledger has of a fill: its shares and dollars as receivable, as held, or not at all. */
export type LedgerState = 'matched' | 'settled' | 'undone';

export type FillToBook = {
  side: Side;
  tokenId: TokenId;
  size: Shares;
  /** Before the fee. */
  cost: Usd;
  fee: Usd;
  settlement: Settlement;
};

export type LedgerEntryDraft = { kind: LedgerKind; lines: LedgerLine[] };

export function ledgerStateOf(settlement: Settlement): LedgerState {
  if (settlement === 'confirmed') return 'settled';
  return settlement === 'failed' ? 'undone' : 'matched';
}

/**
 * `booked`: the lines of all entries that the fill has. `call`: what kind of call of a contract it is part of; null of what was traded.
 * @returns null where the ledger has it already
 */
export function entryOfFill(
  fill: FillToBook,
  booked: readonly LedgerLine[],
  call: LedgerKind | null,
): LedgerEntryDraft | null {
  const state = ledgerStateOf(fill.settlement);
  const taken = booked.map((line) => ({ ...line, amount: -line.amount }));
  const lines = balanced(summed([...linesOf(fill, state), ...taken]));
  if (lines.length === 0) return null;
  const isCorrected = state !== 'undone' && isTraded(summed(booked)) && isTraded(lines);
  return { kind: call ?? (isCorrected ? 'correction' : state), lines };
}

function isTraded(lines: readonly LedgerLine[]): boolean {
  return lines.some(({ account, amount }) => (account === 'traded' || account === 'fees') && amount !== 0);
}

function linesOf({ side, tokenId, size, cost, fee }: FillToBook, state: LedgerState): LedgerLine[] {
  if (state === 'undone') return [];
  const isHeld = state === 'settled';
  const shares = side === 'buy' ? size : -size;
  const dollars = side === 'buy' ? -cost : cost;
  const venue = venueOf(tokenId);
  return [
    { account: isHeld ? cashAt(venue) : dueAt(venue), unit: USD_UNIT, amount: dollars - fee },
    { account: 'fees', unit: USD_UNIT, amount: fee },
    { account: 'traded', unit: USD_UNIT, amount: -dollars },
    { account: isHeld ? 'shares' : 'receivable', unit: tokenId, amount: shares },
    { account: 'traded', unit: tokenId, amount: -shares },
  ];
}
