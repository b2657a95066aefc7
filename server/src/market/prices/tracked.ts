import { Roster } from '@dutchbook/engine/desk/roster.ts';
import { type Rise as DeskRise, type Tracked as DeskTracked, trackedOf } from '@dutchbook/engine/desk/tracked.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';
import { type Pacing, startPacing } from '../opportunities/history/pacing.ts';
import { positionsOf } from '../opportunities/identity.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';

export type Rise = DeskRise<StoredOpportunity>;

/** An opportunity whose prices this process follows. */
export type Tracked = DeskTracked<StoredOpportunity> & {
  /** The stored row, as far as this process knows; null after a write of more than the price. */
  stored: StoredOpportunity | null;
  /** The time of the first of its current errors in a row, and whether that was notified; null while it has a price. */
  failing: { since: Instant; notified: boolean } | null;
  readonly history: Pacing;
  /** How it stood to its trigger when that was last noted in the journal; null where it is not followed for its trigger. */
  noted: { aboveTrigger: boolean; rises: number } | null;
  /** A user opened it: it is kept until then, even if inactive. */
  openUntil: Instant | null;
};

export function track(row: StoredOpportunity): Tracked {
  return {
    ...trackedOf(row, positionsOf(row.marketCombinations)),
    stored: row,
    failing: null,
    history: startPacing(),
    noted: null,
    openUntil: null,
  };
}

/** How long an opportunity is fed after a user has opened it; a tab that stays on it prolongs that. */
const KEPT_OPEN_MS = 60_000;

/** The tracked opportunities that were opened lately: few, so that most changes of books concern none of them. */
export type Opened = {
  /** Notes that a user has it open now. */
  keep: (tracked: Tracked) => void;
  /** Whether it was open lately; the answer stays until it is opened again. */
  isStill: (tracked: Tracked) => boolean;
  remove: (tracked: Tracked) => void;
  affectedBy: Roster<Tracked>['affectedBy'];
};

export function openedOpportunities(clock: Clock): Opened {
  const roster = new Roster<Tracked>();
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
    affectedBy: (marketIds) => roster.affectedBy(marketIds),
  };
}
