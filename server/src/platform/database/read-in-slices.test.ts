import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readInSlices } from './read-in-slices.ts';

it('yields to the event loop while a long answer of the database is read', async () => {
  const chunks = Array.from({ length: 64 }, () => Buffer.alloc(65_536));
  const answer = Readable.from(chunks, { highWaterMark: chunks.length });
  let read = 0;
  let readInTick = 0;
  let mostInTick = 0;
  answer.on('data', () => {
    read += 1;
    readInTick += 1;
    mostInTick = Math.max(mostInTick, readInTick);
  });
  readInSlices(answer);
  while (!answer.readableEnded) {
    await setImmediate();
    readInTick = 0;
  }
  expect(read).toBe(64);
  expect(mostInTick).toBeLessThanOrEqual(2);
});
