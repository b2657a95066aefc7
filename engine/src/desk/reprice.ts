/** Makes the row of an opportunity from its quotes. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { quotesCoverOnlyListed } from '../opportunity/augmented.ts';
import { mostProfitable } from '../opportunity/curve.ts';
import { aboutOf } from '../opportunity/name.ts';
import { worstResolution } from '../opportunity/resolution.ts';
import { annualisedPct, msUntilPayout, payoutOf } from '../opportunity/return-on-time.ts';
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
  const payout = payoutOf(quotes, before.targetPrice, now);
  const said = saidOfMarkets(before, quotes, payout, now);
  const value = valueOpportunity(quotes, before.targetPrice, pricing);
  if (value.kind === 'unpriced') {
    const errorCount = before.errorCount + (countsFailure ? 1 : 0);
    const lastError = storable(value.reason);
    return {
      row: { ...before, ...said, ...NOTHING_NOW, lastChecked: now, lastError, errorCount },
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
    annualisedReturn: annualisedReturnOf(before, profitPct, msUntilPayout(payout, now)),
    ...(before.active ? profitNow(quotes, before.targetPrice, value) : NOTHING_NOW),
    triggered: before.triggered && profitAboveTrigger,
    ...said,
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

/** What differs between two rows; the time of the last check is ignored. */
export function changeOf(before: OpportunityRow, after: OpportunityRow): RowChange {
  if (
    before.triggered !== after.triggered ||
    before.augmentedEvent !== after.augmentedEvent ||
    before.resolution !== after.resolution ||
    before.about !== after.about ||
    before.paysAt !== after.paysAt ||
    before.lastError !== after.lastError ||
    (before.currentPrice === null) !== (after.currentPrice === null)
  )
    return 'state';
  const isSame =
    before.currentPrice === after.currentPrice &&
    before.feesPerSet === after.feesPerSet &&
    before.profitPercentage === after.profitPercentage &&
    before.annualisedReturn === after.annualisedReturn &&
    before.profitUsd === after.profitUsd &&
    before.maxProfitableSize === after.maxProfitableSize &&
    before.errorCount === after.errorCount;
  return isSame ? 'none' : 'numbers';
}

/** The figures of a row that cannot be bought now. */
export const NOTHING_NOW = { profitUsd: null, maxProfitableSize: null } as const;

function profitNow(
  quotes: readonly GateQuote[],
  targetPrice: Price,
  { currentPrice, feesPerSet }: { currentPrice: Price; feesPerSet: Usd },
): Pick<OpportunityRow, 'profitUsd' | 'maxProfitableSize'> {
  const most = mostProfitable(quotes, targetPrice);
  if (most === null) return NOTHING_NOW;
  const ofOneSet = Math.min(targetPrice - currentPrice - feesPerSet, 0) as Usd;
  return { profitUsd: most.size === 0 ? ofOneSet : most.profit, maxProfitableSize: most.size };
}

/** Time alone changes it a little from check to check: what is within a hundredth of the last one is not written anew. */
function annualisedReturnOf(
  before: Pick<OpportunityRow, 'profitPercentage' | 'annualisedReturn'>,
  profitPct: Percent,
  untilCashMs: number | null,
): Percent | null {
  const next = annualisedPct(profitPct, untilCashMs);
  const last = before.annualisedReturn;
  if (last === null || next === null || before.profitPercentage !== profitPct) return next;
  return Math.abs(next - last) * 100 <= Math.abs(last) ? last : next;
}

type Said = Pick<OpportunityRow, 'augmentedEvent' | 'resolution' | 'about' | 'paysAt'>;

/** The columns derived from its markets; unchanged while one of these is not known. */
function saidOfMarkets(
  { augmentedEvent, resolution, about, paysAt }: OpportunityRow,
  quotes: readonly GateQuote[],
  payout: 'at_once' | Instant | null,
  now: Instant,
): Said {
  if (quotes.some(({ market }) => market === undefined)) return { augmentedEvent, resolution, about, paysAt };
  const nextAbout = aboutOf(quotes);
  return {
    augmentedEvent: quotesCoverOnlyListed(quotes),
    resolution: worstResolution(quotes.map(({ market }) => market)),
    about: nextAbout === null ? null : storable(nextAbout),
    paysAt: payout !== 'at_once' ? payout : paysAt !== null && paysAt <= now ? paysAt : now,
  };
}

/** Reasons quote the venue's questions, which may hold what a database does not take. */
function storable(reason: string): string {
  return reason.replaceAll('\0', '').toWellFormed();
}
