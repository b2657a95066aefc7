import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { Assessment } from '@dutchbook/engine/desk/assess.ts';
import { nameOfQuotes } from '@dutchbook/engine/opportunity/name.ts';
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { insertOf } from '../../../platform/database/many-rows.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { placedNotification } from '../../orders/placed-notification.ts';
import { batchRows, type Intent } from '../../orders/record-batch.ts';
import { batches, batchOrders } from '../../orders/table.ts';
import { reserveNew } from '../../under-way/reserve.ts';
import type { Asker, PlacedRows, PlaceParts, PlacingRequest } from './request.ts';

/** Turns an assessment into the intent that is recorded. */
export function intentOf(
  { settings }: PlaceParts,
  { opportunity, quotedPrice, askedBy, clip }: PlacingRequest,
  { plan, value, quotes, feeSchedules, sizeBoundedBy }: Assessment,
): Intent {
  return {
    ...{ quotedPrice, automatic: askedBy === null, createdBy: askedBy?.userId ?? null },
    opportunityId: opportunity.id,
    name: nameOfQuotes(quotes),
    targetPrice: opportunity.targetPrice,
    plan,
    sizeBoundedBy,
    offeredProfit: opportunity.profitUsd,
    series: isInClips(settings.current(), askedBy, sizeBoundedBy) ? placeInSeries(clip) : null,
    feeSchedules,
    bookAges: bookAgesOf(quotes),
    settings: settings.current(),
    warning: value.kind === 'valued' ? priceChangeWarning(quotedPrice, value.currentPrice) : null,
    isSignedOff: askedBy !== null && askedBy.signedOff !== null,
  };
}

function placeInSeries(clip: PlacingRequest['clip']): NonNullable<Intent['series']> {
  return clip === undefined ? { id: null, clip: 1 } : { id: clip.seriesId, clip: clip.clips + 1 };
}

/** Automatic batches are followed by further clips while they pay, unless the policy is the smallest size. */
function isInClips({ SIZE_POLICY }: Settings, askedBy: Asker | null, sizeBoundedBy: SizeBound | null): boolean {
  return askedBy === null && sizeBoundedBy !== null && SIZE_POLICY !== 'smallest';
}

/** The rows of a batch that is bought, pending. */
export function plainRows(runtime: Pick<Runtime, 'clock' | 'random'>, intent: Intent): PlacedRows {
  const { batch, orders } = batchRows(runtime, intent);
  const notification = placedNotification(batch.id, intent);
  const writes = [insertOf(batches, [batch]), insertOf(batchOrders, orders), reserveNew({ batch, orders })];
  return { batch, orders, writes, calls: [], notification };
}

/** Age of each market's older book. */
function bookAgesOf(quotes: readonly LiveQuote[]): Map<string, number> {
  const ages = new Map<string, number>();
  for (const { marketId, bookAgeMs } of quotes) {
    if (bookAgeMs !== null) ages.set(marketId, Math.max(bookAgeMs, ages.get(marketId) ?? 0));
  }
  return ages;
}

function priceChangeWarning(quotedPrice: Price | null, currentPrice: Price): string | null {
  if (quotedPrice === null || quotedPrice === currentPrice) return null;
  const moved = `from ${formatPrice(quotedPrice)} to ${formatPrice(currentPrice)}`;
  return `A set's price moved ${moved} between the quote and the order, within what is allowed.`;
}
