import { instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { stringify } from 'csv-stringify/sync';
import { defuse } from './formula-cells.ts';
import type { StoredOpportunity } from './store.ts';

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

/** The file in pieces of some hundred rows, so that its size never stands in memory. Importing it again changes nothing. */
export async function* exportCsv(
  pages: AsyncIterable<StoredOpportunity[]>,
  now: (rows: StoredOpportunity[]) => StoredOpportunity[],
): AsyncGenerator<string> {
  yield lines([COLUMNS.map(([name]) => name)]);
  for await (const page of pages) yield lines(now(page).map((row) => COLUMNS.map(([, cell]) => cell(row))));
}

/** Every cell in quotes: a lone carriage return or a blank at the edge is content, not layout. */
function lines(records: string[][]): string {
  return stringify(records, { quoted: true, quoted_empty: false, record_delimiter: '\r\n' });
}
