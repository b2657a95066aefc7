import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readInSlices } from './read-in-slices.ts';

it('lets others have their turn while a long answer of the database is read', async () => {
  const chunks = Array.from({ length: 64 }, () => Buffer.alloc(65_536));
  const answer = Readable.from(chunks, { highWaterMark: chunks.length });
  let read = 0;
  let readInTurn = 0;
  let mostInTurn = 0;
  answer.on('data', () => {
    read += 1;
    readInTurn += 1;
    mostInTurn = Math.max(mostInTurn, readInTurn);
  });
  readInSlices(answer);
  while (!answer.readableEnded) {
    await setImmediate();
    readInTurn = 0;
  }
  expect(read).toBe(64);
  expect(mostInTurn).toBeLessThanOrEqual(2);
});
