import type { Db } from '../runtime/runtime.ts';
import { ownTick } from '../runtime/slices.ts';
import { type AuditRow, CHAIN_START, hashOf } from './record.ts';
import { pagesOfAuditEntries } from './store.ts';

/** `brokenAt`: the first entry that is wrong or missing. `head`: the hash of the last one. */
export type Verdict = { entries: number; head: string | null; brokenAt: number | null };

/**
 * Recomputes the whole chain. It cannot see that the end was cut off, nor that everything from some entry on was hashed
 * again: both show in a `head` that was written down elsewhere.
 */
export async function verifyChain(db: Db): Promise<Verdict> {
  const verdict: Verdict = { entries: 0, head: null, brokenAt: null };
  for await (const rows of pagesOfAuditEntries(db, {})) {
    // Hashing does not give way by itself.
    await ownTick();
    for (const row of rows) {
      verdict.brokenAt ??= problemAt(row, verdict);
      verdict.entries += 1;
      verdict.head = row.hash;
    }
  }
  return verdict;
}

/** While nothing is broken, entry n is the n-th. */
function problemAt(row: AuditRow, { entries, head }: Verdict): number | null {
  const expected = entries + 1;
  if (row.seq !== expected) return Math.min(row.seq, expected);
  return row.hash === hashOf(row, head ?? CHAIN_START) ? null : row.seq;
}
