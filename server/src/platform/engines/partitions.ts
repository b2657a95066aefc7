/** What an engine proves of a partition before it acts for an opportunity in it: that it holds it, as it did when it decided. */
export type PartitionClaim = { partition: number; owner: string; token: number };

/** The part of all opportunities that is this process's to follow and to buy. */
export type Partitions = {
  owns: (opportunityId: string) => boolean;
  /** Null where it has all of them. */
  held: () => readonly number[] | null;
  /** Null where one process runs alone. */
  claimOf: (opportunityId: string) => PartitionClaim | null;
  /** Calls back after partitions have come or gone, with those that came. @returns what ends it */
  onChange: (react: (gained: readonly number[]) => void) => () => void;
};
