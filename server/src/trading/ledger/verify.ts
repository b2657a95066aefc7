import { setImmediate } from 'node:timers/promises';
import { and, asc, gt, inArray, isNotNull } from 'drizzle-orm';
import { CHAIN_START } from '../../platform/audit/record.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { auditHashes, type Block, hashOfBlock, writtenDown } from './seal.ts';
import { ledgerBlocks, ledgerEntries } from './table.ts';

const BLOCKS_AT_ONCE = 20;

/** `brokenAt`: the first block that is wrong or missing. `head`: the hash of the last one. */
export type Verdict = { blocks: number; entries: number; head: string | null; brokenAt: number | null };

/**
 * Recomputes all blocks. That the end was cut off, or everything hashed again, shows in the hashes that the audit log has, and in a
 * `head` that was written down elsewhere.
 */
export async function verifyBlocks(db: Db): Promise<Verdict> {
  const verdict: Verdict = { blocks: 0, entries: 0, head: null, brokenAt: null };
  const audited = new Map((await writtenDown(db)).map(({ block, hash }) => [block, hash]));
  for (let last = 0; ; ) {
    const blocks = await db
      .select()
      .from(ledgerBlocks)
      .where(gt(ledgerBlocks.block, last))
      .orderBy(asc(ledgerBlocks.block))
      .limit(BLOCKS_AT_ONCE);
    const end = blocks.at(-1);
    if (end === undefined) break;
    await verifyPage(db, blocks, audited, verdict);
    last = end.block;
    // Hashing does not give way by itself.
    await setImmediate();
  }
  const missing = [...audited.keys()].filter((block) => block > verdict.blocks);
  if (missing.length > 0) verdict.brokenAt ??= verdict.blocks + 1;
  const sealed = await db.$count(ledgerEntries, isNotNull(ledgerEntries.block));
  if (sealed !== verdict.entries) verdict.brokenAt ??= verdict.blocks + 1;
  return verdict;
}

async function verifyPage(
  db: Db,
  blocks: readonly Block[],
  audited: ReadonlyMap<number, string>,
  verdict: Verdict,
): Promise<void> {
  const numbers = blocks.map(({ block }) => block);
  const rows = await db
    .select()
    .from(ledgerEntries)
    .where(and(isNotNull(ledgerEntries.block), inArray(ledgerEntries.block, numbers)))
    .orderBy(asc(ledgerEntries.id));
  const entries = Map.groupBy(rows, ({ block }) => block);
  const audit = await auditHashes(
    db,
    blocks.map(({ auditSeq }) => auditSeq),
  );
  for (const block of blocks) {
    const ofBlock = entries.get(block.block) ?? [];
    const isWhole =
      block.block === verdict.blocks + 1 &&
      block.entries === ofBlock.length &&
      block.hash === hashOfBlock(block, verdict.head ?? CHAIN_START, ofBlock) &&
      block.auditHash === (block.auditSeq === 0 ? CHAIN_START : audit.get(block.auditSeq)) &&
      (audited.get(block.block) ?? block.hash) === block.hash;
    if (!isWhole) verdict.brokenAt ??= Math.min(block.block, verdict.blocks + 1);
    verdict.blocks += 1;
    verdict.entries += ofBlock.length;
    verdict.head = block.hash;
  }
}
