import { setImmediate } from 'node:timers/promises';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { stringify } from 'csv-stringify/sync';
import type { StoredOpportunity } from '../store.ts';
import { defuse } from './formula-cells.ts';

/** The columns that import reads, then what is known of each opportunity. */
const COLUMNS: readonly [string, (row: StoredOpportunity) => string][] = [
  ['market_combinations', (row) => JSON.stringify(row.marketCombinations)],
  ['target_price', (row) => microToText(row.targetPrice)],
  ['active', (row) => String(row.active)],
  ['source', (row) => defuse(row.source ?? '')],
  ['source_details', (row) => defuse(row.sourceDetails ?? '')],
  ['id', (row) => row.id],
  ['created_at', (row) => instantToIso(row.createdAt)],
  ['current_price', (row) => (row.currentPrice === null ? '' : microToText(row.currentPrice))],
  ['profit_percentage', (row) => (row.profitPercentage === null ? '' : microToText(row.profitPercentage))],
  ['triggered', (row) => String(row.triggered)],
  ['last_checked', (row) => (row.lastChecked === null ? '' : instantToIso(row.lastChecked))],
  ['last_error', (row) => defuse(row.lastError ?? '')],
];

/** Rows written before others have their turn: each may hold fifty positions. */
const ROWS_PER_PIECE = 20;

/** The file in pieces of some rows, so that its size never stands in memory. Importing it again changes nothing. */
export async function* exportCsv(
  pages: AsyncIterable<StoredOpportunity[]>,
  now: (rows: StoredOpportunity[]) => StoredOpportunity[],
): AsyncGenerator<string> {
  yield lines([COLUMNS.map(([name]) => name)]);
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += ROWS_PER_PIECE) {
      const rows = now(page.slice(from, from + ROWS_PER_PIECE));
      yield lines(rows.map((row) => COLUMNS.map(([, cell]) => cell(row))));
      await setImmediate();
    }
  }
}

/** Every cell in quotes: a lone carriage return or a blank at the edge is content, not layout. */
function lines(records: string[][]): string {
  return stringify(records, { quoted: true, quoted_empty: false, record_delimiter: '\r\n' });
}
