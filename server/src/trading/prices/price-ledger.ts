/** From quotes to the row, the trigger, the open tabs and the database: the one way in which a price gets anywhere. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { isPointDue, pace } from '../../history/pacing.ts';
import { presentRow } from '../../opportunities/present.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { Shares, StreamHub, SystemSettings, TrustedQuote } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import { appraise, canTrigger } from './appraisal.ts';
import { noteFailing } from './lasting-errors.ts';
import { writePrices } from './price-writer.ts';
import type { Tracked } from './tracked.ts';
import { type OnTrigger, recordTrigger } from './trigger.ts';

/** While an error stands, looks at the prices count as failed checks this far apart. */
const FAILURE_COUNT_MS = 10_000;
/**
 * A row whose price stands still is written this often, so that `last_checked` does not lag far; where there are more
 * of them than that allows each second, it lags further. Every write of a row costs an entry in each of its indexes.
 */
const UNCHANGED_WRITE_MS = 10_000;
const UNCHANGED_ROWS_MAX = 100;
const TRIGGER_RETRY_MS = 5000;

/** `asked`: somebody asked for this check, and its failure counts as one. */
export type Look = { asked: boolean; mayTrigger: boolean };

export type PriceLedger = {
  /** Prices the opportunity, records a rising edge if it may, and resolves when that is recorded. */
  settle: (tracked: Tracked, quotes: readonly TrustedQuote[], look: Look) => Promise<void>;
  /** Writes what has changed. Answers the tracked opportunities that turned out to be deleted. */
  flush: () => Promise<Tracked[]>;
};

type LedgerWorld = Pick<World, 'clock' | 'db' | 'urgentDb' | 'dice' | 'log' | 'notices'>;
type Needed = { settings: SystemSettings; stream: StreamHub; shares: Shares; onTrigger: OnTrigger };

export function createPriceLedger(world: LedgerWorld, needed: Needed): PriceLedger {
  const unwritten: Unwritten = new Map();
  return {
    settle: async (tracked, quotes, { asked, mayTrigger }) => {
      const before = tracked.row;
      const now = world.clock.now();
      const counts = asked || before.lastError === null || isPast(tracked.failureCountedAt, FAILURE_COUNT_MS, now);
      const { row, rises } = appraise(before, quotes, needed.settings.current(), now, counts);
      tracked.row = row;
      if (row.errorCount > before.errorCount) tracked.failureCountedAt = now;
      noteFailing(tracked, now);
      const isOurs = needed.shares.owns(row.id);
      // A fall lets it trigger again, so only the engine that triggers it may say that it fell.
      if (isOurs && before.triggered && !row.triggered) tracked.fellAt = now;
      // What another engine follows is for that one to tell and to write, unless somebody has asked here.
      if (!isOurs && row.active && !asked) return;
      const isNews = asked || isDifferent(before, row);
      const isFree = isOurs && isFreeToTrigger(tracked, now) && needed.onTrigger.isReady();
      const isRise = rises && mayTrigger && canTrigger(quotes) && isFree;
      // A rise is told together with what became of it: told apart, the second would wait for the stream's next turn.
      if (isNews && !isRise) publish(needed.stream, tracked);
      // After a start every row is offered a point once, which most have been given before.
      const isKnownPoint = tracked.history.values !== null;
      const saysMore = isNews || (isKnownPoint && isPointDue(tracked.history, row));
      if (saysMore || isPast(tracked.writtenAt, UNCHANGED_WRITE_MS, now)) {
        const saidMore = unwritten.get(tracked)?.saysMore ?? false;
        unwritten.set(tracked, { asOwner: isOurs && !asked, saysMore: saysMore || saidMore });
      }
      if (isRise) await trigger(world, needed, tracked, quotes);
    },
    flush: () => flush(world, needed.shares, unwritten),
  };
}

function publish(stream: StreamHub, { row }: Tracked): void {
  if (!stream.watched('opportunities')) return;
  stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
}

function isFreeToTrigger({ isTriggering, retryTriggerAt }: Tracked, now: Instant): boolean {
  return !isTriggering && (retryTriggerAt === null || retryTriggerAt <= now);
}

