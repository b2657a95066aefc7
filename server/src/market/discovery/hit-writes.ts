/** Writes hits, the times in which relations pay, in the background. */
import type { RelationHit } from '@dutchbook/engine/desk/relation-hits.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type HitEnds, writeHits } from '../relations/hits.ts';

/** Ended ones kept while the database does not answer: of more, the newest. */
const ENDED_MAX = 10_000;

export type HitWrites = {
  /** The hit has ended. */
  closed: (hit: RelationHit) => void;
  /** The engine that followed the relation before may have left a hit open. */
  adopt: (relationId: string) => void;
  /** Stores what has changed since the last time. */
  write: (open: Iterable<RelationHit>) => Promise<void>;
};

export function openHitWrites(db: Db, ends: HitEnds): HitWrites {
  const adopted = new Set<string>();
  let ended: RelationHit[] = [];
  return {
    closed: (hit) => void ended.push(hit),
    adopt: (relationId) => void adopted.add(relationId),
    write: async (open) => {
      const over = ended;
      const left = [...adopted];
      ended = [];
      adopted.clear();
      try {
        await writeHits(db, [...over, ...Array.from(open, (hit) => ({ ...hit }))], left, ends);
      } catch (error) {
        ended = [...over, ...ended].slice(-ENDED_MAX);
        for (const id of left) adopted.add(id);
        throw error;
      }
    },
  };
}
