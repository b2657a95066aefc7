import type { Readable } from 'node:stream';
import { sliced } from '../runtime/slices.ts';

/** An answer of the database is parsed as it arrives, and JSON in it takes longest. */
const BYTES_PER_SLICE = 131_072;

/** Left alone, Node reads what has arrived at a socket in up to 32 chunks before anybody else has a turn. */
export function readInSlices(stream: Readable): void {
  const slices = sliced(BYTES_PER_SLICE);
  stream.on('data', (chunk: Buffer) => {
    const turn = slices.spend(chunk.length);
    if (turn === undefined) return;
    stream.pause();
    void turn.then(() => stream.resume());
  });
}
