/** Writes what redemptions of ours have taken, and paid, of shares that are in no batch: the contract redeems all there is. */
import { linesOfRedeemed } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ledgerEntries } from './table.ts';

/** Runs in the transaction that records the end of the submission, so that it posts once. `shares`: negative for what left. */
export async function postSurplus(
  tx: Db,
  { id, venue }: { id: string; venue: VenueName },
  surplus: { dollars: number; shares: ReadonlyMap<string, number> },
  at: Instant,
): Promise<void> {
  await tx
    .insert(ledgerEntries)
    .values({ at, kind: 'redeem', lines: linesOfRedeemed(surplus, venue), submissionId: id });
}
