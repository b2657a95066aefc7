import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { pass, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { batches, fills } from '../orders/table.ts';
import { postOlderFills } from './post-fills.ts';
import { ledgerEntries } from './table.ts';

const MINUTE_MS = 60_000;

async function entriesOf({ runtime: { db } }: TestRuntime) {
  return await db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
}

function balance(entries: readonly { lines: LedgerLine[] }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { account, unit, amount } of entries.flatMap(({ lines }) => lines)) {
    const place = `${account} ${unit}`;
    sums.set(place, (sums.get(place) ?? 0) + amount);
  }
  return new Map([...sums].filter(([, amount]) => amount !== 0));
}

describe('the ledger of what is traded', () => {
  it('gets an entry in the transaction that records a fill, and one reversing entry when it is undone later', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test, {}, ['101']);
    venue.onPost((order) => venue.take(order, sharesFromText('4')));
    placing.wake(batchId);
    await until(test, batchId, ({ fills: reported }) => reported.length === 1);
    const [matched, ...more] = await entriesOf(test);
    expect(more).toEqual([]);
    expect(matched).toMatchObject({ kind: 'matched', batchId });
    await placing.stop();
    await test.time.advance(10 * MINUTE_MS);
    const later = await start(test, venue);
    venue.settle([...venue.orders.keys()][0] ?? '', 'failed');
    await until(test, batchId, ({ fills: reported }) => reported[0]?.settlement === 'failed');
    await pass(test, 5000);
    const entries = await entriesOf(test);
    expect(entries.map(({ kind }) => kind)).toEqual(['matched', 'undone']);
    expect(balance(entries)).toEqual(new Map());
    expect(await test.runtime.db.select({ inLedger: fills.inLedger }).from(fills)).toEqual([{ inLedger: 'undone' }]);
    await later.placing.stop();
  });

  it('takes up once what versions before it recorded', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const batchId = await boughtBefore(test);
    await Promise.all([postOlderFills(db), postOlderFills(db)]);
    await postOlderFills(db);
    const entries = await entriesOf(test);
    expect(entries).toMatchObject([{ kind: 'matched', batchId }]);
    expect(balance(entries)).toEqual(
      new Map([
        ['receivable usd', -1_600_000],
        ['traded usd', 1_600_000],
        ['receivable 101', 4_000_000],
        ['traded 101', -4_000_000],
      ]),
    );
  });

  it('has nothing of what is only simulated', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const batchId = await boughtBefore(test);
    await db.update(batches).set({ simulated: true }).where(eq(batches.id, batchId));
    expect(await postOlderFills(db)).toBe(false);
    expect(await entriesOf(test)).toEqual([]);
    expect(await db.select({ inLedger: fills.inLedger }).from(fills)).toEqual([{ inLedger: 'simulated' }]);
  });
});

/** A fill of 4 shares for $1.60, as versions before the ledger leave it. */
async function boughtBefore(test: TestRuntime): Promise<string> {
  const { db } = test.runtime;
  const { venue, placing } = await start(test);
  const batchId = await recordedBatch(test, {}, ['101']);
  venue.onPost((order) => venue.take(order, sharesFromText('4')));
  placing.wake(batchId);
  await until(test, batchId, ({ fills: reported }) => reported.length === 1);
  await placing.stop();
  // Entries cannot be deleted otherwise.
  await db.execute('alter table ledger_entries disable trigger user');
  await db.delete(ledgerEntries);
  await db.update(fills).set({ inLedger: null }).where(eq(fills.batchId, batchId));
  return batchId;
}
