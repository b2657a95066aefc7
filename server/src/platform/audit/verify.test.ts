import { createHash } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import type { Actor } from '../http/signed-in.ts';
import type { Db } from '../runtime/runtime.ts';
import { type Action, type AuditRow, CHAIN_START, hashOf, recordAction } from './record.ts';
import { auditLog } from './table.ts';
import { type Verdict, verifyChain } from './verify.ts';

const ADA: Actor = { id: '11111111-1111-4111-8111-111111111111', email: 'ada@example.com', address: '192.0.2.7' };

function record({ runtime }: TestRuntime, action: Action, actor = ADA): Promise<void> {
  return runtime.db.transaction((tx) => recordAction(tx, runtime, actor, action));
}

/** Three entries, without the trigger that refuses to change them. */
async function forgeable(): Promise<TestRuntime> {
  const test = await openTestRuntime();
  await record(test, { action: 'item.created', object: 'a', after: { title: 'One' } });
  await record(test, { action: 'item.changed', object: 'a', before: { title: 'One' }, after: { title: 'Two' } });
  await record(test, { action: 'item.deleted', object: 'a', before: { title: 'Two' } });
  for (const trigger of ['audit_log_append_only', 'audit_log_not_truncated'])
    await test.runtime.db.execute(sql`drop trigger ${sql.identifier(trigger)} on audit_log`);
  return test;
}

/** What is found while a forgery stands; it is undone again. */
async function verdictAfter({ runtime }: TestRuntime, forge: (tx: Db) => Promise<unknown>): Promise<Verdict> {
  const seen: Verdict[] = [];
  const undone = new Error('undone');
  const tried = runtime.db.transaction(async (tx) => {
    await forge(tx);
    seen.push(await verifyChain(tx));
    throw undone;
  });
  await expect(tried).rejects.toBe(undone);
  const [verdict] = seen;
  if (!verdict) throw new Error('nothing was verified');
  return verdict;
}

async function rows(db: Db) {
  return await db.select().from(auditLog).orderBy(asc(auditLog.seq));
}

