/** The statement: a row for each line of the entries, oldest first, and at its end the total of each account. */
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { cashAt, dueAt, type LedgerAccount, type LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { csvPieces } from '../../platform/csv/csv-pieces.ts';
import { defuse } from '../../platform/csv/formula-cells.ts';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type ExportedEntry, newestEntry, type Period, pagesOfLedger } from './export-pages.ts';
import { ledgerEntries } from './table.ts';

/** With an account or a unit only those lines of the entries. */
export type StatementFilter = Period & {
  kind?: LedgerKind | undefined;
  account?: LedgerAccount | undefined;
  unit?: string | undefined;
  venue?: VenueName | undefined;
  batch_id?: string | undefined;
  submission_id?: string | undefined;
};

const COLUMNS = [
  ...['row', 'entry', 'at', 'kind', 'account', 'unit', 'amount', 'market_name', 'outcome', 'batch_id', 'order_id'],
  ...['trade_id', 'submission_id', 'transaction_hash', 'stated_by', 'reason', 'block', 'sender', 'names_entry'],
] as const;

export async function* exportStatement(db: Db, filter: StatementFilter): AsyncGenerator<string[][]> {
  const totals = new Map<string, LedgerLine>();
  yield* csvPieces([[...COLUMNS]]);
  for await (const page of pagesOfLedger(db, await newestEntry(db), filter, conditionOf(filter))) {
    const records = page.flatMap((entry) => {
      const lines = entry.lines.filter((line) => isWanted(line, filter));
      for (const line of lines) add(totals, line);
      return lines.map((line) => recordOf(entry, line));
    });
    yield* csvPieces(records);
  }
  const inOrder = [...totals.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  yield* csvPieces(inOrder.map((line) => padded(['total', '', '', '', ...cellsOf(line)])));
}

export function conditionOf({ kind, account, unit, venue, batch_id, submission_id }: StatementFilter): SQL | undefined {
  const { lines, batchId, submissionId } = ledgerEntries;
  const line = JSON.stringify([{ ...(account && { account }), ...(unit !== undefined && { unit }) }]);
  const isOfLine = account !== undefined || unit !== undefined;
  return and(
    kind && eq(ledgerEntries.kind, kind),
    isOfLine ? sql`${lines} @> ${line}::jsonb` : undefined,
    venue && hasMovedAt(venue),
    batch_id === undefined ? undefined : eq(batchId, batch_id),
    submission_id === undefined ? undefined : eq(submissionId, submission_id),
  );
}

/** An entry moves what is at one venue alone: its cash is named by its account, a token by its id. */
function hasMovedAt(venue: VenueName): SQL {
  const [account, unit] = [sql`line ->> 'account'`, sql`line ->> 'unit'`];
  const isDollars = sql`${unit} in ('usd', 'pol') and ${account} in (${cashAt(venue)}, ${dueAt(venue)})`;
  const isShares = sql`${unit} not in ('usd', 'pol') and ${venueIn(sql`(${unit})`)} = ${venue}`;
  return sql`exists (select from jsonb_array_elements(${ledgerEntries.lines}) line where (${isDollars}) or (${isShares}))`;
}

function isWanted(line: LedgerLine, { account, unit }: StatementFilter): boolean {
  return (account === undefined || line.account === account) && (unit === undefined || line.unit === unit);
}

function add(totals: Map<string, LedgerLine>, line: LedgerLine): void {
  const key = keyOf(line);
  totals.set(key, { ...line, amount: (totals.get(key)?.amount ?? 0) + line.amount });
}

function keyOf({ account, unit }: LedgerLine): string {
  return `${account} ${unit}`;
}

function recordOf(entry: ExportedEntry, line: LedgerLine): string[] {
  const { id, at, kind, marketName, outcome, batchId, orderId, tradeId, submissionId, block } = entry;
  const { transactionHash, statedBy, reason, sender, namesEntryId } = entry;
  const isOfOrder = line.unit === entry.tokenId || line.unit === 'usd';
  const names = isOfOrder ? [marketName, outcome] : [null, null];
  const texts = [...names, batchId, orderId, tradeId, submissionId, transactionHash, statedBy, reason];
  return [
    ...['entry', String(id), instantToIso(at), kind, ...cellsOf(line)],
    ...texts.map((text) => defuse(text ?? '')),
    block === null ? '' : String(block),
    sender ?? '',
    namesEntryId === null ? '' : String(namesEntryId),
  ];
}

/** An amount below zero begins like a formula, and is none. */
function cellsOf({ account, unit, amount }: LedgerLine): string[] {
  return [account, defuse(unit), microToText(amount)];
}

function padded(cells: string[]): string[] {
  return [...cells, ...Array.from({ length: COLUMNS.length - cells.length }, () => '')];
}
