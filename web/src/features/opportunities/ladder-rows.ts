import type { DepthLevel, PositionDepth } from '@dutchbook/contract/valuation.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

export type LadderRow = DepthLevel & {
  /** How far its bar reaches, 0 to 1: its cumulative dollars of the most that is shown. */
  reach: number;
  /** Whether an order of the largest profitable size would buy of it. */
  bought: boolean;
};

/** The best `levels` of each side as they stand on a ladder: the dearest ask on top, the lowest bid at the foot. */
export function ladderRows(
  { asks, bids }: PositionDepth,
  levels: number,
  buying: Shares | null,
): { asks: LadderRow[]; bids: LadderRow[] } {
  const shown = { asks: asks.slice(0, levels), bids: bids.slice(0, levels) };
  const most = Math.max(shown.asks.at(-1)?.total ?? 0, shown.bids.at(-1)?.total ?? 0);
  const reachOf = ({ total }: DepthLevel) => (most === 0 ? 0 : total / most);
  let before = 0;
  const asksUp = shown.asks.map((level) => {
    const bought = before < (buying ?? 0);
    before += level.size;
    return { ...level, reach: reachOf(level), bought };
  });
  return {
    asks: asksUp.reverse(),
    bids: shown.bids.map((level) => ({ ...level, reach: reachOf(level), bought: false })),
  };
}
