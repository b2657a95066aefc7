import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Pacing, startPacing } from '../../history/pacing.ts';
import { positionsOf } from '../../opportunities/identity.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';

/** An opportunity whose prices this process follows. */
export type Tracked = {
  /** As it stands now; the database follows within a second. */
  row: StoredOpportunity;
  /** The same objects for as long as it is tracked: the feed knows them by identity. */
  readonly positions: Position[];
  /** When the profit last went below the trigger; null once that is recorded. */
  fellAt: Instant | null;
  /** The transaction that records its trigger is under way. */
  isTriggering: boolean;
  /** After a trigger that could not be recorded: not before this moment again. */
  retryTriggerAt: Instant | null;
  /** When a failed look at its prices last counted as a failed check. */
  failureCountedAt: Instant | null;
  /** Since when it has had no price without a break, and whether people have been told; null while it has one. */
  failing: { since: Instant; told: boolean } | null;
  /** When its last change, or the mere fact that it was looked at, was handed to the database. */
  writtenAt: Instant | null;
  readonly history: Pacing;
  /** Somebody has opened it; until then it is kept though it may be inactive. */
  lookedAtUntil: Instant | null;
};

export function track(row: StoredOpportunity): Tracked {
  return {
    row,
    positions: positionsOf(row.marketCombinations),
    fellAt: null,
    isTriggering: false,
    retryTriggerAt: null,
    failureCountedAt: null,
    failing: null,
    writtenAt: null,
    history: startPacing(),
    lookedAtUntil: null,
  };
}

/** The tracked opportunities, found by id and by the markets that move them. */
export type Roster = {
  get: (id: string) => Tracked | undefined;
  add: (tracked: Tracked) => void;
  remove: (tracked: Tracked) => void;
  /** Each once. */
  affectedBy: (marketIds: ReadonlySet<string>) => Iterable<Tracked>;
  all: () => Iterable<Tracked>;
};

const NOBODY: readonly Tracked[] = [];

export function createRoster(): Roster {
  const byId = new Map<string, Tracked>();
  const byMarket = new Map<string, Set<Tracked>>();
  return {
    get: (id) => byId.get(id),
    all: () => byId.values(),
    add: (tracked) => {
      byId.set(tracked.row.id, tracked);
      for (const { marketId } of tracked.positions) {
        const others = byMarket.get(marketId);
        if (others) others.add(tracked);
        else byMarket.set(marketId, new Set([tracked]));
      }
    },
    remove: (tracked) => {
      byId.delete(tracked.row.id);
      for (const { marketId } of tracked.positions) {
        const others = byMarket.get(marketId);
        others?.delete(tracked);
        if (others?.size === 0) byMarket.delete(marketId);
      }
    },
    affectedBy: (marketIds) => {
      const [only] = marketIds;
      if (only === undefined) return NOBODY;
      if (marketIds.size === 1) return byMarket.get(only) ?? NOBODY;
      const affected = new Set<Tracked>();
      for (const id of marketIds) for (const tracked of byMarket.get(id) ?? []) affected.add(tracked);
      return affected;
    },
  };
}
