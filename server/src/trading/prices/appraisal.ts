/** What a look at the prices makes of an opportunity's row. No I/O, and the row handed in is left as it is. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { quotesCoverOnlyListed } from '@dutchbook/engine/opportunity/augmented.ts';
import { isTriggered, risingEdge, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { TrustedQuote } from '../../parts.ts';
import { pricingSettings, triggerThreshold } from '../../system-settings/in-units.ts';
import { isStreamed } from '../quotes/trusted-quote.ts';

/**
 * `rises`: the profit has come up to the trigger. The row says so only once that is recorded, because the record
 * decides who acts on it; that it has gone down again stands in the row at once.
 */
export type Appraisal = { row: StoredOpportunity; rises: boolean };

/**
 * Prices the row. Where a position has no price the row keeps its last one and names the position and the reason;
 * `countsFailure` says whether this look counts as another failed check.
 */
export function appraise(
  before: StoredOpportunity,
  quotes: readonly TrustedQuote[],
  settings: Settings,
  now: Instant,
  countsFailure: boolean,
): Appraisal {
  const augmentedEvent = leansOnListed(before, quotes);
  const value = valueOpportunity(quotes, before.targetPrice, pricingSettings(settings));
  if (value.kind === 'unpriced') {
    const errorCount = before.errorCount + (countsFailure ? 1 : 0);
    const lastError = storable(value.reason);
    return { row: { ...before, augmentedEvent, lastChecked: now, lastError, errorCount }, rises: false };
  }
  const { currentPrice, feesPerSet, profitPct } = value;
  const pays = isTriggered(before.active, profitPct, triggerThreshold(settings));
  const row = {
    ...before,
    currentPrice,
    feesPerSet,
    profitPercentage: profitPct,
    triggered: before.triggered && pays,
    augmentedEvent,
    lastChecked: now,
    lastError: null,
    errorCount: 0,
  };
  return { row, rises: risingEdge(before.triggered, pays) };
}

/** As its markets say; while one of them is not known, what was found out before stands. */
function leansOnListed({ augmentedEvent }: StoredOpportunity, quotes: readonly TrustedQuote[]): boolean {
  return quotes.some(({ market }) => market === undefined) ? augmentedEvent : quotesCoverOnlyListed(quotes);
}

/** Whether every book is one that may be acted on. */
export function canTrigger(quotes: readonly TrustedQuote[]): boolean {
  return quotes.every((quote) => isStreamed(quote) || quote.feed === 'polled');
}

/** Reasons quote the venue's questions, which may hold what the database does not take. */
function storable(reason: string): string {
  return reason.replaceAll('\0', '').toWellFormed();
}
