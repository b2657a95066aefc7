/** How long relations pay, how much at best, and what came of it. */
import { obstacleOf } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type BatchesSince, type WatchedHit, writeHits } from '../relations/hits.ts';
import type { Followed } from './followed.ts';
import { type FoundOpportunities, GONE_AFTER_MS } from './found.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import type { Assessed } from './watched.ts';

/** Ended ones kept while the database does not answer: of more, the newest. */
const ENDED_MAX = 10_000;

export type Lifetimes = {
  /** A relation pays now. @returns whether it did not before */
  pays: (one: Followed, assessed: Assessed) => boolean;
  /** It pays no more; where it does again at once, it has not been gone. */
  gone: (relationId: string) => void;
  /** The engine that followed the relation before may have left a hit open. */
  adopt: (relationId: string) => void;
  /** It is not followed any more. */
  leave: (relationId: string) => void;
  /** Stores what has changed since the last time. */
  write: () => Promise<void>;
};

type Parts = {
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>;
  settings: Pick<WatchedDiscoverySettings, 'current'>;
  found: Pick<FoundOpportunities, 'outcomeOf'>;
  batchesSince: BatchesSince;
};

export function openLifetimes({ runtime: { db, clock, random }, settings, found, batchesSince }: Parts): Lifetimes {
  const open = new Map<string, WatchedHit>();
  const adopted = new Set<string>();
  let ended: WatchedHit[] = [];

  const end = (hit: WatchedHit) => {
    open.delete(hit.relationId);
    ended.push({ ...hit, endedAt: hit.lastAt });
  };
  const begin = (relationId: string, direction: WatchedHit['direction'], now: Instant): WatchedHit => ({
    id: random.uuid(),
    relationId,
    direction,
    firstAt: now,
    lastAt: now,
    endedAt: null,
    net: 0 as WatchedHit['net'],
    profit: 0 as WatchedHit['profit'],
    size: 0 as WatchedHit['size'],
    obstacle: null,
    opportunityId: null,
  });
  return {
    pays: ({ row }, { basket, distance, profit, size }) => {
      const form = settings.current();
      if (!form.enabled || basket === null || distance === null || distance >= 0) return false;
      const now = clock.now();
      const before = open.get(row.id);
      const goesOn = before?.direction === basket.direction;
      if (before !== undefined && !goesOn) end(before);
      const hit = before !== undefined && goesOn ? before : begin(row.id, basket.direction, now);
      const isBest = profit > hit.profit;
      const best = { profit: isBest ? profit : hit.profit, leastProfit: form.min_profit_usd };
      const outcome = found.outcomeOf(row.id, basket.direction);
      open.set(row.id, {
        ...hit,
        lastAt: now,
        net: Math.max(hit.net, -distance) as WatchedHit['net'],
        ...(isBest ? { profit, size } : {}),
        obstacle: obstacleOf(row, best, form) ?? outcome?.refused ?? null,
        opportunityId: outcome?.opportunityId ?? hit.opportunityId,
      });
      return !goesOn;
    },
    gone: (relationId) => {
      const hit = open.get(relationId);
      if (hit !== undefined) open.set(relationId, { ...hit, lastAt: clock.now() });
    },
    adopt: (relationId) => adopted.add(relationId),
    leave: (relationId) => {
      const hit = open.get(relationId);
      if (hit !== undefined) end(hit);
    },
    write: async () => {
      const now = clock.now();
      for (const hit of [...open.values()]) if (now - hit.lastAt >= GONE_AFTER_MS) end(hit);
      const over = ended;
      const left = [...adopted];
      ended = [];
      adopted.clear();
      try {
        await writeHits(db, [...over, ...open.values()], left, batchesSince);
      } catch (error) {
        ended = [...over, ...ended].slice(-ENDED_MAX);
        for (const id of left) adopted.add(id);
        throw error;
      }
    },
  };
}
