import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReservedEntry } from '@dutchbook/engine/order/reserved.ts';
import { costOfPart, mayTake, unreportedOf } from '@dutchbook/engine/order/under-way.ts';
import type { LimitUse } from '@dutchbook/engine/risk/context.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { migrationsFolder } from '../../folders.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { loadBatch, loadBatches } from '../orders/batch-state.ts';
import { attempts, batches, batchOrders, fills, UNDECIDED_ATTEMPTS } from '../orders/table.ts';
import { startCheckingReserved } from './keep-reserved.ts';
import { limitUse } from './limit-use.ts';
import { entriesOfBatch, foldReserved, reserveAnew, reserveWrites } from './reserve.ts';
import { reservedBalances, reservedEntries } from './table.ts';

const HOUR_MS = 3_600_000;
const STEPS = 80;
const ENDED_ATTEMPTS = ['matched', 'canceled', 'failed'] as const;

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
  const leftOf = (order: (typeof ordered)[number]) =>
    Math.max(0, order.filledSize - order.soldSize - order.goneSize) as Shares;
  const mayPay = (order: (typeof ordered)[number]) =>
    order.resolvedValue !== 0 && leftOf(order) >= 10_000 && leftOf(order) * 20 > order.filledSize;
  const open = new Set(ordered.filter((order) => order.side === 'buy' && mayPay(order)).map(({ batchId }) => batchId));
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
    const left = leftOf(order);
    const cost =
      left > 0 && open.has(order.batchId) && order.resolvedValue !== 0
        ? costOfPart((order.filledCost + order.fee) as Usd, left, order.filledSize)
        : 0;
    const unsigned = order.status === 'pending' && own.length === 0 ? [mayTake(order)] : [];
    today.push(...unsigned, ...own.flatMap(({ isToday, spent, more }) => (isToday ? [spent, more] : [])));
    if (isHeld) held.push(...unsigned, ...own.map(({ more }) => more), cost);
  }
  return { placedToday: sum(today), openExposure: sum(held) };
}

/** One change of one batch, in the way of a transaction of the batch runner; one of an older version reserves nothing. */
async function change(
  { runtime }: TestRuntime,
  batchId: string,
  next: (below: number) => number,
  { isOlder = false } = {},
): Promise<void> {
  const { db, random, clock } = runtime;
  const now = clock.now();
  const oneOf = <Value>(values: readonly Value[]) => values[next(values.length)] as Value;
  await db.transaction(async (tx) => {
    await tx.select().from(batches).where(eq(batches.id, batchId)).for('update');
    const before = await loadBatch(tx, batchId);
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
        reserved: !isOlder,
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
          resolvedValue: oneOf([null, null, 0, 1_000_000]) as Price | null,
        },
        status: oneOf(['pending', 'open', 'partially_filled', 'filled', 'canceled'] as const),
      })
      .where(eq(batchOrders.id, order.id));
    const statuses = ['processing', 'completed', 'completed', 'failed', 'retry_pending', 'sold'] as const;
    await tx
      .update(batches)
      .set({ status: oneOf(statuses) })
      .where(eq(batches.id, batchId));
    const after = await loadBatch(tx, batchId);
    if (before === null || after === null) throw new Error('the batch is gone');
    if (!isOlder) for (const write of reserveWrites(entriesOfBatch(before), after)) await tx.execute(write);
  });
}

/** The balances equal what adding up gives, with each batch left out too, all as of one moment. */
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

/** Each batch has the entries that follow from its rows. */
async function expectReserved({ runtime: { db } }: TestRuntime): Promise<void> {
  const rows = await db.select().from(reservedEntries);
  const lines = (batchId: string, entries: readonly ReservedEntry[]) =>
    entries
      .filter(({ amount }) => amount !== 0)
      .map(({ account, day, amount }) => `${batchId} ${account} ${day} ${amount}`);
  const states = await loadBatches(db, sql`true`);
  expect(rows.flatMap((row) => lines(row.batchId, [row])).toSorted()).toEqual(
    states.flatMap((state) => lines(state.batch.id, entriesOfBatch(state))).toSorted(),
  );
}

/** Anything that may happen next. */
async function happen(test: TestRuntime, ids: string[], next: (below: number) => number): Promise<void> {
  const { db } = test.runtime;
  const what = ids.length < 3 ? 0 : next(12);
  if (what === 0) ids.push(await recordedBatch(test, next(5) === 0 ? { ORDER_SIMULATION_ENABLED: true } : {}));
  else if (what === 1) await test.time.advance(7 * HOUR_MS);
  else if (what < 5) await foldReserved(db);
  else await change(test, ids[next(ids.length)] ?? '', next);
}

