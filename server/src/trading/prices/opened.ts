import type { Instant } from '@dutchbook/units/instant.ts';
import type { Clock } from '../../world/world.ts';
import { createRoster, type Tracked } from './tracked.ts';

/** How long an opportunity is fed after somebody has opened it; a tab that stays on it prolongs that. */
const LOOKED_AT_MS = 60_000;

/** The tracked opportunities that somebody has opened lately: few, so that most changes of books concern none of them. */
export type Opened = {
  /** Somebody looks at it now. */
  keep: (tracked: Tracked) => void;
  /** Whether somebody has looked at it lately; from then on it is none of them where nobody has. */
  isStill: (tracked: Tracked) => boolean;
  remove: (tracked: Tracked) => void;
  affectedBy: (marketIds: ReadonlySet<string>) => Iterable<Tracked>;
};

export function openedOpportunities(clock: Clock): Opened {
  const roster = createRoster();
  const remove = (tracked: Tracked) => {
    if (tracked.lookedAtUntil === null) return;
    tracked.lookedAtUntil = null;
    roster.remove(tracked);
  };
  return {
    keep: (tracked) => {
      tracked.lookedAtUntil = (clock.now() + LOOKED_AT_MS) as Instant;
      roster.add(tracked);
    },
    isStill: (tracked) => {
      const { lookedAtUntil } = tracked;
      if (lookedAtUntil !== null && lookedAtUntil > clock.now()) return true;
      remove(tracked);
      return false;
    },
    remove,
    affectedBy: roster.affectedBy,
  };
}
