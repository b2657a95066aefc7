import { setImmediate } from 'node:timers/promises';
import { csvLines } from './csv-lines.ts';

/** Written before others have their turn. */
const ROWS_PER_PIECE = 100;

/** The lines of a file piece by piece, between which others have their turn. */
export async function* csvPieces(records: readonly string[][]): AsyncGenerator<string> {
  for (let at = 0; at < records.length; at += ROWS_PER_PIECE) {
    yield csvLines(records.slice(at, at + ROWS_PER_PIECE));
    await setImmediate();
  }
}