describe('money under way', () => {
  it.each([1, 2, 3])('is what all rows add up to, whatever happens to them (history %i)', async (seed) => {
    await using test = await openTestRuntime();
    const next = numbers(seed);
    const ids: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      await happen(test, ids, next);
      await expectExact(test, ids, `step ${step}`);
    }
    await expectReserved(test);
    const { db } = test.runtime;
    expect(await reserveAnew(db, sql`true`)).toBe(0);
    expect(await db.$count(reservedEntries, sql`amount = 0 and folded = 0`)).toBe(0);
    await expectExact(test, ids, 'when it was checked');
  });

  it('is right at any moment while several write and several fold it', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const ids = await Promise.all(Array.from({ length: 6 }, () => recordedBatch(test)));
    const writing = ids.map(async (id, index) => {
      const next = numbers(100 + index);
      for (let time = 0; time < 25; time += 1) await change(test, id, next);
    });
    let isOver = false;
    const folding = [1, 2].map(async () => {
      while (!isOver) await foldReserved(db);
    });
    const reading = (async () => {
      for (let time = 0; !isOver; time += 1) await expectExact(test, ids, `reading ${time}`);
    })();
    await Promise.all(writing);
    isOver = true;
    await Promise.all([...folding, reading]);
    await foldReserved(db);
    await expectExact(test, ids, 'at the end');
    await expectReserved(test);
    expect(await db.$count(reservedEntries, sql`amount <> folded`)).toBe(0);
    // One that came to nothing before it was folded stays until entries are checked.
    expect(await reserveAnew(db, sql`true`)).toBe(0);
    expect(await db.$count(reservedEntries, sql`amount = 0`)).toBe(0);
  });

  it('is reserved by the migration in a database of an earlier version, of what ended and what is under way', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const next = numbers(4);
    const ids: string[] = [];
    for (let step = 0; step < STEPS / 2; step += 1) await happen(test, ids, next);
    await db.delete(reservedEntries);
    await db.delete(reservedBalances);
    const migration = readFileSync(path.join(migrationsFolder, '0050_reserved_entries.sql'), 'utf8');
    for (const statement of migration.split('--> statement-breakpoint').filter((each) => /^insert /im.test(each)))
      await db.execute(sql.raw(statement));
    await expectReserved(test);
    for (let step = 0; step < STEPS / 4; step += 1) {
      await expectExact(test, ids, `step ${step}`);
      await happen(test, ids, next);
    }
  });

  it('counts at once what a process of an earlier version records beside this one', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    const ids = [await recordedBatch(test), await recordedBatch(test)];
    await db.delete(reservedEntries).where(eq(reservedEntries.batchId, ids[0] ?? ''));
    await db
      .update(batches)
      .set({ reserved: false })
      .where(eq(batches.id, ids[0] ?? ''));
    expect(await limitUse(db, clock.now())).toEqual({ placedToday: 16_000_000, openExposure: 16_000_000 });
    const next = numbers(5);
    let attempted = 0;
    for (let time = 0; time < 20; time += 1) {
      await change(test, ids[1] ?? '', next, { isOlder: true });
      const made = await db.$count(attempts);
      // What it changes of an attempt that is known counts once it is checked.
      if (made === attempted) await reserveAnew(db, sql`true`);
      attempted = made;
      await expectExact(test, [], `change ${time}`);
    }
    expect(attempted).toBeGreaterThan(2);
  });

  it('is found free within ten minutes where a process of an earlier version has ended it', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    await recordedBatch(test);
    await db.update(batchOrders).set({ status: 'canceled' });
    await db.update(batches).set({ status: 'canceled' });
    expect(await limitUse(db, clock.now())).toMatchObject({ placedToday: 8_000_000 });
    const stop = startCheckingReserved({ runtime: test.runtime, partitions: onlyEngine().partitions });
    await test.time.advance(600_000);
    expect(await limitUse(db, clock.now())).toEqual({ placedToday: 0, openExposure: 0 });
    await stop();
  });

  it('no longer counts legs that lost long before a process of this version started', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    await recordedBatch(test);
    const days = (clock.now() - 72 * HOUR_MS) as Instant;
    await db
      .update(batchOrders)
      .set({ status: 'filled', filledSize: batchOrders.size, filledCost: 4_000_000 as Usd, resolvedValue: 0 as Price });
    await db.update(batches).set({ status: 'completed', updatedAt: days });
    expect(await limitUse(db, clock.now())).toMatchObject({ openExposure: 8_000_000 });
    const stop = startCheckingReserved({ runtime: test.runtime, partitions: onlyEngine().partitions });
    await test.time.advance(600_000);
    expect(await limitUse(db, clock.now())).toMatchObject({ openExposure: 0 });
    await stop();
  });
});
