import { mulDiv } from '@dutchbook/units/micro.ts';
import {
  addShares,
  LEAST_SIZE,
  minShares,
  roundSharesDown,
  SHARES_ZERO,
  type Shares,
  subtractShares,
} from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { collapseFills, dollarsOf, type Fill, standingFills } from '../order/fill.ts';

/**
 * What one batch order bought, sold and still holds by its fills. `cost` and `proceeds` are before fees. Where more was
 * sold than the standing fills bought, because a purchase failed to settle after its shares were sold, what that purchase
 * would have cost stays in `cost`: those shares belonged to another holding of the account, which is owed them. Shares that left otherwise
 * brought nothing that is known here. A venue that takes its fee in shares holds less than `held`.
 */
export type Holding = {
  bought: Shares;
  /** The part of `bought` that the venue has credited: trades that are mined or confirmed. The rest may yet fail to settle. */
  credited: Shares;
  sold: Shares;
  held: Shares;
  cost: Usd;
  buyFees: Usd;
  proceeds: Usd;
  saleFees: Usd;
};

/** `goneSize`: shares that have left the account by no order of ours. */
type Reported = { fills: readonly Fill[]; sales: readonly Fill[]; goneSize?: Shares };

/** `fills` are of the order's own attempts, `sales` of the orders that sold its shares; repetitions count once. */
export function holdingOf({ fills, sales, goneSize = SHARES_ZERO }: Reported): Holding {
  const buys = standingFills(fills);
  const sells = standingFills(sales);
  const bought = totalSize(buys);
  const sold = totalSize(sells);
  const owed = sold > bought ? costOfFailed(fills, subtractShares(sold, bought)) : { cost: USD_ZERO, fees: USD_ZERO };
  return {
    bought,
    credited: totalSize(buys.filter(({ settlement }) => settlement === 'mined' || settlement === 'confirmed')),
    sold,
    held: subtractShares(bought, minShares(addShares(sold, goneSize), bought)),
    cost: addUsd(dollarsOf(buys), owed.cost),
    buyFees: addUsd(feesOf(buys), owed.fees),
    proceeds: dollarsOf(sells),
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

function leftToSell({ held }: Holding, atVenue: Shares | null): Shares {
  return roundSharesDown(minShares(held, atVenue ?? held), LEAST_SIZE);
}

/** What `shares` of the purchases that failed to settle would have cost, rounded up. */
function costOfFailed(reports: readonly Fill[], shares: Shares): { cost: Usd; fees: Usd } {
  const failed = collapseFills(reports).filter(({ settlement }) => settlement === 'failed');
  const size = totalSize(failed);
  if (size === 0) return { cost: USD_ZERO, fees: USD_ZERO };
  const part = minShares(shares, size);
  return {
    cost: mulDiv(dollarsOf(failed), part, size, 'up') as Usd,
    fees: mulDiv(feesOf(failed), part, size, 'up') as Usd,
  };
}

function feesOf(fills: readonly Fill[]): Usd {
  return fills.reduce((total, { fee }) => addUsd(total, fee), USD_ZERO);
}
