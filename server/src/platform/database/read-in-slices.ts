import type { Readable } from 'node:stream';
import { sliced } from '../runtime/slices.ts';

/** An answer of the database is parsed as it arrives, and JSON in it takes longest. */
const BYTES_PER_SLICE = 131_072;

/** Left alone, Node reads what has arrived at a socket in up to 32 chunks per tick. */
export function readInSlices(stream: Readable): void {
  const slices = sliced(BYTES_PER_SLICE);
  stream.on('data', (chunk: Buffer) => {
    const nextTick = slices.spend(chunk.length);
    if (nextTick === undefined) return;
    stream.pause();
    void nextTick.then(() => stream.resume());
  });
}
