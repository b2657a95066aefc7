import { usdFromNumber } from '@dutchbook/units/usd.ts';

/** No order of any size that the settings allow is smaller: less cash than this pays for nothing. */
export const LEAST_ORDER = usdFromNumber(1);
