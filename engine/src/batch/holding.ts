import { minShares, roundSharesDown, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { addUsd, totalNotional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { type Fill, standingFills } from '../order/fill.ts';
import { SIZE_STEP } from '../order/plan.ts';

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

/**
 * Whether everything that was filled has been sold, but for what no order could sell. `atVenue` is what the account holds of
 * the order's token by an answer of the venue that lists its holdings; null where there is none to go by.
 */
export function isSoldOut(orders: readonly { holding: Holding; atVenue: Shares | null }[]): boolean {
  const filled = orders.filter(({ holding }) => holding.bought > 0);
  return (
    filled.length > 0 && filled.every(({ holding, atVenue }) => holding.sold > 0 && leftToSell(holding, atVenue) === 0)
  );
}

/** A venue may have taken a part of what was bought as its fee: a twentieth at most. */
const FEE_PART_MAX = 20;

/**
 * Whether more is held, by its fills, than the venue may have taken as its fee and than no order could sell. An answer of
 * the venue that tells of less is not believed then.
 */
export function holdsMoreThanFees({ held, bought }: Pick<Holding, 'held' | 'bought'>): boolean {
  return held * FEE_PART_MAX > bought && roundSharesDown(held, SIZE_STEP) > 0;
}

function leftToSell({ held }: Holding, atVenue: Shares | null): Shares {
  return roundSharesDown(minShares(held, atVenue ?? held), SIZE_STEP);
}

function feesOf(fills: readonly Fill[]): Usd {
  return fills.reduce((total, { fee }) => addUsd(total, fee), USD_ZERO);
}
