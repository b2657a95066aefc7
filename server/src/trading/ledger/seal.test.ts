import { createHash } from 'node:crypto';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readBalances } from './balances.ts';
import { sealEntries, writeDownHead } from './seal.ts';
import { ledgerBlocks, ledgerEntries } from './table.ts';
import { verifyBlocks } from './verify.ts';

async function post({ runtime: { db, clock } }: TestRuntime, amounts: readonly number[]): Promise<void> {
  const lines = (amount: number) => [
    { account: 'cash' as const, unit: 'usd', amount },
    { account: 'outside' as const, unit: 'usd', amount: -amount },
  ];
  await db
    .insert(ledgerEntries)
    .values(amounts.map((amount) => ({ at: clock.now(), kind: 'deposit' as const, lines: lines(amount) })));
}

/** Does what the owner of the table could. */
async function tamper({ runtime: { db } }: TestRuntime, table: string, change: string): Promise<void> {
  await db.execute(sql.raw(`alter table ${table} disable trigger user`));
  await db.execute(sql.raw(change));
  await db.execute(sql.raw(`alter table ${table} enable trigger user`));
}

const HELD = [
  { account: 'cash', unit: 'usd', amount: 10 },
  { account: 'outside', unit: 'usd', amount: -10 },
];

describe('sealing the ledger', () => {
  it('folds every entry into the balances once, however many seal at the same time', async () => {
    await using test = await openTestRuntime();
    await post(test, [1, 2, 3]);
    await Promise.all([sealEntries(test.runtime), sealEntries(test.runtime)]);
    await post(test, [4]);
    expect(await readBalances(test.runtime.db)).toEqual(HELD);
    await sealEntries(test.runtime);
    expect(await readBalances(test.runtime.db)).toEqual(HELD);
    const blocks = await test.runtime.db.select().from(ledgerBlocks).orderBy(asc(ledgerBlocks.block));
    expect(blocks.map(({ block, entries }) => [block, entries])).toEqual([
      [1, 3],
      [2, 1],
    ]);
    const head = blocks[1]?.hash;
    expect(await verifyBlocks(test.runtime.db)).toEqual({ blocks: 2, entries: 4, head, brokenAt: null });
  });

  it('hashes a block of many entries, read in pages, as one JSON array', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await post(
      test,
      Array.from({ length: 250 }, (_, nth) => nth),
    );
    await sealEntries(test.runtime);
    const [block] = await db.select().from(ledgerBlocks);
    const rows = await db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
    const at = instantToIso(test.runtime.clock.now());
    const entries = rows.map(({ id, lines }) => [
      ...[id, at, 'deposit', lines.map(({ account, unit, amount }) => [account, unit, amount])],
      ...[null, null, null, null, null, null, null],
    ]);
    const parts = JSON.stringify([1, at, 0, '0'.repeat(64), entries, '0'.repeat(64)]);
    const hash = createHash('sha256').update(parts).digest('hex');
    expect(block).toMatchObject({ block: 1, entries: 250, hash });
    expect(await verifyBlocks(db)).toEqual({ blocks: 1, entries: 250, head: hash, brokenAt: null });
  });

  it.each([
    [
      'an amount',
      'ledger_entries',
      `update ledger_entries set lines = replace(lines::text, '2', '9')::jsonb where id = 2`,
    ],
    ['the end of an entry', 'ledger_entries', 'delete from ledger_entries where id = 2'],
    [
      'an entry that was put in',
      'ledger_entries',
      `insert into ledger_entries (at, kind, lines, block) values (now(), 'deposit', '[]', 2)`,
    ],
    ['a block', 'ledger_blocks', `update ledger_blocks set hash = 'x' where block = 2`],
    ['the end of a block', 'ledger_blocks', 'delete from ledger_blocks where block = 2'],
    ['the audit log', 'audit_log', `update audit_log set hash = 'x' where seq = 1`],
  ])('shows where %s was changed', async (_, table, change) => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await post(test, [1]);
    await sealEntries(test.runtime);
    await test.time.advance(3_600_000);
    await writeDownHead(test.runtime);
    await post(test, [2]);
    await sealEntries(test.runtime);
    await post(test, [3]);
    await sealEntries(test.runtime);
    expect(await verifyBlocks(db)).toMatchObject({ brokenAt: null });
    await tamper(test, table, change);
    expect((await verifyBlocks(db)).brokenAt).toBe(2);
  });

  it('shows by the audit log that everything was hashed again, or cut off', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await post(test, [1]);
    await sealEntries(test.runtime);
    await writeDownHead(test.runtime);
    expect(await db.$count(auditLog)).toBe(0);
    await test.time.advance(3_600_000);
    await writeDownHead(test.runtime);
    await writeDownHead(test.runtime);
    const [written, ...more] = await db.select().from(auditLog);
    expect(more).toEqual([]);
    const [block] = await db.select().from(ledgerBlocks);
    expect(written).toMatchObject({
      action: 'ledger.sealed',
      object: '1',
      actor: 'system',
      after: { block: 1, hash: block?.hash },
    });
    await tamper(test, 'ledger_blocks', 'delete from ledger_blocks');
    await tamper(test, 'ledger_entries', 'update ledger_entries set block = null');
    expect((await verifyBlocks(db)).brokenAt).toBe(1);
    await sealEntries(test.runtime);
    expect((await verifyBlocks(db)).brokenAt).toBe(1);
  });

  it('leaves no way to change an entry or a block', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await post(test, [1, 2]);
    const refused = async (change: string) =>
      await expect(db.execute(sql.raw(change)).catch((error: Error) => Promise.reject(error.cause))).rejects.toThrow(
        'the ledger is append-only',
      );
    await refused(`update ledger_entries set kind = 'withdrawal'`);
    await refused(`update ledger_entries set kind = 'withdrawal', block = 1`);
    await refused('delete from ledger_entries');
    await refused('truncate ledger_entries');
    await sealEntries(test.runtime);
    await refused('update ledger_entries set block = null where id = 1');
    await refused('update ledger_entries set block = 7 where id = 1');
    await refused('update ledger_blocks set entries = 7');
    await refused('delete from ledger_blocks');
    await refused('truncate ledger_blocks');
    expect(await db.select().from(ledgerEntries).where(eq(ledgerEntries.block, 1))).toHaveLength(2);
  });
});
