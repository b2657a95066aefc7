import * as z from 'zod/mini';
import { ownTick } from '../runtime/slices.ts';
import { defuse } from './formula-cells.ts';

/** Written per tick of the event loop. */
const ROWS_PER_PIECE = 50;

/**
 * A file with a column for each of these fields, in pieces, so that its size never stands in memory; each value as the list
 * answers it. `present` makes what is served of a page of what is stored.
 */
export async function* exportRows<Stored, Row extends z.ZodMiniObject>(
  row: Row,
  columns: readonly (keyof Row['shape'] & string)[],
  pages: AsyncIterable<Stored[]>,
  present: (page: Stored[]) => z.output<Row>[] | Promise<z.output<Row>[]>,
): AsyncGenerator<string[][]> {
  yield [[...columns]];
  for await (const stored of pages) {
    const page = await present(stored);
    for (let at = 0; at < page.length; at += ROWS_PER_PIECE) {
      await ownTick();
      const served = z.encode(z.array(row), page.slice(at, at + ROWS_PER_PIECE)) as Record<string, unknown>[];
      yield served.map((fields) => columns.map((column) => cell(fields[column])));
    }
  }
}

/** Only texts can look like a formula: a number below zero begins like one, and is none. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return defuse(JSON.stringify(value));
  return typeof value === 'string' ? defuse(value) : String(value);
}
