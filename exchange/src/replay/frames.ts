import { complement } from '@dutchbook/units/price.ts';
import type { RecordedRow } from './recording.ts';

/** What was one frame on the wire: a level of both tokens of its market, a level of one, or a trade. */
export type RecordedFrame = readonly [RecordedRow] | readonly [RecordedRow, RecordedRow];

/** Whether two rows are the two halves of one frame: the same change seen from either token. */
function isMirror(row: RecordedRow, next: RecordedRow): boolean {
  return (
    row.kind === 'level' &&
    next.kind === 'level' &&
    row.isAlone === undefined &&
    next.isAlone === undefined &&
    row.tokenId !== next.tokenId &&
    row.at === next.at &&
    row.size === next.size &&
    row.side !== next.side &&
    next.price === complement(row.price)
  );
}

/** Puts the rows back together into frames; a half frame at a chunk's end waits for the next chunk. */
export async function* framesOf(chunks: AsyncIterable<readonly RecordedRow[]>): AsyncGenerator<RecordedFrame[]> {
  let half: RecordedRow | undefined;
  for await (const rows of chunks) {
    const frames: RecordedFrame[] = [];
    for (const row of rows) {
      if (half !== undefined && isMirror(half, row)) {
        frames.push([half, row]);
        half = undefined;
      } else {
        if (half !== undefined) frames.push([half]);
        half = row;
      }
    }
    yield frames;
  }
  if (half !== undefined) yield [[half]];
}
