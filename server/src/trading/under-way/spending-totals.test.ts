import { readFileSync } from 'node:fs';
import path from 'node:path';
import { costOfPart, mayTake, unreportedOf } from '@dutchbook/engine/order/under-way.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { keepResults } from '../../books/report/keep-results.ts';
import { migrationsFolder } from '../../folders.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { attempts, batches, batchOrders, fills, spendingTotals, UNDECIDED_ATTEMPTS } from '../orders/table.ts';
import { type LimitUse, limitUse } from './limit-use.ts';
import { keepOlderSpending } from './spending-totals.ts';

const HOUR_MS = 3_600_000;
const STEPS = 80;
const ENDED_ATTEMPTS = ['matched', 'canceled', 'failed'] as const;
const { partitions } = onlyEngine();

/** Whole numbers below `below`, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0) as Usd;

/** The spending computed from all rows, one by one. */
async function addedUp(db: Db, now: Instant, exceptId: string | null): Promise<LimitUse> {
  const all = await db.select().from(batches);
  const counted = new Map(
    all.filter(({ id, simulated }) => !simulated && id !== exceptId).map((batch) => [batch.id, batch]),
  );
  const [tried, made, ordered] = [
    await db.select().from(attempts),
    await db.select().from(fills),
    await db.select().from(batchOrders),
  ];
  const [today, held]: [number[], number[]] = [[], []];
  for (const order of ordered) {
    const batch = counted.get(order.batchId);
    if (batch === undefined || order.side === 'sell') continue;
    const isHeld = batch.status !== 'sold' && batch.soldAt === null;
    const own = tried
      .filter(({ orderId }) => orderId === order.id)
      .map((attempt) => {
        const reported = made.filter(({ attemptId }) => attemptId === attempt.id);
        const { price, status, sentAt, feeRate } = attempt;
        const size = unreportedOf(attempt, reported);
        const spent = reported.filter(({ settlement }) => settlement !== 'failed').map(({ cost, fee }) => cost + fee);
        const more = mayTake({ ...order, size, price, feeRate: feeRate ?? order.feeRate });
        const isToday = sentAt === null ? status === 'prepared' : sentAt >= startOfUtcDay(now);
        return { more, spent: sum(spent), isToday };
      });
    const left = Math.max(0, order.filledSize - order.soldSize - order.goneSize) as Shares;
    const cost = left > 0 ? costOfPart((order.filledCost + order.fee) as Usd, left, order.filledSize) : 0;
    const unsigned = order.status === 'pending' && own.length === 0 ? [mayTake(order)] : [];
    today.push(...unsigned, ...own.flatMap(({ isToday, spent, more }) => (isToday ? [spent, more] : [])));
    if (isHeld) held.push(...unsigned, ...own.map(({ more }) => more), cost);
  }
  return { placedToday: sum(today), openExposure: sum(held) };
}

