import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openQueue } from '../../../platform/jobs/queue.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { readDraft } from '../draft.ts';
import { insertDrafts } from '../insert-drafts.ts';
import { dropOldPoints, thinPoints } from './retention.ts';
import { startHistoryRetention } from './retention-job.ts';
import { pricePoints } from './table.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
/** When a test runtime begins. */
const NOW = instantFromIso('2026-01-01T00:00:00Z');
const UNBROKEN = new AbortController().signal;

const ago = (ms: number) => instantFromMs(NOW - ms);

async function addOpportunities({ runtime }: TestRuntime, count: number): Promise<string[]> {
  const drafts = Array.from({ length: count }, (_, index) => {
    const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: `market-${index}`, outcome: 'Yes' }] }] });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(runtime, drafts);
  return [...created.values()];
}

async function addPoints({ runtime }: TestRuntime, opportunityId: string, instants: Instant[], edges: Instant[] = []) {
  const targetPrice = priceFromText('1');
  const point = { opportunityId, currentPrice: null, targetPrice, profitPercentage: null, triggered: false };
  await runtime.db.insert(pricePoints).values(instants.map((at) => ({ ...point, at, isEdge: edges.includes(at) })));
}

/** How long ago the points that are left were, the oldest first. */
async function left({ runtime }: TestRuntime): Promise<number[]> {
  const rows = await runtime.db.select({ at: pricePoints.at }).from(pricePoints).orderBy(asc(pricePoints.at));
  return rows.map(({ at }) => NOW - at);
}

describe('an ageing price history', () => {
  it('keeps every point for a day, then one in five minutes and those where a trigger went on or off', async () => {
    await using test = await openTestRuntime();
    const [one = '', other = ''] = await addOpportunities(test, 2);
    const stretch = 2 * DAY;
    const own = [0, 10, 20, 150, 290].map((seconds) => ago(stretch - seconds * SECOND));
    await addPoints(
      test,
      one,
      [...own, ago(stretch - 310 * SECOND), ago(DAY / 2), ago(DAY / 2 - SECOND)],
      own.slice(3, 4),
    );
    await addPoints(test, other, [ago(stretch - 20 * SECOND)]);
    const thinnedTo = await thinPoints(test.runtime.db, NOW, null, UNBROKEN);
    const kept = [stretch, stretch - 20 * SECOND, stretch - 150 * SECOND, stretch - 310 * SECOND];
    expect(await left(test)).toEqual([...kept, DAY / 2, DAY / 2 - SECOND]);
    // What has aged since is thinned from there on.
    const later = instantFromMs(NOW + DAY);
    await thinPoints(test.runtime.db, later, thinnedTo, UNBROKEN);
    expect(await left(test)).toEqual([...kept, DAY / 2]);
  });

  it('takes more points than one step deletes, and ends between two steps when it is asked to', async () => {
    await using test = await openTestRuntime();
    const [id = ''] = await addOpportunities(test, 1);
    await addPoints(
      test,
      id,
      Array.from({ length: 2500 }, (_, index) => ago(2 * DAY - index)),
    );
    const stopping = AbortSignal.abort(new Error('the process stops'));
    await expect(thinPoints(test.runtime.db, NOW, null, stopping)).rejects.toThrow('the process stops');
    expect(await left(test)).toHaveLength(2500);
    await thinPoints(test.runtime.db, NOW, null, UNBROKEN);
    expect(await left(test)).toEqual([2 * DAY]);
  });

  it('is gone after its days, edges and all', async () => {
    await using test = await openTestRuntime();
    const [id = ''] = await addOpportunities(test, 1);
    const end = HISTORY_DAYS * DAY;
    const [old, young] = [ago(end + MINUTE), ago(end - MINUTE)];
    await addPoints(test, id, [old, young], [old, young]);
    await dropOldPoints(test.runtime.db, NOW, UNBROKEN);
    expect(await left(test)).toEqual([end - MINUTE]);
  });

  it('is seen to by a job: at the start, and every hour', async () => {
    await using test = await openTestRuntime();
    const [id = ''] = await addOpportunities(test, 1);
    await addPoints(test, id, [ago(40 * DAY), ago(2 * DAY), ago(2 * DAY - SECOND)]);
    const queue = await openQueue(test.runtime, { keepsCalendar: true });
    const aged: Instant[] = [];
    await startHistoryRetention(queue, test.runtime, async (_db, now) => void aged.push(now));
    await expect.poll(() => left(test)).toEqual([2 * DAY]);
    await expect.poll(() => aged).toEqual([test.runtime.clock.now()]);
    expect(await queue.boss.getSchedules()).toMatchObject([{ cron: expect.stringMatching(/^\d+ \* \* \* \*$/) }]);
    await queue.stop();
  });
});
