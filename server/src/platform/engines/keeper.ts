/** What is to be done once for the account, one engine of all does. */
import type { PartitionClaim, Partitions } from './partitions.ts';

const KEEPERS_PARTITION = 0;
/** An id that lies in that partition; no opportunity has it. */
const IN_KEEPERS_PARTITION = '00000000-0000-0000-0000-000000000000';

export function isKeeper(partitions: Pick<Partitions, 'held'>): boolean {
  return partitions.held()?.includes(KEEPERS_PARTITION) ?? true;
}

/** Null where there is nobody to whom it would have to be proven. */
export function keepersClaim(partitions: Pick<Partitions, 'claimOf'>): PartitionClaim | null {
  return partitions.claimOf(IN_KEEPERS_PARTITION);
}