/** One change of one batch, in the way of a transaction of the batch runner. */
async function change({ runtime }: TestRuntime, batchId: string, next: (below: number) => number): Promise<void> {
  const { db, random, clock } = runtime;
  const now = clock.now();
  const oneOf = <Value>(values: readonly Value[]) => values[next(values.length)] as Value;
  await db.transaction(async (tx) => {
    await tx.select().from(batches).where(eq(batches.id, batchId)).for('update');
    const order = oneOf(await tx.select().from(batchOrders).where(eq(batchOrders.batchId, batchId)));
    const tried = await tx.select().from(attempts).where(eq(attempts.orderId, order.id));
    const attempt = tried.length === 0 || next(4) === 0 ? null : oneOf(tried);
    const status = oneOf([...UNDECIDED_ATTEMPTS, ...ENDED_ATTEMPTS, ...ENDED_ATTEMPTS, ...ENDED_ATTEMPTS]);
    const sentAt = status === 'prepared' ? null : ((now - next(50) * HOUR_MS) as Instant);
    if (attempt === null) {
      const id = random.uuid();
      const times = { createdAt: now, updatedAt: now, sentAt };
      const { size, price } = order;
      await tx.insert(attempts).values({
        id,
        batchId,
        orderId: order.id,
        orderHash: id,
        salt: '',
        payload: '',
        size,
        price,
        feeRate: oneOf([null, 20_000 as Fraction]),
        status,
        ...times,
      });
    } else if (next(3) === 0) {
      const size = (1 + next(5_000_000)) as Shares;
      const amounts = { size, cost: next(2_000_000) as Usd, fee: next(9) as Usd, price: order.price };
      const settlement = oneOf(['matched', 'confirmed', 'failed'] as const);
      const { id: attemptId, orderHash } = attempt;
      await tx
        .insert(fills)
        .values({
          tradeId: String(next(3)),
          orderHash,
          attemptId,
          batchId,
          ...amounts,
          settlement,
          matchedAt: now,
          createdAt: now,
        })
        .onConflictDoUpdate({ target: [fills.tradeId, fills.orderHash], set: { ...amounts, settlement } });
    } else {
      const matchedSize = oneOf([null, 0, 0, 9_000_000]) as Shares | null;
      await tx.update(attempts).set({ status, matchedSize, sentAt }).where(eq(attempts.id, attempt.id));
    }
    const filledSize = next(10_000_000) as Shares;
    await tx
      .update(batchOrders)
      .set({
        ...{
          filledSize,
          soldSize: next(filledSize + 1) as Shares,
          goneSize: oneOf([0, next(filledSize + 1)]) as Shares,
          filledCost: next(4_000_000) as Usd,
          fee: next(99) as Usd,
        },
        status: oneOf(['pending', 'open', 'partially_filled', 'filled', 'canceled'] as const),
      })
      .where(eq(batchOrders.id, order.id));
    await tx
      .update(batches)
      .set({
        resultsDue: true,
        status: oneOf(['processing', 'completed', 'completed', 'failed', 'retry_pending', 'sold'] as const),
      })
      .where(eq(batches.id, batchId));
  });
}

/** The stored sums equal what adding up gives, with each batch left out too, all as of one moment. */
async function expectExact({ runtime }: TestRuntime, batchIds: readonly string[], step: string): Promise<void> {
  const now = runtime.clock.now();
  await runtime.db.transaction(
    async (tx) => {
      for (const own of [null, ...batchIds.slice(0, 2)])
        expect(await limitUse(tx, now, own ?? undefined), `${step}, without ${own}`).toEqual(
          await addedUp(tx, now, own),
        );
    },
    { isolationLevel: 'repeatable read' },
  );
}

const keepAll = async ({ runtime }: TestRuntime) => {
  while (await keepResults({ runtime, quotes: { current: () => [] }, partitions }));
  await keepOlderSpending(runtime.db, null);
};
const isKept = async ({ runtime }: TestRuntime) =>
  (await runtime.db.select({ kept: batches.spendingKept }).from(batches)).map(({ kept }) => kept);

/** Nothing more can come of these. */
async function end({ runtime: { db } }: TestRuntime, ids: readonly string[]): Promise<void> {
  const matched = { status: 'matched' as const, matchedSize: null };
  await db
    .update(attempts)
    .set(matched)
    .where(inArray(attempts.batchId, [...ids]));
  await db
    .update(batchOrders)
    .set({ status: 'filled' })
    .where(inArray(batchOrders.batchId, [...ids]));
  await db
    .update(batches)
    .set({ status: 'completed', resultsDue: true })
    .where(inArray(batches.id, [...ids]));
}

/** Anything that may happen next. */
async function happen(test: TestRuntime, ids: string[], next: (below: number) => number): Promise<void> {
  const { db, clock } = test.runtime;
  const what = ids.length < 3 ? 0 : next(12);
  if (what === 0) ids.push(await recordedBatch(test, next(5) === 0 ? { ORDER_SIMULATION_ENABLED: true } : {}));
  else if (what === 1) await test.time.advance(7 * HOUR_MS);
  else if (what < 5) await keepAll(test);
  // As a version leaves it that knows nothing of what is kept.
  else if (what === 5) await db.update(batches).set({ resultsDue: false });
  else if (what === 6)
    await db
      .update(batches)
      .set({ soldAt: clock.now() })
      .where(eq(batches.id, ids[0] ?? ''));
  else await change(test, ids[next(ids.length)] ?? '', next);
}

