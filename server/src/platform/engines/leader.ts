/** Work that is done once per account runs in the leader: the engine that holds the first partition. */
import type { PartitionClaim, Partitions } from './partitions.ts';

const LEADER_PARTITION = 0;
/** The claim is asked for by an id of that partition; no opportunity has this one. */
const ID_IN_LEADER_PARTITION = '00000000-0000-0000-0000-000000000000';

export function isLeader(partitions: Pick<Partitions, 'held'>): boolean {
  return partitions.held()?.includes(LEADER_PARTITION) ?? true;
}

/** Null where one process runs alone. */
export function leaderClaim(partitions: Pick<Partitions, 'claimOf'>): PartitionClaim | null {
  return partitions.claimOf(ID_IN_LEADER_PARTITION);
}
