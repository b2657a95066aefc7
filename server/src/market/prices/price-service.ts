/** From quotes to the row, the trigger, the open tabs and the database: the one way in which a price gets anywhere. */

import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { quotesCoverOnlyListed } from '@dutchbook/engine/opportunity/augmented.ts';
import { worstResolution } from '@dutchbook/engine/opportunity/resolution.ts';
import { isTriggered, risingEdge, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { pricingSettings, triggerThreshold } from '../../people/system-settings/in-units.ts';
import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { PriceCheck } from '../opportunities/live-prices.ts';
import { presentRow } from '../opportunities/present.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { noteFailing } from './lasting-errors.ts';
import { openPendingWrites, type PendingWrites } from './pending-writes.ts';
import { canTrigger } from './quotes/live-quote.ts';
import { noteRise, recordRises } from './rises.ts';
import type { Tracked } from './tracked.ts';
import type { OnTrigger } from './trigger.ts';

/** While an error stands, failures to price it count as failed checks this far apart. */
const FAILURE_COUNT_MS = 10_000;
export type PriceService = Omit<PendingWrites, 'note'> & {
  /** Prices the opportunity and, where it has come up to its trigger, records that: then it resolves when that is done. */
  revalue: (tracked: Tracked, quotes: readonly LiveQuote[], check: PriceCheck) => Promise<void> | null;
};

type PriceServiceRuntime = Pick<Runtime, 'clock' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
type Needed = {
  settings: SystemSettings;
  stream: StreamHub;
  partitions: Partitions;
  journal: DecisionJournal;
  onTrigger: OnTrigger;
};

export function createPriceService(runtime: PriceServiceRuntime, needed: Needed): PriceService {
  const { note, ...pending } = openPendingWrites(runtime, needed.partitions);
  const record = async (tracked: Tracked, asOwner: boolean) => {
    await recordRises(runtime, needed, tracked);
    tracked.stored = null;
    // It has fallen while that was recorded.
    note(tracked, { isSoon: tracked.belowTriggerSince !== null, asOwner });
    publish(needed.stream, tracked);
  };
  return {
    ...pending,
    revalue: (tracked, quotes, { asked, mayTrigger }) => {
      const before = tracked.row;
      const now = runtime.clock.now();
      const counts = asked || before.lastError === null || isPast(tracked.failureCountedAt, FAILURE_COUNT_MS, now);
      const { row, profitAboveTrigger } = appraise(before, quotes, needed.settings.current(), now, counts);
      tracked.row = row;
      tracked.profitAboveTrigger = profitAboveTrigger;
      if (row.errorCount > before.errorCount) tracked.failureCountedAt = now;
      noteFailing(tracked, now);
      const isOurs = needed.partitions.owns(row.id);
      // A fall lets it trigger again, so only the engine that triggers it may say that it fell.
      if (isOurs && tracked.aboveTrigger && profitAboveTrigger === false) {
        tracked.aboveTrigger = false;
        tracked.belowTriggerSince = now;
      }
      // The engine that follows the opportunity publishes and writes it, unless the check was asked for here.
      if (!isOurs) tracked.rises = [];
      if (!isOurs && row.active && !asked) return null;
      const isChanged = asked || isDifferent(before, row);
      const mayRise = isOurs && mayTrigger && canTrigger(quotes) && needed.onTrigger.isReady();
      const isRise = mayRise && risingEdge(tracked.aboveTrigger, profitAboveTrigger === true);
      if (mayRise && profitAboveTrigger === true) noteRise(runtime, needed.journal, tracked, quotes);
      // A rise is published together with its outcome: published apart, the outcome would wait for the stream's next frame.
      if (isChanged && !isRise) publish(needed.stream, tracked);
      note(tracked, { isSoon: asked || isNoticed(before, row), asOwner: isOurs && !asked });
      return isFreeToRecord(tracked, now) ? record(tracked, isOurs) : null;
    },
  };
}

/**
 * `profitAboveTrigger`: the profit stands at the trigger or above; null where there is no price. The row says so only once that is
 * recorded, because the record decides who acts on it; that it has gone down again stands in the row at once.
 */
type Appraisal = { row: StoredOpportunity; profitAboveTrigger: boolean | null };

/**
 * Prices the row. Where a position has no price the row keeps its last one and names the position and the reason;
 * `countsFailure` says whether this check counts as another failed check.
 */
function appraise(
  before: StoredOpportunity,
  quotes: readonly LiveQuote[],
  settings: Settings,
  now: Instant,
  countsFailure: boolean,
): Appraisal {
  const { augmentedEvent, resolution } = saidOfMarkets(before, quotes);
  const value = valueOpportunity(quotes, before.targetPrice, pricingSettings(settings));
  if (value.kind === 'unpriced') {
    const errorCount = before.errorCount + (countsFailure ? 1 : 0);
    const lastError = storable(value.reason);
    return {
      row: { ...before, augmentedEvent, resolution, lastChecked: now, lastError, errorCount },
      profitAboveTrigger: null,
    };
  }
  const { currentPrice, feesPerSet, profitPct } = value;
  const profitAboveTrigger = isTriggered(before.active, profitPct, triggerThreshold(settings));
  const row = {
    ...before,
    currentPrice,
    feesPerSet,
    profitPercentage: profitPct,
    triggered: before.triggered && profitAboveTrigger,
    augmentedEvent,
    resolution,
    lastChecked: now,
    lastError: null,
    errorCount: 0,
  };
  return { row, profitAboveTrigger };
}

/** As its markets say; while one of them is not known, what was found out before stands. */
function saidOfMarkets(
  { augmentedEvent, resolution }: StoredOpportunity,
  quotes: readonly LiveQuote[],
): Pick<StoredOpportunity, 'augmentedEvent' | 'resolution'> {
  if (quotes.some(({ market }) => market === undefined)) return { augmentedEvent, resolution };
  return {
    augmentedEvent: quotesCoverOnlyListed(quotes),
    resolution: worstResolution(quotes.map(({ market }) => market)),
  };
}

/** Reasons quote the venue's questions, which may hold what the database does not take. */
function storable(reason: string): string {
  return reason.replaceAll('\0', '').toWellFormed();
}

function publish(stream: StreamHub, { row }: Tracked): void {
  if (!stream.watched('opportunities')) return;
  stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
}

function isFreeToRecord({ isTriggering, retryTriggerAt, rises }: Tracked, now: Instant): boolean {
  return rises.length > 0 && !isTriggering && (retryTriggerAt === null || retryTriggerAt <= now);
}

function isPast(since: Instant | null, ms: number, now: Instant): boolean {
  return since === null || now - since >= ms;
}

/** Whether anything but the moment of the last check has changed. */
function isDifferent(before: StoredOpportunity, after: StoredOpportunity): boolean {
  return (
    before.currentPrice !== after.currentPrice ||
    before.feesPerSet !== after.feesPerSet ||
    before.profitPercentage !== after.profitPercentage ||
    before.errorCount !== after.errorCount ||
    isNoticed(before, after)
  );
}

/** Whether more has changed than the numbers, which move all the time. */
function isNoticed(before: StoredOpportunity, after: StoredOpportunity): boolean {
  return (
    before.triggered !== after.triggered ||
    before.augmentedEvent !== after.augmentedEvent ||
    before.resolution !== after.resolution ||
    before.lastError !== after.lastError ||
    (before.currentPrice === null) !== (after.currentPrice === null)
  );
}
