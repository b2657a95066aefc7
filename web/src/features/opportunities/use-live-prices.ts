import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import type { HistoryPoint } from '@dutchbook/contract/valuation.ts';
import { useState } from 'react';
import { livePoint } from './price-history-drawing.ts';

/** Half an hour of a price that moves five times a second would be more than a chart can show. */
const POINTS_MAX = 2_000;

/** The prices this page has been sent since it was opened, oldest first; one that did not change only moves on in time. */
export function useLivePrices(opportunity: Opportunity): HistoryPoint[] {
  const [live, setLive] = useState<HistoryPoint[]>([]);
  const point = livePoint(opportunity);
  const last = live.at(-1);
  if (point === undefined) return live;
  if (last !== undefined && (point.at < last.at || isSame(last, point))) return live;
  // What was judged at one moment may be told in two steps: the price, then that it triggers.
  const before = point.at === last?.at ? live.slice(0, -1) : live;
  const next = [...before, point].slice(-POINTS_MAX);
  setLive(next);
  return next;
}

function isSame(a: HistoryPoint, b: HistoryPoint): boolean {
  return a.current_price === b.current_price && a.target_price === b.target_price && a.triggered === b.triggered;
}
