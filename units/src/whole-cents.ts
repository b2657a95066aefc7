import { MICRO } from './micro.ts';
import type { Usd } from './usd.ts';

const MICRO_PER_CENT = MICRO / 100;

/**
 * Parts of a sum as they are shown beside it: in whole cents that add up to the sum as that is shown, each less than a cent from what it
 * is. Those that lose most by being cut to whole cents are the ones that are raised. `whole`: the sum as it is shown, where that is itself
 * one of several parts.
 */
export function wholeCents(parts: readonly Usd[], whole: Usd = sum(parts) as Usd): Usd[] {
  const cut = parts.map((part) => Math.floor(part / MICRO_PER_CENT));
  const missing = Math.max(0, shownCents(whole) - sum(cut));
  const byLoss = parts.map((part, nth) => ({ nth, lost: part - (cut[nth] ?? 0) * MICRO_PER_CENT }));
  const raised = new Set(
    byLoss
      .toSorted((one, other) => other.lost - one.lost)
      .slice(0, missing)
      .map(({ nth }) => nth),
  );
  return cut.map((cents, nth) => ((cents + (raised.has(nth) ? 1 : 0)) * MICRO_PER_CENT) as Usd);
}

/** As `formatUsd` rounds: halves away from nothing. */
function shownCents(micro: number): number {
  return Math.sign(micro) * Math.round(Math.abs(micro) / MICRO_PER_CENT);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
