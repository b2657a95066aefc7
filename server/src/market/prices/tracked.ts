import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import { type Pacing, startPacing } from '../opportunities/history/pacing.ts';
import { positionsOf } from '../opportunities/identity.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';

/** The profit has come up to the trigger at `seenAt`: the row and the quotes that it was seen by last. */
export type Rise = { row: StoredOpportunity; quotes: readonly LiveQuote[]; seenAt: Instant };

/** An opportunity whose prices this process follows. */
export type Tracked = {
  /** As it stands now. */
  row: StoredOpportunity;
  /** As the database has it, as far as is known here; null where it was written otherwise than by the price service. */
  stored: StoredOpportunity | null;
  /** Never replaced while the opportunity is tracked: the feed knows positions by identity. */
  readonly positions: Position[];
  /** The number of the last change of markets or settings that it was valued by. */
  valuedBy: number;
  /** Whether the profit stood at the trigger or above when it was last seen, recorded or not. */
  aboveTrigger: boolean;
  /** Whether it stands there now; null where it has no price. */
  profitAboveTrigger: boolean | null;
  /** Seen and not recorded yet, in their order: recording takes longer than a fall may last. */
  rises: Rise[];
  /** When the profit last went below the trigger; null once that is recorded. */
  belowTriggerSince: Instant | null;
  /** The transactions that record its rises are under way. */
  isTriggering: boolean;
  /** After a trigger that could not be recorded: not before this moment again. */
  retryTriggerAt: Instant | null;
  /** When a failure to price it last counted as a failed check. */
  failureCountedAt: Instant | null;
  /** Since when it has had no price without a break, and whether that was notified; null while it has one. */
  failing: { since: Instant; notified: boolean } | null;
  readonly history: Pacing;
  /** How it stood to its trigger when that was last noted in the journal; null where it is not followed for its trigger. */
  noted: { aboveTrigger: boolean; rises: number } | null;
  /** Somebody has opened it; until then it is kept though it may be inactive. */
  openUntil: Instant | null;
};

export function track(row: StoredOpportunity): Tracked {
  return {
    row,
    stored: row,
    positions: positionsOf(row.marketCombinations),
    valuedBy: 0,
    aboveTrigger: row.triggered,
    profitAboveTrigger: null,
    rises: [],
    belowTriggerSince: null,
    isTriggering: false,
    retryTriggerAt: null,
    failureCountedAt: null,
    failing: null,
    history: startPacing(),
    noted: null,
    openUntil: null,
  };
}

/** Drops what was seen of it and not recorded: the row that another writer has stored counts. */
export function resetTo(tracked: Tracked, row: StoredOpportunity): void {
  tracked.row = row;
  tracked.aboveTrigger = row.triggered;
  tracked.rises = [];
  tracked.belowTriggerSince = null;
}

/** The tracked opportunities, found by id and by the markets that move them. */
export type Roster = {
  get: (id: string) => Tracked | undefined;
  add: (tracked: Tracked) => void;
  remove: (tracked: Tracked) => void;
  /** Each once. */
  affectedBy: (marketIds: ReadonlySet<string>) => ReadonlySet<Tracked>;
  all: () => IterableIterator<Tracked>;
  size: () => number;
};

const NONE: ReadonlySet<Tracked> = new Set();

export function createRoster(): Roster {
  const byId = new Map<string, Tracked>();
  const byMarket = new Map<string, Set<Tracked>>();
  return {
    get: (id) => byId.get(id),
    all: () => byId.values(),
    size: () => byId.size,
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
      if (only === undefined) return NONE;
      if (marketIds.size === 1) return byMarket.get(only) ?? NONE;
      const affected = new Set<Tracked>();
      for (const id of marketIds) for (const tracked of byMarket.get(id) ?? []) affected.add(tracked);
      return affected;
    },
  };
}

/** How long an opportunity is fed after a user has opened it; a tab that stays on it prolongs that. */
const KEPT_OPEN_MS = 60_000;

/** The tracked opportunities that were opened lately: few, so that most changes of books concern none of them. */
export type Opened = {
  /** Somebody has it open now. */
  keep: (tracked: Tracked) => void;
  /** Whether it was open lately; the answer stays until it is opened again. */
  isStill: (tracked: Tracked) => boolean;
  remove: (tracked: Tracked) => void;
  affectedBy: Roster['affectedBy'];
};

export function openedOpportunities(clock: Clock): Opened {
  const roster = createRoster();
  const remove = (tracked: Tracked) => {
    if (tracked.openUntil === null) return;
    tracked.openUntil = null;
    roster.remove(tracked);
  };
  return {
    keep: (tracked) => {
      tracked.openUntil = (clock.now() + KEPT_OPEN_MS) as Instant;
      roster.add(tracked);
    },
    isStill: (tracked) => {
      const { openUntil } = tracked;
      if (openUntil !== null && openUntil > clock.now()) return true;
      remove(tracked);
      return false;
    },
    remove,
    affectedBy: roster.affectedBy,
  };
}
