/** How finely the venue divides, the same in all its markets; prices have a tick of their own in each. */
import type { FeeSchedule } from '@dutchbook/engine/market/market.ts';
import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** Sizes have two decimals, whatever the tick. */
export const SIZE_STEP = 10_000 as Shares;
/** Whatever the tick, the venue takes four decimals at most of the dollars of an order that is filled at once. */
export const SALE_AMOUNT_STEP = 100 as Usd;
/** The least that an order may spend that buys at once. */
export const MIN_IMMEDIATE_BUY = 1_000_000 as Usd;
/** An order that buys at once and does not rest spends whole cents. */
export const IMMEDIATE_BUY_STEP = 10_000 as Usd;
/** The shares that it takes for them at its limit have four decimals. */
export const BOUGHT_STEP = 100;
/** Fees are booked to five decimals. */
export const FEE_STEP = 10 as Usd;
/** Makers pay nothing, in every market. */
export const MAKER_FEE: FeeSchedule = { rate: FRACTION_ZERO, step: FEE_STEP };
/** All of the account's cash pays for orders in any market. */
export const POCKET = 'cash';
