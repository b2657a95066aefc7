import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import { CHAIN_START } from '../../platform/audit/record.ts';
import { EXPORT_PAGE } from '../../platform/database/oldest-first.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ownTick } from '../../platform/runtime/slices.ts';
import { auditHashes, type Block, openBlockHash, writtenDown } from './seal.ts';
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
    const audit = await auditHashes(
      db,
      blocks.map(({ auditSeq }) => auditSeq),
    );
    for (const block of blocks) {
      const { entries, hash } = await readBlock(db, block, verdict.head ?? CHAIN_START);
      const isWhole =
        block.block === verdict.blocks + 1 &&
        block.entries === entries &&
        block.hash === hash &&
        block.auditHash === (block.auditSeq === 0 ? CHAIN_START : audit.get(block.auditSeq)) &&
        (audited.get(block.block) ?? block.hash) === block.hash;
      if (!isWhole) verdict.brokenAt ??= Math.min(block.block, verdict.blocks + 1);
      verdict.blocks += 1;
      verdict.entries += entries;
      verdict.head = block.hash;
    }
    last = end.block;
  }
  const missing = [...audited.keys()].filter((block) => block > verdict.blocks);
  if (missing.length > 0) verdict.brokenAt ??= verdict.blocks + 1;
  const sealed = await db.$count(ledgerEntries, isNotNull(ledgerEntries.block));
  if (sealed !== verdict.entries) verdict.brokenAt ??= verdict.blocks + 1;
  return verdict;
}

/** Recomputes a block from its current entries. */
async function readBlock(db: Db, block: Block, previousHash: string): Promise<{ entries: number; hash: string }> {
  const hash = openBlockHash(block);
  const { id } = ledgerEntries;
  for (let last = 0; ; ) {
    const rows = await db
      .select()
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.block, block.block), gt(id, last)))
      .orderBy(asc(id))
      .limit(EXPORT_PAGE);
    await ownTick();
    hash.add(rows);
    if (rows.length < EXPORT_PAGE) return { entries: hash.added(), hash: hash.end(previousHash) };
    last = rows.at(-1)?.id ?? last;
  }
}
