import { ownTick } from '../runtime/slices.ts';

/** Written per tick of the event loop. */
const ROWS_PER_PIECE = 50;

/** The lines of a file piece by piece; the event loop runs in between. */
export async function* csvPieces(records: readonly string[][]): AsyncGenerator<string[][]> {
  for (let at = 0; at < records.length; at += ROWS_PER_PIECE) {
    await ownTick();
    yield records.slice(at, at + ROWS_PER_PIECE);
  }
}
