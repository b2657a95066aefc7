import { idAt, venueOf } from '@dutchbook/units/ids.ts';
import { feeCategoryOf } from '../market/fee-category.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/** Where fees were not what they were said to be, a promised profit may be a loss: nothing is bought alone until a person has looked. */
export function feeStopsGate({ quotes, feeStops }: Pick<GateContext, 'quotes' | 'feeStops'>): Blocker | null {
  if (feeStops === undefined || feeStops.size === 0) return null;
  return firstOf(
    quotes.flatMap(({ leg, market }): Blocker[] => {
      if (market === undefined) return [];
      const category = feeCategoryOf(market);
      if (!feeStops.has(idAt(venueOf(market.id), category))) return [];
      const message = `leg ${leg}: fees of "${category}" were not what the venue said, and no superuser has cleared that`;
      return [{ gate: 'fee-stops', message, actual: null, required: null }];
    }),
  );
}
