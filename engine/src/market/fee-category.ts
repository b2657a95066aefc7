import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import type { Market } from './market.ts';

/** Markets of one category stop together after a wrong fee: those of one kind of fee, as the venue names it, else those of one rate. */
export function feeCategoryOf({ feeCategory, feeSchedule }: Pick<Market, 'feeCategory' | 'feeSchedule'>): string {
  if (feeCategory !== undefined) return feeCategory;
  return feeSchedule === null ? 'fee not said' : `rate ${fractionToNumber(feeSchedule.rate)}`;
}
