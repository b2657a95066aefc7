/** Which partition of the opportunities each is in, and which engine has which partitions. Nothing here knows of a database. */
import { createHash } from 'node:crypto';

/** Enough that some dozen engines get about the same, and few enough to look at all of them every second. */
export const PARTITIONS = 64;

export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** Partition by the last digits of the id: equal in every process, without a query. */
export function partitionOf(opportunityId: string): number {
  return Number.parseInt(opportunityId.slice(-2), 16) % PARTITIONS;
}

/**
 * `id` with its last two digits taken from `key`: what has one key is in one partition, so that an engine follows the books of
 * few events whole and not some books of most.
 */
export function inPartitionOf(key: string, id: string): string {
  return id.slice(0, -2) + createHash('sha256').update(key).digest('hex').slice(0, 2);
}

/** The last two digits of all ids in these partitions. */
export function endingsOf(partitions: readonly number[]): string[] {
  return Array.from({ length: 256 / PARTITIONS }, (_, nth) =>
    partitions.map((partition) => (partition + nth * PARTITIONS).toString(16).padStart(2, '0')),
  ).flat();
}

/** Which partitions an engine is to let go of, and which are free for it. */
export type Moves = { give: number[]; take: number[] };

/**
 * What `me`, one of the `alive`, has to do so that all have the same number of partitions, or one more. All who look at the
 * same owners decide on moves that fit together, and on none at all once the partitions are even. A partition whose owner is not
 * alive is free.
 */
export function movesOf(me: string, alive: readonly string[], owners: ReadonlyMap<number, string | null>): Moves {
  const held = new Map<string, number[]>(alive.map((engine) => [engine, []]));
  const free: number[] = [];
  for (const partition of ALL_PARTITIONS) (held.get(owners.get(partition) ?? '') ?? free).push(partition);
  const heldBy = (engine: string) => held.get(engine) ?? [];
  const byMost = alive.toSorted((one, other) => heldBy(other).length - heldBy(one).length || (one < other ? -1 : 1));
  const least = Math.floor(PARTITIONS / alive.length);
  for (const [place, engine] of byMost.entries()) {
    const due = least + (place < PARTITIONS % alive.length ? 1 : 0);
    const given = heldBy(engine).slice(due);
    const taken = free.splice(0, Math.max(0, due - heldBy(engine).length));
    if (engine === me) return { give: given, take: taken };
  }
  return { give: [], take: [] };
}
