import { expect, test } from 'vitest';
import { ApiError, SessionOver } from '../calls/api-error.ts';
import { runForEach } from './run-for-each.ts';

const ROWS = ['a', 'b', 'c', 'd'];

function refused(status: number, retryAfter: string | null = null): ApiError {
  return new ApiError({ url: '', status, statusText: '', body: { detail: `refused ${status}` }, retryAfter });
}

/** Runs `each` over the rows; tells what came of it, how long it waited, and what it said of its progress. */
async function run(each: (row: string, key: string) => Promise<unknown>, leave = new AbortController()) {
  const waited: number[] = [];
  const progress: number[] = [];
  const outcome = await runForEach(ROWS, {
    each,
    onProgress: (ended) => progress.push(ended),
    signal: leave.signal,
    wait: async (ms) => void waited.push(ms),
  });
  return { ...outcome, waited, progress };
}

test('goes through all rows, past those that fail', async () => {
  const { done, failed, progress } = await run(async (row) => {
    if (row === 'b') throw refused(409);
  });
  expect(done).toEqual(['a', 'c', 'd']);
  expect(failed.map(({ row }) => row)).toEqual(['b']);
  expect(progress).toEqual([1, 2, 3, 4]);
});

test('asks the same again under the same key when it was asked too often, after as long as the server says', async () => {
  const asked: string[] = [];
  const { done, waited } = await run(async (row, key) => {
    asked.push(`${row} ${key}`);
    if (row === 'c' && asked.length < 5) throw refused(429, asked.length === 3 ? '7' : null);
  });
  expect(done).toEqual(ROWS);
  expect(waited).toEqual([7_000, 1_000]);
  expect(new Set(asked).size).toBe(4);
  expect(asked).toHaveLength(6);
});

test('stops on request, also while it waits, and says what was not done', async () => {
  const leave = new AbortController();
  const { done, failed } = await run(async (row) => {
    if (row !== 'b') return;
    leave.abort();
    throw refused(429);
  }, leave);
  expect([done, failed.map(({ row }) => row)]).toEqual([['a'], ['b']]);
});

test.each([refused(401), new SessionOver()])('ends with the session: %s', async (error) => {
  const asked: string[] = [];
  await run(async (row) => {
    asked.push(row);
    throw error;
  });
  expect(asked).toEqual(['a']);
});
