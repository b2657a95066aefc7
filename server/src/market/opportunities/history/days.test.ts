import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { isLockTimeout } from '../../../platform/database/driver-errors.ts';
import { explainedSteps } from '../../../platform/database/explained-steps.fixture.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { readDraft } from '../draft.ts';
import { insertDrafts } from '../insert-drafts.ts';
import { readOpportunities } from '../store.ts';
import { opportunityPrices } from '../table.ts';
import { DAY_MS, dropOldDays, keptUntil, makeDays, makeDaysAtStart } from './days.ts';
import { dropOldPoints, thinPoints } from './retention.ts';
import { edgeInsert, readPricePoints, readRecent, recordPricePoints } from './store.ts';
import { pricePoints } from './table.ts';

const MINUTE = 60_000;
/** Later than any database is made, whose older history is one partition. */
const TODAY = instantFromIso('2199-03-31T00:00:00Z');
const UNBROKEN = new AbortController().signal;
const after = (ms: number) => instantFromMs(TODAY + ms);

async function addOpportunity({ runtime }: TestRuntime): Promise<string> {
  const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: 'market', outcome: 'Yes' }] }] });
  if (read.kind === 'refused') throw new Error(read.reason);
  const [id = ''] = (await insertDrafts(runtime, [read.draft])).created.values();
  return id;
}

/** The day by whose partition each point is held, or which other one holds it. */
async function heldBy(db: Db): Promise<string[]> {
  const rows = await db
    .select({ partition: sql<string>`substr(tableoid::regclass::text, length('price_points_') + 1)` })
    .from(pricePoints)
    .orderBy(asc(pricePoints.at));
  return rows.map(({ partition }) => partition);
}

async function days(db: Db): Promise<string[]> {
  const { rows } = (await db.execute(
    sql`select substr(relname, length('price_points_') + 1) as day from pg_class where relname ~ '^price_points_\\d{4}_\\d\\d_\\d\\d$' order by 1`,
  )) as unknown as { rows: { day: string }[] };
  return rows.map(({ day }) => day);
}

/** Offers the history a price. */
async function offer(test: TestRuntime, id: string, at: Instant, price: string): Promise<boolean> {
  const { db } = test.runtime;
  const [row] = await readOpportunities(db, [id]);
  if (row === undefined) throw new Error('no such opportunity');
  const judged = { ...row, lastChecked: at, currentPrice: priceFromText(price), lastError: null };
  return (await recordPricePoints(db, [judged])).has(id);
}

