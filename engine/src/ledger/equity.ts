/** What an account is worth over time, and how far it has fallen below its peak. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';

/**
 * `cash`: confirmed or matched. `locked`: what whole sets pay. `shares`: what no set needs, at the bid. `paidIn`: deposits less
 * withdrawals since the ledger began, which are no profit.
 */
export type EquityPoint = { at: Instant; cash: Usd; locked: Usd; shares: Usd; paidIn: Usd };

/** `boughtFor`: what they have cost where the rest of their set is being bought; null of others. */
export type LoosePosition = { shares: Shares; price: Price | null; boughtFor: Usd | null };

/**
 * Shares of a set that is being bought count with what they have cost, others at their price. Without a price they count with nothing;
 * `unpriced` is how many positions those are.
 */
export function worthOf(loose: readonly LoosePosition[]): { worth: Usd; unpriced: number } {
  const worth = loose.reduce(
    (sum, { shares, price, boughtFor }) =>
      addUsd(sum, boughtFor ?? (price === null ? USD_ZERO : notional(shares, price, 'down'))),
    USD_ZERO,
  );
  return { worth, unpriced: loose.filter(({ price, boughtFor }) => price === null && boughtFor === null).length };
}

export function equityOf({ cash, locked, shares }: EquityPoint): Usd {
  return addUsd(addUsd(cash, locked), shares);
}

/** What was earned since the ledger began. */
function earnedBy(point: EquityPoint): Usd {
  return subtractUsd(equityOf(point), point.paidIn);
}

export type EquityChange = { since: Instant; change: Usd };

/**
 * What was earned from `since` to `now`: from the last of the `points` by then, or from nothing where the ledger began later. Where
 * neither is known it counts from the first point. `points` are the oldest first. Null without any.
 */
export function changeSince(
  { points, beganAt, now }: { points: readonly EquityPoint[]; beganAt: Instant; now: EquityPoint },
  since: Instant,
): EquityChange | null {
  const before = points.findLast(({ at }) => at <= since);
  if (before !== undefined) return { since, change: subtractUsd(earnedBy(now), earnedBy(before)) };
  if (beganAt >= since) return { since: beganAt, change: earnedBy(now) };
  const [first] = points;
  return first === undefined ? null : { since: first.at, change: subtractUsd(earnedBy(now), earnedBy(first)) };
}

export type Curve = { points: { at: Instant; equity: Usd }[]; drawdown: Usd; belowPeak: Usd };

/**
 * Equity as if what is paid in now had been there all the time, so that a deposit is no rise. `drawdown`: the deepest fall below an
 * earlier peak; `belowPeak`: how far it is below the highest one now. Both are of all points; of those at most `most` are drawn.
 */
export function equityCurve(points: readonly EquityPoint[], paidIn: Usd, most: number): Curve {
  const all = points.map((point) => ({ at: point.at, equity: addUsd(earnedBy(point), paidIn) }));
  let peak = all[0]?.equity ?? USD_ZERO;
  let drawdown = USD_ZERO;
  for (const { equity } of all) {
    if (equity > peak) peak = equity;
    const below = subtractUsd(peak, equity);
    if (below > drawdown) drawdown = below;
  }
  const last = all.at(-1);
  return {
    points: thinned(all, most),
    drawdown,
    belowPeak: last === undefined ? USD_ZERO : subtractUsd(peak, last.equity),
  };
}

/** The last of each of as many equal spans of time, and the first of all. */
function thinned<Point extends { at: Instant }>(points: readonly Point[], most: number): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length <= most) return [...points];
  const span = Math.ceil((last.at - first.at + 1) / (most - 1));
  const bySpan = new Map(points.map((point) => [Math.floor((point.at - first.at) / span), point]));
  return [first, ...[...bySpan.values()].filter((point) => point !== first)];
}