describe('the chain of the audit log', () => {
  it('stands where it was not touched, and is empty to begin with', async () => {
    await using test = await openTestRuntime();
    expect(await verifyChain(test.runtime.db)).toEqual({ entries: 0, head: null, brokenAt: null });
    await record(test, { action: 'item.deleted', object: 'a' });
    const [only] = await rows(test.runtime.db);
    expect(await verifyChain(test.runtime.db)).toEqual({ entries: 1, head: only?.hash, brokenAt: null });
  });

  it('shows that any column was changed', async () => {
    await using test = await forgeable();
    for (const [column, value] of [
      ['at', sql`at + interval '1 millisecond'`],
      ['actor_id', sql`'22222222-2222-4222-8222-222222222222'`],
      ['actor_id', sql`null`],
      ['actor', sql`'eve@example.com'`],
      ['actor', sql`null`],
      ['address', sql`'192.0.2.8'`],
      ['action', sql`'item.deleted'`],
      ['object', sql`'b'`],
      ['before', sql`null`],
      ['before', sql`'{"title": "Zero"}'::jsonb`],
      ['before', sql`to_jsonb(before::text)`],
      ['after', sql`after || '{"more": null}'::jsonb`],
      ['hash', sql`repeat('a', 64)`],
    ] as const) {
      const change = sql`update audit_log set ${sql.identifier(column)} = ${value} where seq = 2`;
      const verdict = await verdictAfter(test, (tx) => tx.execute(change));
      expect(verdict, column).toMatchObject({ entries: 3, brokenAt: 2 });
    }
  });

  it('shows an entry that was removed, moved, put in or hashed anew', async () => {
    await using test = await forgeable();
    const { db } = test.runtime;
    const [first, second, third] = await rows(db);
    if (!first || !second || !third) throw new Error('there are three entries');
    const remove = (seq: number) => verdictAfter(test, (tx) => tx.delete(auditLog).where(eq(auditLog.seq, seq)));
    expect(await remove(1)).toMatchObject({ entries: 2, brokenAt: 1 });
    expect(await remove(2)).toMatchObject({ entries: 2, brokenAt: 2 });
    expect(await remove(3)).toMatchObject({ entries: 2, head: second.hash, brokenAt: null });
    const moved = (tx: Db) => tx.update(auditLog).set({ seq: 4 }).where(eq(auditLog.seq, 3));
    expect(await verdictAfter(test, moved)).toMatchObject({ brokenAt: 3 });
    const before = (tx: Db) => tx.insert(auditLog).values({ ...first, seq: 0 });
    expect(await verdictAfter(test, before)).toMatchObject({ entries: 4, brokenAt: 0 });
    const behind = (tx: Db) => tx.insert(auditLog).values({ ...third, seq: 4 });
    expect(await verdictAfter(test, behind)).toMatchObject({ entries: 4, brokenAt: 4 });
    const forged = { ...second, actor: 'eve@example.com' };
    const hashed = { ...forged, hash: hashOf(forged, first.hash) };
    const rehashed = (tx: Db) => tx.update(auditLog).set(hashed).where(eq(auditLog.seq, 2));
    expect(await verdictAfter(test, rehashed)).toMatchObject({ brokenAt: 3 });
    expect(await verifyChain(db)).toMatchObject({ entries: 3, brokenAt: null });
  });

  it('is read page by page, and still finds what lies pages down', async () => {
    await using test = await forgeable();
    const { db } = test.runtime;
    const [, , third] = await rows(db);
    if (!third) throw new Error('there are three entries');
    const more: AuditRow[] = [];
    for (let last = third; last.seq < 1203; more.push(last)) {
      const next = { ...last, seq: last.seq + 1 };
      last = { ...next, hash: hashOf(next, last.hash) };
    }
    await db.insert(auditLog).values(more);
    expect(await verifyChain(db)).toEqual({ entries: 1203, head: more.at(-1)?.hash, brokenAt: null });
    await db.delete(auditLog).where(eq(auditLog.seq, 1100));
    expect(await verifyChain(db)).toMatchObject({ entries: 1202, brokenAt: 1100 });
  });

  it('cannot be changed, shortened or emptied by accident', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await record(test, { action: 'item.deleted', object: 'a' });
    const refused = { cause: { message: 'the audit log is append-only' } };
    await expect(db.update(auditLog).set({ object: 'b' })).rejects.toMatchObject(refused);
    await expect(db.delete(auditLog)).rejects.toMatchObject(refused);
    await expect(db.execute(sql`truncate audit_log`)).rejects.toMatchObject(refused);
    expect(await verifyChain(db)).toMatchObject({ entries: 1, brokenAt: null });
  });

  it('has no gap after twenty actions at once, nor after one that was undone', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const lost = runtime.db.transaction(async (tx) => {
      await recordAction(tx, runtime, ADA, { action: 'item.deleted', object: 'never' });
      throw new Error('undone');
    });
    const actions = Array.from({ length: 20 }, (_, n) => record(test, { action: 'item.created', object: `${n}` }));
    await expect(lost).rejects.toThrow('undone');
    await Promise.all(actions);
    const stored = await rows(runtime.db);
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(new Set(stored.map(({ object }) => object))).toEqual(new Set(Array.from({ length: 20 }, (_, n) => `${n}`)));
    expect(await verifyChain(runtime.db)).toMatchObject({ entries: 20, brokenAt: null });
  });

  it('outlasts what the database makes of JSON: its numbers, its order of keys, its empty things', async () => {
    await using test = await openTestRuntime();
    const awkward = {
      numbers: [0.1, 0.30000000000000004, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, -0, 9007199254740991],
      texts: ['', 'Zoë \u{1F600}  ', '\u2028', '"\\/', '\t\n', '123', 'null', '{}'],
      nested: { zz: { b: 1, a: [{ y: null, x: {} }] }, a: [], 10: true, 9: false, é: 1, Z: 2, '': 3, __proto: 4 },
      nothing: {},
    };
    await record(test, { action: 'settings.changed', before: awkward, after: {} });
    await record(test, { action: 'settings.changed', before: {}, after: awkward }, { ...ADA, id: null, email: null });
    expect(await verifyChain(test.runtime.db)).toMatchObject({ entries: 2, brokenAt: null });
  });

  it('is computed as the contract describes it', async () => {
    await using test = await openTestRuntime();
    await record(test, { action: 'item.changed', object: 'a', before: { b: 1, a: [] }, after: { b: 2, a: [0.1] } });
    const [entry] = await rows(test.runtime.db);
    const text =
      `[1,"2026-01-01T00:00:00.000Z","${ADA.id}","ada@example.com","192.0.2.7","item.changed","a",` +
      `{"a":[],"b":1},{"a":[0.1],"b":2},"${CHAIN_START}"]`;
    expect(entry?.hash).toBe(createHash('sha256').update(text).digest('hex'));
  });
});
