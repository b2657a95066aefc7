/** When a basket that was found gives way to a better one of the same relation and direction. */
import type { Usd } from '@dutchbook/units/usd.ts';

/** A little more is waited for so long: baskets that differ by a leg that hardly pays would alternate with every frame. */
const LITTLE_AFTER_MS = 5000;
/** The tenth part more than what is open makes, or less, is a little. */
const MUCH = 10;

/**
 * `openProfit`: what the open one makes with the current books, zero where it cannot be bought; `openForMs`: since it took its place.
 * `leastGain`: dollars that are worth a change.
 */
export type Contest = { openProfit: Usd; openForMs: number; profit: Usd; leastGain: Usd };

/** An open basket that makes nothing any more gives way at once, also to one that makes less than it once did. */
export function givesWay({ openProfit, openForMs, profit, leastGain }: Contest): boolean {
  if (openProfit <= 0) return profit > 0;
  const gain = profit - openProfit;
  if (gain <= 0 || gain < leastGain) return false;
  return gain * MUCH >= openProfit || openForMs >= LITTLE_AFTER_MS;
}