async function trigger(
  world: LedgerWorld,
  { settings, stream, shares, onTrigger }: Needed,
  tracked: Tracked,
  quotes: readonly TrustedQuote[],
): Promise<void> {
  const { clock, log } = world;
  const { row } = tracked;
  const buying = settings.current().AUTO_PLACE_ORDER_ENABLED ? onTrigger.buy(row, quotes) : null;
  let placed: string | null = null;
  tracked.isTriggering = true;
  try {
    const { ours, stands, isHeld, batchId } = await recordTrigger(world, row, shares.claimOf(row.id), buying);
    placed = batchId;
    if (ours) pace(tracked.history, { ...row, triggered: true }, true);
    // What was edited meanwhile is as the edit left it.
    if (stands && tracked.row.updatedAt === row.updatedAt) {
      tracked.row = { ...tracked.row, triggered: true };
      tracked.fellAt = null;
    }
    tracked.retryTriggerAt = isHeld ? null : ((clock.now() + TRIGGER_RETRY_MS) as Instant);
    if (!isHeld) log.warn({ opportunity: row.id }, 'a trigger is left to the engine that has the opportunity now');
    if (ours) log.info({ opportunity: row.id, batch: batchId }, 'an opportunity has come up to its trigger');
  } catch (error) {
    tracked.retryTriggerAt = (clock.now() + TRIGGER_RETRY_MS) as Instant;
    log.error({ err: error, opportunity: row.id }, 'a trigger could not be recorded and is tried again');
  } finally {
    buying?.end(placed);
    tracked.isTriggering = false;
    publish(stream, tracked);
  }
}

/**
 * What is to be written. By whom it is written only matters of what this process follows as its own: what somebody asked
 * for here is written whoever has the opportunity. `saysMore`: than that it was looked at again.
 */
type Unwritten = Map<Tracked, { asOwner: boolean; saysMore: boolean }>;

/** A row whose trigger is being recorded waits: its transaction and this write would undo each other. */
async function flush({ clock, db }: LedgerWorld, shares: Shares, unwritten: Unwritten): Promise<Tracked[]> {
  for (const [tracked, { asOwner }] of unwritten) {
    if (asOwner && !shares.owns(tracked.row.id)) unwritten.delete(tracked);
  }
  let unchanged = 0;
  const due = [...unwritten].filter(([{ isTriggering }, { saysMore }]) => {
    if (isTriggering) return false;
    if (!saysMore) unchanged += 1;
    return saysMore || unchanged <= UNCHANGED_ROWS_MAX;
  });
  if (due.length === 0) return [];
  for (const [tracked] of due) unwritten.delete(tracked);
  const writes = due.map(([{ row, fellAt, history }, { asOwner }]) => ({
    row,
    fellAt,
    falls: fellAt !== null && shares.owns(row.id),
    isPointDue: isPointDue(history, row),
    claim: asOwner ? shares.claimOf(row.id) : null,
  }));
  const outcomes = await writePrices(db, writes).catch((error: unknown) => {
    for (const [tracked, how] of due) unwritten.set(tracked, how);
    throw error;
  });
  const now = clock.now();
  for (const [index, [tracked, how]] of due.entries()) {
    tracked.writtenAt = now;
    const write = writes[index];
    if (write === undefined) continue;
    const outcome = outcomes.get(tracked.row.id);
    const isWritten = outcome === 'written' || outcome === 'written_with_point';
    if (write.isPointDue && isWritten) pace(tracked.history, write.row, outcome === 'written_with_point');
    // It may have risen and fallen again while this was written.
    if (isWritten && tracked.fellAt === write.fellAt) tracked.fellAt = null;
    if (write.falls && outcome === 'newer_stands') unwritten.set(tracked, how);
  }
  return due.map(([tracked]) => tracked).filter(({ row }) => outcomes.get(row.id) === 'deleted');
}

function isPast(since: Instant | null, ms: number, now: Instant): boolean {
  return since === null || now - since >= ms;
}

/** Whether anything but the moment of the last look has changed. */
function isDifferent(before: StoredOpportunity, after: StoredOpportunity): boolean {
  return (
    before.currentPrice !== after.currentPrice ||
    before.feesPerSet !== after.feesPerSet ||
    before.profitPercentage !== after.profitPercentage ||
    before.triggered !== after.triggered ||
    before.augmentedEvent !== after.augmentedEvent ||
    before.lastError !== after.lastError ||
    before.errorCount !== after.errorCount
  );
}
