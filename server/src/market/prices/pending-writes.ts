/**
 * Prices that are followed here and not written yet. At once is written what a reader could notice: that
 * a trigger has fallen, an error, what was asked for, and everything while another process lists prices. The rest is
 * written rarely: lists of this process take prices as they are known here.
 */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { isPointDue, pace } from '../opportunities/history/pacing.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { openPendingPoints, type PendingPoints } from './pending-points.ts';
import { type PriceWrite, type PriceWriteOutcome, writePrices } from './price-writer.ts';
import type { Tracked } from './tracked.ts';

/** A price without a reader is written this long after it has moved, or later where more than so many a second have. */
const LATE_MS = 10_000;
const LATE_ROWS_MAX = 100;
/** An unchanged row is written again after this time, so that `last_checked` does not lag far. */
const UNCHANGED_WRITE_MS = 300_000;
/** A reader of a list counts as present for this long. */
const LISTED_MS = 15_000;

export type PendingWrites = Pick<PendingPoints, 'dueForPoints'> & {
  /** Its row was judged again. `isSoon`: a reader could notice what it says. `asOwner`: only this engine may write it. */
  note: (tracked: Tracked, how: { isSoon: boolean; asOwner: boolean }) => void;
  forget: (tracked: Tracked) => void;
  /** Opportunities whose price differs from the database. */
  moved: () => StoredOpportunity[];
  /** Another process lists prices, as the database has them. */
  noteListed: () => void;
  /** Writes what is due, or all there is; not before the last one has ended. Answers the tracked opportunities that turned out to be deleted. */
  flush: (all?: 'all') => Promise<Tracked[]>;
};

type Due = { tracked: Tracked; write: PriceWrite; belowTriggerSince: Instant | null; asOwner: boolean };

export function openPendingWrites({ clock, db }: Pick<Runtime, 'clock' | 'db'>, partitions: Partitions): PendingWrites {
  const soon = new Map<Tracked, { asOwner: boolean }>();
  /** Opportunities whose moved price is not stored, with the time of the move; the first has waited longest. */
  const late = new Map<Tracked, Instant>();
  const points = openPendingPoints({ clock, db }, partitions);
  let underWay: readonly Due[] = [];
  let listedUntil: Instant | null = null;

  const forget = (tracked: Tracked) => {
    soon.delete(tracked);
    late.delete(tracked);
    points.forget(tracked);
  };
  const taken = (tracked: Tracked, asOwner: boolean): Due => {
    forget(tracked);
    return {
      tracked,
      write: writeOf(tracked, partitions, asOwner),
      belowTriggerSince: tracked.belowTriggerSince,
      asOwner,
    };
  };
  /** A row whose trigger is being recorded waits: its transaction and this write would undo each other. */
  const takeSoon = (): Due[] => {
    const due: Due[] = [];
    for (const [tracked, { asOwner }] of soon) {
      // The engine that owns an opportunity now writes it.
      if (asOwner && !partitions.owns(tracked.row.id)) forget(tracked);
      else if (!tracked.isTriggering) due.push(taken(tracked, asOwner));
    }
    return due;
  };
  const takeLate = (all: boolean): Due[] => {
    const now = clock.now();
    const due: Due[] = [];
    const areAllDue = all || (listedUntil !== null && now < listedUntil);
    for (const [tracked, since] of late) {
      if (!areAllDue && (now - since < LATE_MS || due.length >= LATE_ROWS_MAX)) break;
      if (!partitions.owns(tracked.row.id)) forget(tracked);
      else if (!tracked.isTriggering) due.push(taken(tracked, true));
    }
    return due;
  };
  const takeOutcome = ({ tracked, write, belowTriggerSince, asOwner }: Due, outcome: PriceWriteOutcome | undefined) => {
    if (outcome === 'deleted') return;
    const isWritten = outcome === 'written' || outcome === 'written_with_point';
    tracked.stored = write.row;
    if (write.isPointDue && isWritten) pace(tracked.history, write.row, outcome === 'written_with_point');
    // The profit may have risen and fallen again during the write.
    if (isWritten && tracked.belowTriggerSince === belowTriggerSince && tracked.row.rises === write.row.rises)
      tracked.belowTriggerSince = null;
    note(tracked, { isSoon: write.falls && outcome === 'newer_stands', asOwner });
  };
  const note: PendingWrites['note'] = (tracked, { isSoon, asOwner }) => {
    // Triggered rows are few, and an edit judges their profit by the database.
    if (isSoon || (tracked.row.triggered && isMoved(tracked))) soon.set(tracked, { asOwner });
    else if (!isMoved(tracked)) late.delete(tracked);
    else if (!late.has(tracked)) late.set(tracked, clock.now());
    points.note(tracked);
  };
  const flush = async (all?: 'all'): Promise<Tracked[]> => {
    const due = [...takeSoon(), ...takeLate(all === 'all')];
    underWay = due;
    try {
      const writes = due.map(({ write }) => write);
      const outcomes = await writePrices(db, writes);
      for (const each of due) takeOutcome(each, outcomes.get(each.write.row.id));
      await points.flush();
      return due.flatMap(({ tracked, write }) => (outcomes.get(write.row.id) === 'deleted' ? [tracked] : []));
    } catch (error) {
      for (const { tracked, asOwner } of due) soon.set(tracked, { asOwner });
      throw error;
    } finally {
      underWay = [];
    }
  };

  return {
    note,
    forget,
    dueForPoints: points.dueForPoints,
    moved: () => {
      const all = new Set([...late.keys(), ...soon.keys(), ...underWay.map(({ tracked }) => tracked)]);
      return [...all].filter(hasMovedPrice).map(({ row }) => row);
    },
    noteListed: () => {
      listedUntil = instantFromMs(clock.now() + LISTED_MS);
    },
    flush,
  };
}

function writeOf({ row, belowTriggerSince, history }: Tracked, partitions: Partitions, asOwner: boolean): PriceWrite {
  return {
    row,
    falls: belowTriggerSince !== null && partitions.owns(row.id),
    isPointDue: isPointDue(history, row),
    claim: asOwner ? partitions.claimOf(row.id) : null,
  };
}

/** Whether the database has another price, or does not know that this one was looked at since. */
function isMoved(tracked: Tracked): boolean {
  const { row, stored } = tracked;
  return hasMovedPrice(tracked) || (row.lastChecked ?? 0) - (stored?.lastChecked ?? 0) >= UNCHANGED_WRITE_MS;
}

function hasMovedPrice({ row, stored }: Tracked): boolean {
  return (
    stored === null ||
    row.currentPrice !== stored.currentPrice ||
    row.feesPerSet !== stored.feesPerSet ||
    row.profitPercentage !== stored.profitPercentage ||
    row.annualisedReturn !== stored.annualisedReturn ||
    row.profitUsd !== stored.profitUsd ||
    row.maxProfitableSize !== stored.maxProfitableSize ||
    row.errorCount !== stored.errorCount
  );
}
