/** What the report says of a batch from its order to a trade that is undone, beside what the ledger says of it. */

import type { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import type { listReportDays, readExposure, readFunnel, readReport } from '@dutchbook/contract/report.ts';
import { eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { missedTriggers } from '../../market/prices/table.ts';
import { notifications } from '../../people/notifications/table.ts';
import { pass, recordedBatch, start, until } from '../../trading/execution/runner/runner.fixture.ts';
import { readBalances } from '../../trading/ledger/balances.ts';
import { ledgerEntries } from '../../trading/ledger/table.ts';
import { batches } from '../../trading/orders/table.ts';
import { keepResults } from './keep-results.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { batchResults, legResults } from './table.ts';

const TEN_MINUTES_MS = 600_000;

async function keep({ test: { runtime } }: ReportSite): Promise<void> {
  while (await keepResults({ runtime, quotes: { current: () => [] }, partitions: { held: () => null } }));
}

/** What the report says of all that there is. */
async function reported(site: ReportSite, batchId: string) {
  const { days } = await site.ask<z.input<typeof listReportDays.reply>>('days?by=lock');
  const { paid_usd, locked_usd, at_risk_usd } = await site.ask<z.input<typeof readReport.reply>>('summary');
  const { batch } = await site.ask<z.input<typeof readBatchResult.reply>>(`batches/${batchId}`);
  const { events } = await site.ask<z.input<typeof readExposure.reply>>('exposure');
  return {
    days: days.map(({ day, locked_usd: locked }) => [day, locked]),
    profit: [paid_usd, locked_usd, at_risk_usd],
    spent: batch.cost_usd - batch.received_usd,
    exposure: events.map((event) => [event.capital_usd, event.at_risk_usd]),
  };
}

/** Dollars that trading has taken, by the ledger. */
async function spentByLedger({ test }: ReportSite): Promise<number> {
  const balances = await readBalances(test.runtime.db);
  const spent = balances.filter(({ account, unit }) => unit === 'usd' && (account === 'traded' || account === 'fees'));
  return spent.reduce((sum, { amount }) => sum + amount, 0) / 1_000_000;
}

it('takes a trade that is undone ten minutes later off the profit, the batch, the exposure and the ledger, and tells of it, once each', async () => {
  await using site = await openReportSite({ VENUE: 'simulated' });
  const { db } = site.test.runtime;
  const first = await start(site.test);
  const { venue } = first;
  const batchId = await recordedBatch(site.test);
  venue.onPost((order) => venue.take(order));
  first.placing.wake(batchId);
  await until(site.test, batchId, ({ fills }) => fills.length === 2);
  const [stays = '', undone = ''] = venue.orders.keys();
  venue.settle(stays, 'confirmed');
  venue.settle(undone, 'mined');
  await until(site.test, batchId, ({ fills }) => fills.every(({ settlement }) => settlement !== 'matched'));
  await keep(site);
  expect(await reported(site, batchId)).toEqual({
    // It is of no day before all of it is confirmed.
    days: [],
    profit: [0, 2, 0],
    spent: 8,
    exposure: [[8, 0]],
  });
  expect(await spentByLedger(site)).toBe(8);
  await first.placing.stop();
  await site.test.time.advance(TEN_MINUTES_MS);
  const later = await start(site.test, venue);
  venue.settle(undone, 'failed');
  await until(site.test, batchId, ({ fills }) => fills.some(({ settlement }) => settlement === 'failed'));
  await pass(site.test, 30_000);
  for (let time = 0; time < 2; time += 1) {
    await keep(site);
    expect(await reported(site, batchId)).toEqual({
      days: [],
      profit: [0, 0, 4],
      spent: 4,
      exposure: [[4, 4]],
    });
    expect(await spentByLedger(site)).toBe(4);
    expect(await db.$count(ledgerEntries, eq(ledgerEntries.kind, 'undone'))).toBe(1);
    const notified = await db.select({ message: notifications.message }).from(notifications);
    expect(notified.filter(({ message }) => message.includes('failed to settle'))).toHaveLength(1);
    // As if everything were recomputed.
    await db.update(batches).set({ resultsDue: true });
  }
  await later.placing.stop();
});

it('says of a batch and its legs, and of what was missed and placed, what holds at one moment', async () => {
  await using site = await openReportSite({ VENUE: 'simulated' });
  const { db, priorityDb } = site.test.runtime;
  const { venue, placing } = await start(site.test);
  const batchId = await recordedBatch(site.test);
  venue.onPost((order) => venue.take(order));
  placing.wake(batchId);
  await until(site.test, batchId, ({ fills }) => fills.length === 2);
  await keep(site);
  await placing.stop();
  const read = async () => {
    const { batch, legs } = await site.ask<z.input<typeof readBatchResult.reply>>(`batches/${batchId}`);
    return [batch.cost_usd, ...legs.map(({ paid_usd }) => paid_usd)];
  };
  const counted = async () => (await site.ask<z.input<typeof readFunnel.reply>>('funnel')).steps[0]?.count;
  expect([await read(), await counted()]).toEqual([[8, 4, 4], 1]);
  /** What `asked` answers that has to wait for `table` while `writes` are committed. */
  const whileWritten = async <Answer>(table: PgTable, asked: () => Promise<Answer>, ...writes: SQL[]) => {
    const answer = await priorityDb.transaction(async (tx) => {
      await tx.execute(sql`lock table ${table} in access exclusive mode`);
      const reading = asked();
      const waiting = sql`select 1 from pg_locks where not granted and relation = ${getTableName(table)}::regclass`;
      await expect
        .poll(async () => ((await db.execute(waiting)) as unknown as { rows: unknown[] }).rows.length)
        .toBe(1);
      for (const write of writes) await tx.execute(write);
      // Not waited for here: it answers once this is committed.
      return { reading };
    });
    return await answer.reading;
  };
  const dearer = [sql`update ${batchResults} set paid = paid * 2`, sql`update ${legResults} set paid = paid * 2`];
  expect(await whileWritten(legResults, read, ...dearer)).toEqual([8, 4, 4]);
  expect(await read()).toEqual([16, 8, 8]);
  const missed = sql`insert into ${missedTriggers} (id, at, opportunity_id, event_id, profit)
    select batch_id, triggered_at, batch_id, event_id, 0 from ${batchResults}`;
  expect(await whileWritten(missedTriggers, counted, missed, sql`delete from ${batchResults}`)).toBe(1);
  expect(await counted()).toBe(1);
});
