import { instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { defuse } from '../../../platform/csv/formula-cells.ts';
import { ownTick } from '../../../platform/runtime/slices.ts';
import type { StoredOpportunity } from '../store.ts';

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

/** Written per tick of the event loop: a row may hold one or fifty. */
const POSITIONS_PER_PIECE = 1000;

/** The file in pieces of some rows, so that its size never stands in memory. Importing it again changes nothing. */
export async function* exportCsv(
  pages: AsyncIterable<StoredOpportunity[]>,
  now: (rows: StoredOpportunity[]) => StoredOpportunity[],
): AsyncGenerator<string[][]> {
  yield [COLUMNS.map(([name]) => name)];
  for await (const page of pages) {
    for (const piece of piecesOf(page)) {
      await ownTick();
      yield now(piece).map((row) => COLUMNS.map(([, cell]) => cell(row)));
    }
  }
}

function piecesOf(rows: readonly StoredOpportunity[]): StoredOpportunity[][] {
  const pieces: StoredOpportunity[][] = [];
  let left = 0;
  for (const row of rows) {
    const positions = row.marketCombinations.length;
    if (positions > left) {
      pieces.push([]);
      left = POSITIONS_PER_PIECE;
    }
    pieces.at(-1)?.push(row);
    left -= positions;
  }
  return pieces;
}
