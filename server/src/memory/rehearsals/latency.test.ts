import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { result } from '../../books/report/result.fixture.ts';
import { batchResults } from '../../books/report/table.ts';
import { openJournalWriter } from '../../market/decision-journal/write.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readLatency } from './run-real-batches.ts';

const ENOUGH = 20;

/** Batches that were decided at the venue, of which each took so long to be matched. */
async function bought({ runtime: { db, clock, random } }: TestRuntime, venue: string, count: number, ms: number) {
  const at = clock.now();
  const ids = Array.from({ length: count }, () => random.uuid());
  await db.insert(batchResults).values(ids.map((id) => result(id, at, { matchedAt: instantFromMs(at + ms) })));
  const noted = ids.map((batchId, nth) => ({
    ...{ at: instantFromMs(at + nth) as Instant, topic: 'decision' as const, subject: 'one' },
    data: { rises: nth, begunAt: at, line: '', batchId, account: null, activeBatchId: null, bookAges: [] },
  }));
  await openJournalWriter(db, venue).write(noted);
}

it('takes as the time to a venue what batches of ours have taken there, and not at another', async () => {
  await using test = await openTestRuntime();
  await bought(test, 'simulated', ENOUGH, 40);
  await bought(test, 'polymarket', ENOUGH - 1, 900);
  const { db } = test.runtime;
  expect(await readLatency(db, 'simulated')).toEqual({ measuredMs: 40, pessimisticMs: 40, isOwn: true });
  expect(await readLatency(db, 'polymarket')).toMatchObject({ measuredMs: 300, isOwn: false });
  await bought(test, 'polymarket', 1, 900);
  expect(await readLatency(db, 'polymarket')).toMatchObject({ measuredMs: 900, isOwn: true });
});
