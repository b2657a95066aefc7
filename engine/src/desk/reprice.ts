/** From quotes to the row of an opportunity. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { quotesCoverOnlyListed } from '../opportunity/augmented.ts';
import { worstResolution } from '../opportunity/resolution.ts';
import { annualisedPct, msUntilCash } from '../opportunity/return-on-time.ts';
import { isTriggered, valueOpportunity } from '../opportunity/value.ts';
import type { GateQuote } from '../risk/context.ts';
import type { DeskSettings } from './desk-settings.ts';
import type { OpportunityRow } from './tracked.ts';

/** While an error stands, failures to price it count as failed checks this far apart. */
const FAILURE_COUNT_MS = 10_000;

/**
 * `profitAboveTrigger`: the profit stands at the trigger or above; null where there is no price. The row says so only once that is
 * recorded, because the record decides who acts on it; that it has gone down again stands in the row at once.
 */
type Repriced<Row> = { row: Row; profitAboveTrigger: boolean | null };

type Terms = Pick<DeskSettings, 'pricing' | 'triggerPct'>;

/**
 * Prices the row. Where a position has no price the row keeps its last one and names the position and the reason;
 * `countsFailure` says whether this check counts as another failed check.
 */
export function repriced<Row extends OpportunityRow>(
  before: Row,
  quotes: readonly GateQuote[],
  { pricing, triggerPct }: Terms,
  { now, countsFailure }: { now: Instant; countsFailure: boolean },
): Repriced<Row> {
  const { augmentedEvent, resolution } = saidOfMarkets(before, quotes);
  const value = valueOpportunity(quotes, before.targetPrice, pricing);
  if (value.kind === 'unpriced') {
    const errorCount = before.errorCount + (countsFailure ? 1 : 0);
    const lastError = storable(value.reason);
    return {
      row: { ...before, augmentedEvent, resolution, lastChecked: now, lastError, errorCount },
      profitAboveTrigger: null,
    };
  }
  const { currentPrice, feesPerSet, profitPct } = value;
  const profitAboveTrigger = isTriggered(before.active, profitPct, triggerPct);
  const row = {
    ...before,
    currentPrice,
    feesPerSet,
    profitPercentage: profitPct,
    annualisedReturn: annualisedReturnOf(before, quotes, profitPct, now),
    triggered: before.triggered && profitAboveTrigger,
    augmentedEvent,
    resolution,
    lastChecked: now,
    lastError: null,
    errorCount: 0,
  };
  return { row, profitAboveTrigger };
}

/** Whether another failure counts as a failed check of its own. */
export function countsAgain(lastError: string | null, countedAt: Instant | null, now: Instant): boolean {
  return lastError === null || countedAt === null || now - countedAt >= FAILURE_COUNT_MS;
}

/** `numbers`: which move all the time; `state`: more than those. */
export type RowChange = 'none' | 'numbers' | 'state';

/** What but the moment of the last check has changed. */
export function changeOf(before: OpportunityRow, after: OpportunityRow): RowChange {
  if (
    before.triggered !== after.triggered ||
    before.augmentedEvent !== after.augmentedEvent ||
    before.resolution !== after.resolution ||
    before.lastError !== after.lastError ||
    (before.currentPrice === null) !== (after.currentPrice === null)
  )
    return 'state';
  const isSame =
    before.currentPrice === after.currentPrice &&
    before.feesPerSet === after.feesPerSet &&
    before.profitPercentage === after.profitPercentage &&
    before.annualisedReturn === after.annualisedReturn &&
    before.errorCount === after.errorCount;
  return isSame ? 'none' : 'numbers';
}

/** Time alone changes it a little from check to check: what is within a hundredth of the last one is not written anew. */
function annualisedReturnOf(
  before: Pick<OpportunityRow, 'targetPrice' | 'profitPercentage' | 'annualisedReturn'>,
  quotes: readonly GateQuote[],
  profitPct: Percent,
  now: Instant,
): Percent | null {
  const next = annualisedPct(profitPct, msUntilCash(quotes, before.targetPrice, now));
  const last = before.annualisedReturn;
  if (last === null || next === null || before.profitPercentage !== profitPct) return next;
  return Math.abs(next - last) * 100 <= Math.abs(last) ? last : next;
}

/** As its markets say; while one of them is not known, what was found out before stands. */
function saidOfMarkets(
  { augmentedEvent, resolution }: OpportunityRow,
  quotes: readonly GateQuote[],
): Pick<OpportunityRow, 'augmentedEvent' | 'resolution'> {
  if (quotes.some(({ market }) => market === undefined)) return { augmentedEvent, resolution };
  return {
    augmentedEvent: quotesCoverOnlyListed(quotes),
    resolution: worstResolution(quotes.map(({ market }) => market)),
  };
}

/** Reasons quote the venue's questions, which may hold what a database does not take. */
function storable(reason: string): string {
  return reason.replaceAll('\0', '').toWellFormed();
}