describe('the days of the price history', () => {
  it('have their partition before they begin, and a point is of the day in which the price was judged', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    await makeDays(db, after(23 * 60 * MINUTE));
    const made = await days(db);
    expect([made.length, made[0], made.at(-1)]).toEqual([HISTORY_DAYS + 4, '2199_03_01', '2199_04_03']);
    const midnight = DAY_MS;
    for (const [at, price] of [
      [-1, '0.5'],
      [0, '0.5'],
      [10_000, '0.6'],
    ] as const)
      await offer(test, id, after(midnight + at), price);
    expect(await heldBy(db)).toEqual(['2199_03_31', '2199_04_01']);
    const points = await readPricePoints(db, id, after(midnight));
    expect(points.map(({ at }) => at - TODAY - midnight)).toEqual([-1, 10_000]);
    // The daylight saving that begins in Europe on that day makes it no shorter.
    await offer(test, id, after(2 * midnight - 1), '0.5');
    await offer(test, id, after(2 * midnight + MINUTE), '0.6');
    expect(await heldBy(db)).toEqual(['2199_03_31', '2199_04_01', '2199_04_01', '2199_04_02']);
  });

  it('are made for the days on which nothing ran, and the history goes on from what stood before', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    await makeDays(db, TODAY);
    await offer(test, id, TODAY, '0.5');
    const restart = after(20 * DAY_MS);
    await makeDays(db, restart);
    expect((await days(db)).at(-1)).toBe('2199_04_23');
    expect(await offer(test, id, restart, '0.5')).toBe(false);
    expect((await readPricePoints(db, id, restart)).map(({ at }) => at)).toEqual([TODAY]);
    const [recent] = await readRecent(db, [id], restart);
    expect(new Set(recent?.profit_percentages)).toEqual(new Set([null]));
    expect(await offer(test, id, restart, '0.6')).toBe(true);
    expect(await heldBy(db)).toEqual(['2199_03_31', '2199_04_20']);
  });

  it('know after many days that a trigger is on already', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    await makeDays(db, TODAY);
    const [row] = await readOpportunities(db, [id]);
    if (row === undefined) throw new Error('no such opportunity');
    await db.update(opportunityPrices).set({ triggered: true }).where(eq(opportunityPrices.opportunityId, id));
    await db.execute(edgeInsert({ ...row, triggered: true }, TODAY));
    await makeDays(db, after(9 * DAY_MS));
    expect(await offer(test, id, after(9 * DAY_MS), '0.5')).toBe(true);
    const points = await readPricePoints(db, id, TODAY);
    expect(points.map(({ isEdge }) => isEdge)).toEqual([true, false]);
  });

  it('go as whole partitions once they are too old, and what is of no day of its own row by row', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    // Before there were partitions, in one of its own, and in none of a day.
    await offer(test, id, instantFromIso('2020-01-01T00:00:00Z'), '0.5');
    await offer(test, id, after(-DAY_MS), '0.6');
    await makeDays(db, TODAY);
    for (const [day, price] of [
      [0, '0.5'],
      [1, '0.6'],
      [2, '0.5'],
    ] as const)
      await offer(test, id, after(day * DAY_MS), price);
    expect(await heldBy(db)).toEqual(['before', 'default', '2199_03_31', '2199_04_01', '2199_04_02']);
    const now = after((HISTORY_DAYS + 1) * DAY_MS + MINUTE);
    await dropOldDays(db, now);
    expect(await days(db)).toEqual(['2199_04_01', '2199_04_02', '2199_04_03']);
    expect(await heldBy(db)).toEqual(['default', '2199_04_01', '2199_04_02']);
    await dropOldPoints(db, now, UNBROKEN);
    expect(await heldBy(db)).toEqual(['2199_04_01', '2199_04_02']);
    // Its day has gone, and an undone deletion brings its points back all the same.
    await db.execute(edgeInsert((await readOpportunities(db, [id]))[0] as never, TODAY));
    expect(await heldBy(db)).toEqual(['default', '2199_04_01', '2199_04_02']);
  });

  it('leave a point without its day in the default partition, and make no partition beside it', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    await makeDays(db, TODAY);
    const late = after(4 * DAY_MS);
    expect(await offer(test, id, late, '0.5')).toBe(true);
    await makeDays(db, late);
    await makeDays(db, late);
    expect((await days(db)).slice(-4)).toEqual(['2199_04_03', '2199_04_05', '2199_04_06', '2199_04_07']);
    expect(await offer(test, id, instantFromMs(late + DAY_MS), '0.6')).toBe(true);
    await thinPoints(db, instantFromMs(late + 3 * DAY_MS), null, UNBROKEN);
    expect(await heldBy(db)).toEqual(['default', '2199_04_05']);
    expect((await readPricePoints(db, id, late)).length).toBe(2);
  });

  it('are made by several processes at once, each only once', async () => {
    await using test = await openTestRuntime();
    const { db, log } = test.runtime;
    const starting = { db, log, clock: { ...test.runtime.clock, now: () => TODAY } };
    await Promise.all([1, 2, 3].map(() => makeDaysAtStart(starting)));
    expect(await days(db)).toHaveLength(HISTORY_DAYS + 4);
  });

  it('wait for a transaction that writes prices only shortly, and hold up none behind it', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    const refused = await db.transaction(async (tx) => {
      await tx.update(opportunityPrices).set({ errorCount: 1 }).where(eq(opportunityPrices.opportunityId, id));
      return await makeDays(db, TODAY).catch((error: unknown) => error);
    });
    expect(isLockTimeout(refused)).toBe(true);
    await makeDays(db, TODAY);
    expect(await days(db)).toHaveLength(HISTORY_DAYS + 4);
  });

  it('are looked into alone, the last one first', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const id = await addOpportunity(test);
    await makeDays(db, TODAY);
    await offer(test, id, after(MINUTE), '0.5');
    const within = (count: number) => sql`select at from price_points where opportunity_id = ${id}::uuid
      and ${keptUntil(after(MINUTE), count)} order by at desc limit 1`;
    const stepsOf = async (count: number) => await explainedSteps(db, within(count));
    const scanned = async (count: number) =>
      (await stepsOf(count)).flatMap((step) => (step['Actual Loops'] > 0 ? (step['Relation Name'] ?? []) : []));
    // What the clock of another process is ahead of this one.
    const ahead = ['price_points_2199_04_01', 'price_points_2199_03_31'];
    expect(await scanned(1)).toEqual(ahead);
    expect(await scanned(HISTORY_DAYS)).toEqual(ahead);
    const planned = (await stepsOf(1)).flatMap((step) => step['Relation Name'] ?? []);
    expect(planned.toSorted()).toEqual([
      'price_points_2199_03_30',
      'price_points_2199_03_31',
      'price_points_2199_04_01',
    ]);
  });
});
