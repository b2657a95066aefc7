import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { takeNext } from './rehearsal-lease.ts';
import { startRehearsing } from './rehearsal-loop.ts';
import { NOTHING_FOUND } from './result.fixture.ts';
import { addRehearsal, cancelRehearsal, deleteRehearsal, readRehearsal } from './store.ts';
import { rehearsals } from './table.ts';

const THREAD = { program: new URL('./worker.fixture.ts', import.meta.url), megabytes: 100 };
const ADA = { id: null, email: 'ada@example.com', address: '192.0.2.7' };
const HOUR_MS = 3_600_000;

/** The thread takes time of its own, so both pass. */
async function until(test: TestRuntime, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await test.time.advance(500);
    await pause(10);
  }
}

async function add({ runtime }: TestRuntime): Promise<string> {
  const now = runtime.clock.now();
  const span = { from: (now - HOUR_MS) as typeof now, until: now };
  const { id } = await addRehearsal(runtime, ADA, { ...span, changes: {}, assumePlacing: false });
  return id;
}

const stateOf = async ({ runtime }: TestRuntime, id: string) => (await readRehearsal(runtime, id)).state;
const isIn = (test: TestRuntime, id: string, state: string) => async () => (await stateOf(test, id)) === state;

describe('carrying out rehearsals', () => {
  it('runs those that wait one after the other, the oldest first, and keeps what they find', async () => {
    await using test = await openTestRuntime();
    const first = await add(test);
    await test.time.advance(1);
    const second = await add(test);
    const stop = startRehearsing(test.runtime, 'finds', THREAD);
    await until(test, isIn(test, first, 'done'));
    expect(await readRehearsal(test.runtime, first)).toMatchObject({
      progress: 1,
      error: null,
      result: { latency: NOTHING_FOUND.latency },
    });
    await until(test, isIn(test, second, 'done'));
    const ends = [await readRehearsal(test.runtime, first), await readRehearsal(test.runtime, second)];
    expect(ends[0]?.ended_at).toBeLessThanOrEqual(ends[1]?.ended_at ?? 0);
    await stop();
  });

  it('says how far one has come, and ends one that would never end within a second of its being canceled', async () => {
    await using test = await openTestRuntime();
    const id = await add(test);
    await test.time.advance(1);
    const next = await add(test);
    const stop = startRehearsing(test.runtime, 'hangs', THREAD);
    await until(test, async () => (await readRehearsal(test.runtime, id)).progress === 0.25);
    expect(await stateOf(test, next)).toBe('queued');
    await cancelRehearsal(test.runtime, ADA, id);
    await test.time.advance(1000);
    expect(await stateOf(test, id)).toBe('canceled');
    expect(await stateOf(test, next)).toBe('running');
    await deleteRehearsal(test.runtime, ADA, next);
    await test.time.advance(500);
    await stop();
  });

  it('fails one that breaks, says why, and goes on with the next', async () => {
    await using test = await openTestRuntime();
    const id = await add(test);
    const next = await add(test);
    const stop = startRehearsing(test.runtime, 'breaks', THREAD);
    await until(test, isIn(test, id, 'failed'));
    await until(test, isIn(test, next, 'failed'));
    expect(await readRehearsal(test.runtime, id)).toMatchObject({
      error: 'The recordings cannot be read',
      result: null,
      ended_at: expect.any(Number),
    });
    await stop();
  });

  it.each([
    ['grows', 'It needs more memory than a rehearsal may take. Choose a shorter span.'],
    ['does nothing', 'It ended without a result.'],
  ])('fails one that %s, and says why', async (folder, error) => {
    await using test = await openTestRuntime();
    const id = await add(test);
    const stop = startRehearsing(test.runtime, folder, THREAD);
    await until(test, isIn(test, id, 'failed'));
    expect(await readRehearsal(test.runtime, id)).toMatchObject({ error, result: null });
    await stop();
  });

  it('begins one anew once whose process died, and gives it up after that', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const id = await add(test);
    expect(await takeNext(runtime, 'one that dies')).toMatchObject({ id });
    expect(await takeNext(runtime, 'another')).toBeNull();
    await time.advance(10_001);
    expect(await takeNext(runtime, 'another that dies')).toMatchObject({ id });
    await time.advance(10_001);
    expect(await takeNext(runtime, 'a third')).toBeNull();
    expect(await readRehearsal(runtime, id)).toMatchObject({
      state: 'failed',
      error: 'The product ended 2 times while it ran.',
    });
  });

  it('lets one wait again that is running when the product stops, as if it had not been begun', async () => {
    await using test = await openTestRuntime();
    const id = await add(test);
    const stop = startRehearsing(test.runtime, 'hangs', THREAD);
    await until(test, isIn(test, id, 'running'));
    await stop();
    const [row] = await test.runtime.db.select().from(rehearsals).where(eq(rehearsals.id, id));
    expect(row).toMatchObject({ state: 'queued', attempts: 0, owner: null, progress: 0 });
  });
});

describe('the thread of a rehearsal', () => {
  it('knows nothing of a span of which nothing was recorded', async () => {
    await using test = await openTestRuntime();
    const id = await add(test);
    const stop = startRehearsing(test.runtime, test.runtime.config.dataDir);
    await until(test, async () => (await readRehearsal(test.runtime, id)).ended_at !== null);
    const { error, result, from, until: end } = await readRehearsal(test.runtime, id);
    expect([error, result]).toEqual([null, expect.objectContaining({ records: 0, differences: 0 })]);
    expect(result?.unknown).toEqual([{ from, until: end, reason: expect.any(String) }]);
    await stop();
  });
});
