import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import type { Market } from './market.ts';

/** What stands together where a fee turns out to be another: markets whose kind of fee the venue calls the same, else those of one rate. */
export function feeCategoryOf({ feeCategory, feeSchedule }: Pick<Market, 'feeCategory' | 'feeSchedule'>): string {
  if (feeCategory !== undefined) return feeCategory;
  return feeSchedule === null ? 'fee not said' : `rate ${fractionToNumber(feeSchedule.rate)}`;
}
