/** Entries become blocks, each hashed over its entries, the block before it and the audit log as it was then. */
import { createHash } from 'node:crypto';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { CHAIN_START, recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { lock } from '../../platform/database/locks.ts';
import { insertOf } from '../../platform/database/many-rows.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { ledgerBalances, ledgerBlocks, ledgerEntries } from './table.ts';

type Writer = Pick<Runtime, 'db' | 'clock'>;
export type Block = typeof ledgerBlocks.$inferSelect;
type Entry = typeof ledgerEntries.$inferSelect;

/** Read, added up and hashed in one tick of the event loop. */
const ENTRIES_OF_BLOCK_MAX = 500;
const WRITTEN_DOWN_EVERY_MS = 3_600_000;

/** Seals all that is there. */
export async function sealEntries(runtime: Writer): Promise<void> {
  while (await sealBlock(runtime));
}

/** @returns whether there may be more */
async function sealBlock({ db, clock }: Writer): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    const unsealed = isNull(ledgerEntries.block);
    const entries = await tx
      .select()
      .from(ledgerEntries)
      .where(unsealed)
      .orderBy(asc(ledgerEntries.id))
      .limit(ENTRIES_OF_BLOCK_MAX);
    if (entries.length === 0) return false;
    const last = await lastBlock(tx);
    const [audit] = await tx.select().from(auditLog).orderBy(desc(auditLog.seq)).limit(1);
    const block = {
      block: (last?.block ?? 0) + 1,
      at: clock.now(),
      entries: entries.length,
      auditSeq: audit?.seq ?? 0,
      auditHash: audit?.hash ?? CHAIN_START,
    };
    const ids = entries.map(({ id }) => id);
    await tx
      .update(ledgerEntries)
      .set({ block: block.block })
      .where(sql`${ledgerEntries.id} = any(${sql.param(ids)}::bigint[])`);
    await tx.insert(ledgerBlocks).values({ ...block, hash: hashOfBlock(block, last?.hash ?? CHAIN_START, entries) });
    await fold(tx, entries);
    return entries.length === ENTRIES_OF_BLOCK_MAX;
  });
}

/**
 * SHA-256, hexadecimal, over the JSON array of the block's parts in this order, its entries as arrays by their ids, and the hash of
 * the block before it; the first follows on 64 zeros.
 */
function hashOfBlock(block: Omit<Block, 'hash'>, previousHash: string, entries: readonly Entry[]): string {
  const hash = openBlockHash(block);
  hash.add(entries);
  return hash.end(previousHash);
}

/** The hash of a block whose entries are added some at a time. */
export function openBlockHash({ block, at, auditSeq, auditHash }: Omit<Block, 'hash'>) {
  const hash = createHash('sha256');
  let added = 0;
  hash.update(`${JSON.stringify([block, instantToIso(at), auditSeq, auditHash]).slice(0, -1)},[`);
  return {
    added: () => added,
    add: (entries: readonly Entry[]): void => {
      if (entries.length === 0) return;
      const json = JSON.stringify(entries.map(partsOfEntry)).slice(1, -1);
      hash.update(added === 0 ? json : `,${json}`);
      added += entries.length;
    },
    end: (previousHash: string): string => hash.update(`],${JSON.stringify(previousHash)}]`).digest('hex'),
  };
}

function partsOfEntry({ id, at, kind, lines, batchId, orderId, tradeId, orderHash, ...entry }: Entry): unknown[] {
  const { submissionId, statedBy, reason, transactionHash, sender, namesEntryId } = entry;
  const moved = lines.map(({ account, unit, amount }) => [account, unit, amount]);
  return [
    ...[id, instantToIso(at), kind, moved, batchId, orderId],
    ...[tradeId, orderHash, submissionId, statedBy, reason],
    // Entries without a transaction hash as before that field existed.
    ...(transactionHash === null ? [] : [transactionHash]),
    ...(sender === null ? [] : [{ sender }]),
    ...(namesEntryId === null ? [] : [{ names_entry_id: namesEntryId }]),
  ];
}

async function fold(tx: Db, entries: readonly Entry[]): Promise<void> {
  const lines = entries.flatMap((entry) => entry.lines);
  const byPlace = Map.groupBy(lines, ({ account, unit }) => `${account} ${unit}`);
  const rows = [...byPlace.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, amount: same.reduce((sum, { amount }) => sum + amount, 0) }];
  });
  await tx.execute(sql`${insertOf(ledgerBalances, rows)} on conflict (account, unit)
    do update set amount = ${ledgerBalances.amount} + excluded.amount`);
}

async function lastBlock(db: Db): Promise<Block | null> {
  const [last = null] = await db.select().from(ledgerBlocks).orderBy(desc(ledgerBlocks.block)).limit(1);
  return last;
}

/** Writes the last hash into the audit log, at most once an hour: a forger of a block would have to change that too. */
export async function writeDownHead({ db, clock }: Writer): Promise<void> {
  const head = await lastBlock(db);
  if (head === null) return;
  const written = await lastWrittenDown(db);
  const [next] = await db
    .select({ at: ledgerBlocks.at })
    .from(ledgerBlocks)
    .where(gt(ledgerBlocks.block, written?.block ?? 0))
    .orderBy(asc(ledgerBlocks.block))
    .limit(1);
  const since = written?.at ?? next?.at ?? clock.now();
  if (next === undefined || clock.now() - since < WRITTEN_DOWN_EVERY_MS) return;
  await db.transaction(async (tx) => {
    const after = { block: head.block, hash: head.hash };
    await recordAction(tx, { clock }, THE_SYSTEM, { action: 'ledger.sealed', object: String(head.block), after });
  });
}

async function lastWrittenDown(db: Db) {
  const [last] = await db
    .select({ at: auditLog.at, object: auditLog.object })
    .from(auditLog)
    .where(eq(auditLog.action, 'ledger.sealed'))
    .orderBy(desc(auditLog.seq))
    .limit(1);
  return last === undefined ? null : { at: last.at, block: Number(last.object) };
}

/** The hashes in the audit log, by their blocks. */
export async function writtenDown(db: Db): Promise<{ block: number; hash: string }[]> {
  const rows = await db
    .select({ after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, 'ledger.sealed'))
    .orderBy(asc(auditLog.seq));
  return rows.map(({ after }) => after as { block: number; hash: string });
}

/** Hashes of the audit log at these places. */
export async function auditHashes(db: Db, seqs: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .where(inArray(auditLog.seq, [...seqs]));
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}