describe('what ended batches spent', () => {
  it.each([1, 2, 3])('is kept as it would be added up, whatever happens to them (history %i)', async (seed) => {
    await using test = await openTestRuntime();
    const next = numbers(seed);
    const ids: string[] = [];
    let keptSoFar = 0;
    for (let step = 0; step < STEPS; step += 1) {
      await happen(test, ids, next);
      await expectExact(test, ids, `step ${step}`);
      keptSoFar += (await isKept(test)).filter(Boolean).length;
    }
    // How many depends on the random ids of the batches; without any the comparison would prove nothing.
    expect(keptSoFar).toBeGreaterThan(0);
  });

  it('is right at any moment while several write and several keep it', async () => {
    await using test = await openTestRuntime();
    const ids = await Promise.all(Array.from({ length: 6 }, () => recordedBatch(test)));
    const writing = ids.map(async (id, index) => {
      const next = numbers(100 + index);
      for (let time = 0; time < 25; time += 1) await change(test, id, next);
    });
    let isOver = false;
    const keeping = [1, 2].map(async () => {
      while (!isOver) await keepAll(test);
    });
    const reading = (async () => {
      for (let time = 0; !isOver; time += 1) await expectExact(test, ids, `reading ${time}`);
    })();
    await Promise.all(writing);
    isOver = true;
    await Promise.all([...keeping, reading]);
    await end(test, ids);
    await keepAll(test);
    expect(await isKept(test)).toEqual(ids.map(() => true));
    await expectExact(test, ids, 'at the end');
  });

  it('is summed by the migration in a database of an earlier version', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const next = numbers(4);
    const ids: string[] = [];
    for (let step = 0; step < STEPS / 2; step += 1) await happen(test, ids, next);
    await end(test, ids.slice(2));
    for (const reset of [sql`delete from kept_spending`, sql`delete from kept_spending_totals`])
      await db.execute(reset);
    await db.execute(sql`update batches set spending_kept = true, results_due = false`);
    const filling = ['0032_kept_spending.sql', '0048_gone_is_not_held.sql'].flatMap((name) => {
      const migration = readFileSync(path.join(migrationsFolder, name), 'utf8');
      return migration.split('--> statement-breakpoint').filter((each) => /^(insert|update) /im.test(each));
    });
    for (const statement of filling) await db.execute(sql.raw(statement));
    expect((await isKept(test)).toSorted()).toEqual(expect.arrayContaining([false, true]));
    await expectExact(test, ids, 'migrated');
    for (let step = 0; step < STEPS / 4; step += 1) {
      await happen(test, ids, next);
      await expectExact(test, ids, `step ${step}`);
    }
  });

  it('is found batch by batch where an earlier version has left it, and taken back with the first change', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const ids = [await recordedBatch(test), await recordedBatch(test)];
    const held = { filledSize: sharesFromText('10'), filledCost: 4_000_000 as Usd, status: 'filled' as const };
    await db.update(batchOrders).set(held);
    await db.update(batches).set({ status: 'completed', resultsDue: false });
    expect(await isKept(test)).toEqual([false, false]);
    expect((await limitUse(db, test.runtime.clock.now())).openExposure).toBe(16_000_000);
    await keepAll(test);
    expect(await isKept(test)).toEqual([true, true]);
    expect(await db.select().from(spendingTotals)).toEqual([{ part: 'held', total: 16_000_000 }]);
    expect((await limitUse(db, test.runtime.clock.now())).openExposure).toBe(16_000_000);
    await db.execute(sql`update batches set lease_token = lease_token + 1`);
    expect(await isKept(test)).toEqual([true, true]);
    await db
      .update(batchOrders)
      .set({ soldSize: sharesFromText('5') })
      .where(eq(batchOrders.batchId, ids[0] ?? ''));
    await db
      .update(batches)
      .set({ resultsDue: true })
      .where(eq(batches.id, ids[0] ?? ''));
    expect((await isKept(test)).toSorted()).toEqual([false, true]);
    expect((await limitUse(db, test.runtime.clock.now())).openExposure).toBe(12_000_000);
  });
});
