import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { KeptBook } from '@dutchbook/engine/book/book.ts';
import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { bookSteps, COUNTED } from './book-steps.fixture.ts';
import { findRecords } from './find-records.ts';
import { recordingFolder } from './recorder.fixture.ts';

const SEEDS = Number(process.env.RECORDING_KILLS ?? 2);
const PROGRAM = path.join(import.meta.dirname, 'test-recording-process.ts');
/** From its first step on. */
const SHORTEST_MS = 3000;
const LONGEST_MS = 6000;
const LOST_MS_MAX = 2000;
const LOST_RECORDS_MAX = 2000;
/** Of a step: of its market and of the counter; what mirrors is not recorded. */
const RECORDS_A_STEP = 2;

/** @returns when each step was noted, in the order of the steps */
async function runUntilKilled(folder: string, seed: number): Promise<number[]> {
  const child = spawn(process.execPath, [PROGRAM, folder, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const noted: number[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => void noted.push(Number(line.split(' ')[1])));
  const ended = once(child, 'exit');
  const closed = once(lines, 'close');
  await Promise.race([once(lines, 'line'), ended]);
  await pause(SHORTEST_MS + ((seed * 7919) % (LONGEST_MS - SHORTEST_MS)));
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await Promise.all([ended, closed]);
  return noted;
}

async function booksIn(folder: string, tokenIds: ReadonlySet<string>, until: number): Promise<RecordedBooks> {
  const books = new RecordedBooks();
  const span = { from: instantFromMs(until - 60_000), until: instantFromMs(until + 60_000) };
  for await (const record of findRecords({ folder, tokenIds, ...span })) books.apply(record);
  return books;
}

describe('a process that is killed while it records', () => {
  it.each(Array.from({ length: SEEDS }, (_, place) => place + 1))(
    'loses at most the last block, and every book before it is right: seed %i',
    async (seed) => {
      using place = recordingFolder();
      const noted = await runUntilKilled(place.folder, seed);
      const truth = new Map<string, KeptBook>();
      const bookOf = (tokenId: string) => {
        const book = truth.get(tokenId) ?? new KeptBook();
        truth.set(tokenId, book);
        return book;
      };
      const steps = bookSteps(seed, bookOf);
      for (let step = 0; step < noted.length; step += 1) steps.next();
      const recorded = await booksIn(place.folder, new Set(truth.keys()), noted.at(-1) ?? 0);
      const kept = recorded.book(COUNTED)?.bids[0]?.size ?? 0;

      const lost = { steps: noted.length - kept, ms: (noted.at(-1) ?? 0) - (noted[kept - 1] ?? 0) };
      expect(kept).toBeGreaterThan(0);
      expect(lost.ms <= LOST_MS_MAX || lost.steps * RECORDS_A_STEP <= LOST_RECORDS_MAX, JSON.stringify(lost)).toBe(
        true,
      );
      truth.clear();
      const again = bookSteps(seed, bookOf);
      for (let step = 0; step < kept; step += 1) again.next();
      for (const [tokenId, { bids, asks }] of truth) expect(recorded.book(tokenId), tokenId).toEqual({ bids, asks });
    },
  );
});
