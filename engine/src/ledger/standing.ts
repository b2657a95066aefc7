/** The net lines of a trade that was taken back, or reported again with other amounts, dated by its first entry. */
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { type LedgerLine, summed } from './entry.ts';

export type TradeEntry = { id: number; kind: LedgerKind; lines: readonly LedgerLine[] };

/** `entries`: all of one trade, in the order of their ids. @returns by id the lines that stand in the place of an entry's own */
export function standingOf(entries: readonly TradeEntry[]): Map<number, LedgerLine[]> {
  const standing = new Map<number, LedgerLine[]>(entries.map(({ id }) => [id, []]));
  const left = entries.slice(entries.findLastIndex(({ kind }) => kind === 'undone') + 1);
  const [first] = left;
  if (first !== undefined) standing.set(first.id, summed(left.flatMap(({ lines }) => lines)));
  return standing;
}
