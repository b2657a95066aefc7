import { minShares, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, totalNotional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { type Fill, standingFills } from '../order/fill.ts';

/**
 * What one batch order bought, sold and still holds by its fills. `cost` (rounded up) and `proceeds` (rounded down) are
 * before fees. A venue that takes its fee in shares holds less than `held`.
 */
export type Holding = {
  bought: Shares;
  sold: Shares;
  held: Shares;
  cost: Usd;
  buyFees: Usd;
  proceeds: Usd;
  saleFees: Usd;
};

/** `fills` are of the order's own attempts, `sales` of the orders that sold its shares; repetitions count once. */
export function holdingOf({ fills, sales }: { fills: readonly Fill[]; sales: readonly Fill[] }): Holding {
  const buys = standingFills(fills);
  const sells = standingFills(sales);
  const bought = totalSize(buys);
  const sold = totalSize(sells);
  return {
    bought,
    sold,
    held: subtractShares(bought, minShares(sold, bought)),
    cost: totalNotional(buys, 'up'),
    buyFees: feesOf(buys),
    proceeds: totalNotional(sells, 'down'),
    saleFees: feesOf(sells),
  };
}

function feesOf(fills: readonly Fill[]): Usd {
  return fills.reduce((total, { fee }) => addUsd(total, fee), USD_ZERO);
}
