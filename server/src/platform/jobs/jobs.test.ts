import type { Job } from '@dutchbook/contract/jobs.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { checkAllWork, updatePricesWork } from '../../market/opportunities/check-all.ts';
import { opportunities } from '../../market/opportunities/table.ts';
import { openDesk } from '../../market/prices/live-prices.fixture.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { JobWork } from './job-work.ts';
import { startJobs } from './jobs.ts';
import { openQueue } from './queue.ts';

/** Collects what the screen would be shown of jobs. */
function watching() {
  const shown: Job[] = [];
  const hub: StreamHub = { publish: ({ data }) => void shown.push(data as Job), watched: () => true };
  return { hub, shown, last: () => shown.at(-1) };
}

const nothing: JobWork = async () => 'nothing to do';
const unrecorded = async () => {};

describe('background jobs', () => {
  it('run one of a kind at a time: a second call answers the running one', async () => {
    await using test = await openTestRuntime();
    const { hub, last } = watching();
    const finish = Promise.withResolvers<string>();
    const work = { check_all: () => finish.promise, update_prices: nothing };
    const queue = await openQueue(test.runtime);
    const jobs = await startJobs(test.runtime, queue, hub, work);
    const first = await jobs.start('check_all', { active_only: true }, unrecorded);
    expect(await jobs.start('check_all', { active_only: true }, unrecorded)).toEqual({ id: first.id, isNew: false });
    await expect.poll(() => last()).toMatchObject({ id: first.id, status: 'running' });
    expect(await jobs.start('check_all', { active_only: false }, unrecorded)).toEqual({ id: first.id, isNew: false });
    expect(await jobs.start('update_prices', { active_only: false }, unrecorded)).toMatchObject({ isNew: true });
    finish.resolve('Checked 3 opportunities');
    await expect.poll(() => jobs.start('check_all', { active_only: true }, unrecorded)).toMatchObject({ isNew: true });
    await queue.stop();
  });

  it('show how far they have come, and how they ended', async () => {
    await using test = await openTestRuntime();
    const { hub, shown, last } = watching();
    const queue = await openQueue(test.runtime);
    const jobs = await startJobs(test.runtime, queue, hub, {
      update_prices: nothing,
      check_all: async ({ active_only: activeOnly }, { progress }) => {
        progress(1, 2);
        return `active only: ${activeOnly}`;
      },
    });
    await jobs.start('check_all', { active_only: true }, unrecorded);
    await expect.poll(() => last()?.status).toBe('done');
    expect(shown.map(({ status, done, total, message }) => ({ status, done, total, message }))).toEqual([
      { status: 'running', done: 0, total: 0, message: null },
      { status: 'running', done: 1, total: 2, message: null },
      { status: 'done', done: 1, total: 2, message: 'active only: true' },
    ]);
    expect(last()?.finished_at).not.toBeNull();
    await queue.stop();
  });

  it('go on in the next process when theirs stops, and after an error', async () => {
    await using test = await openTestRuntime();
    const { hub, shown, last } = watching();
    const queueBefore = await openQueue(test.runtime);
    const before = await startJobs(test.runtime, queueBefore, hub, {
      update_prices: nothing,
      check_all: (_data, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const { id } = await before.start('check_all', { active_only: true }, unrecorded);
    await expect.poll(() => last()?.status).toBe('running');
    await queueBefore.stop();
    const queueAfter = await openQueue(test.runtime);
    await startJobs(test.runtime, queueAfter, hub, { update_prices: nothing, check_all: async () => 'done at last' });
    await expect.poll(() => last()).toMatchObject({ id, status: 'done', message: 'done at last' });
    expect(shown.some(({ status }) => status === 'failed')).toBe(false);
    await queueAfter.stop();
  });

  it('price every opportunity, and trigger only in a check', async () => {
    await using desk = await openDesk();
    for (const id of ['rain', 'snow']) desk.venue.list(id);
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.90', '500']] }, 'snow:yes': { asks: [['0.90', '500']] } });
    const { live, quotes } = await desk.start();
    await quotes.stop();
    await desk.add(['rain Yes']);
    await desk.add(['snow Yes'], { active: false });
    const run = { progress: vi.fn(), signal: new AbortController().signal };
    const parts = { live, quotes };
    const { runtime } = desk.test;
    expect(await updatePricesWork(runtime, parts)({ active_only: false }, run)).toBe(
      'Updated the prices of 2 opportunities',
    );
    expect(run.progress).toHaveBeenLastCalledWith(2, 2);
    expect(desk.placed).toEqual([]);
    expect(await checkAllWork(runtime, parts)({ active_only: true }, run)).toBe('Checked 1 opportunity');
    expect(desk.placed).toHaveLength(1);
  });

  it('check what is of other venues where one does not answer, say so, and fail where none does', async () => {
    await using desk = await openDesk();
    for (const id of ['rain', 'snow', 'hail']) desk.venue.list(id);
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.90', '500']] }, 'snow:yes': { asks: [['0.90', '500']] } });
    const { live, quotes } = await desk.start();
    await desk.add(['rain Yes']);
    const other = await desk.add(['snow Yes']);
    const { runtime } = desk.test;
    const silent: string[] = ['kalshi'];
    const fresh: typeof quotes.fresh = async (positions, priority) => {
      if (positions.some(({ marketId }) => silent.includes(venueOf(marketId)))) throw new VenueUnavailable('down');
      return await quotes.fresh(positions, priority);
    };
    const [row] = await runtime.db.select().from(opportunities).where(eq(opportunities.id, other.id));
    const marketCombinations = row?.marketCombinations.map(({ leg, markets }) => ({
      leg,
      markets: markets.map((market) => ({ ...market, id: `kalshi:${market.id}` })),
    }));
    await runtime.db.update(opportunities).set({ marketCombinations }).where(eq(opportunities.id, other.id));
    const run = { progress: vi.fn(), signal: new AbortController().signal };
    const check = () => checkAllWork(runtime, { live, quotes: { fresh } })({ active_only: true }, run);
    expect(await check()).toBe('Checked 1 opportunity; the venue of 1 more did not answer');
    expect(run.progress).toHaveBeenLastCalledWith(2, 2);
    silent.push('polymarket');
    await expect(check()).rejects.toThrow('down');
  });

  it('wait for a slot at a venue that takes no more questions, and check all the same', async () => {
    await using desk = await openDesk();
    desk.venue.list('rain');
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.90', '500']] } });
    const { live, quotes } = await desk.start();
    await desk.add(['rain Yes']);
    desk.venue.isBusy = true;
    const run = { progress: vi.fn(), signal: new AbortController().signal };
    const checked = checkAllWork(desk.test.runtime, { live, quotes })({ active_only: true }, run);
    await expect.poll(() => run.progress).toHaveBeenCalledWith(0, 1);
    await desk.test.time.advance(10_000);
    expect(run.progress).not.toHaveBeenCalledWith(1, 1);
    desk.venue.isBusy = false;
    await vi.waitFor(async () => {
      await desk.test.time.advance(2000);
      expect(run.progress).toHaveBeenLastCalledWith(1, 1);
    }, 60_000);
    expect(await checked).toBe('Checked 1 opportunity');
  });
});
