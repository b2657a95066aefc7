/** The sizes that the slider of a ticket and the profit curve above it run over. */
import type { ProfitPoint } from '@dutchbook/contract/valuation.ts';
import { type Shares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';

type Curve = readonly Pick<ProfitPoint, 'size' | 'profit'>[];

/** Half as far again as the best size, so that what a larger one loses is seen, where the books offer as much. */
const BEYOND_BEST = 1.5;

/** In shares: from the smallest order to what the books offer, at most a part beyond the best size. */
export function sizeScale(least: Shares, best: Shares, curve: Curve): { from: number; most: number } {
  const from = Math.ceil(sharesToNumber(least));
  const wanted = Math.ceil(sharesToNumber(best) * BEYOND_BEST);
  const last = curve.at(-1);
  const offered = last === undefined ? wanted : Math.floor(sharesToNumber(last.size));
  return { from, most: Math.max(Math.min(wanted, offered), Math.ceil(sharesToNumber(best)), from + 1) };
}

/** The curve from one end of the scale to the other, straight between its points and from nothing to the first. */
export function curveWithin(curve: Curve, from: number, most: number): { sets: number; dollars: number }[] {
  const points = curve.map(({ size, profit }) => ({ sets: sharesToNumber(size), dollars: usdToNumber(profit) }));
  const inside = points.filter(({ sets }) => sets > from && sets < most);
  return [{ sets: from, dollars: profitAt(points, from) }, ...inside, { sets: most, dollars: profitAt(points, most) }];
}

function profitAt(points: { sets: number; dollars: number }[], at: number): number {
  let before = { sets: 0, dollars: 0 };
  for (const point of points) {
    if (point.sets >= at) {
      const part = (at - before.sets) / (point.sets - before.sets);
      return before.dollars + part * (point.dollars - before.dollars);
    }
    before = point;
  }
  return before.dollars;
}
