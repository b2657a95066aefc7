/** When the profit of a batch that is paid became cash, dollar by dollar. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Fill, standingFills } from '../order/fill.ts';
import type { Holding } from './holding.ts';
import type { LegResult } from './result-leg.ts';

/** Profit, and what fees and slippage took of it. */
export type PaidAmounts = { paid: Usd; fees: Usd } & Pick<LegResult, 'movedBeforeSend' | 'sizeAdded' | 'movedInFlight'>;

/** `at`: when that was realised, by a sale or by a call of a contract; null where nothing says when. */
export type PaidPart = PaidAmounts & { at: Instant | null };

/**
 * One order whose shares the batch may hold. `slippage` is what buying it took more than predicted. `goneAt`: when shares were found to
 * have left the account by no order of ours; `worthlessAt`: when its market was found to have resolved against it.
 */
export type PaidHolder = {
  holding: Holding;
  sales: readonly (Fill & { matchedAt: Instant })[];
  slippage: Omit<PaidAmounts, 'paid' | 'fees'>;
  goneAt: Instant | null;
  worthlessAt: Instant | null;
};

/** `matchedAt`: of the last buy. `closed`: the whole result of the batch, where it holds nothing any more that may still pay. */
export type PaidBatch = { holders: readonly PaidHolder[]; matchedAt: Instant | null; closed: PaidAmounts | null };

export const NOTHING_PAID: PaidAmounts = {
  ...{ paid: USD_ZERO, fees: USD_ZERO },
  ...{ movedBeforeSend: USD_ZERO, sizeAdded: USD_ZERO, movedInFlight: USD_ZERO },
};

/**
 * Each sale realises its proceeds less the average cost of its shares, and so do shares that are gone, for nothing. What a batch that is
 * closed made beyond that, such as the cost of a leg that lost, is realised by the last thing that happened to it. The parts add up
 * to the paid profit of the batch.
 */
export function paidParts({ holders, matchedAt, closed }: PaidBatch): PaidPart[] {
  const parts = holders.flatMap((holder) => partsOfHolder(holder, matchedAt));
  if (closed === null) return parts;
  const rest = addAmounts(closed, negated(parts.reduce<PaidAmounts>(addAmounts, NOTHING_PAID)));
  const endings = [
    ...parts.map(({ at }) => at),
    ...holders.map(({ holding, worthlessAt }) => (holding.held > 0 ? worthlessAt : null)),
  ].filter((at) => at !== null);
  return [...parts, { ...rest, at: endings.length === 0 ? matchedAt : (Math.max(...endings) as Instant) }];
}

type Leaving = { at: Instant | null; size: Shares; proceeds: Usd; fee: Usd };

function partsOfHolder(holder: PaidHolder, matchedAt: Instant | null): PaidPart[] {
  const { bought, held, cost, buyFees } = holder.holding;
  const leavings = leavingsOf(holder, matchedAt);
  const left = leavings.reduce((sum, { size }) => sum + size, 0);
  if (left === 0) return [];
  const spent = partOf(addUsd(cost, buyFees), { bought, held }, 'up');
  const fees = partOf(buyFees, { bought, held }, 'up');
  const slippage = mapAmounts(holder.slippage, (amount) => partOf(amount, { bought, held }, 'down'));
  let [before, until] = [0, 0];
  const share = (total: Usd) => (mulDiv(total, until, left, 'down') - mulDiv(total, before, left, 'down')) as Usd;
  return leavings.map(({ at, size, proceeds, fee }) => {
    [before, until] = [until, until + size];
    return {
      at,
      paid: (proceeds - fee - share(spent)) as Usd,
      fees: addUsd(fee, share(fees)),
      ...mapAmounts(slippage, share),
    };
  });
}

/** Shares that left the holding: first those sold, then those that went without a sale. */
function leavingsOf({ holding, sales, goneAt }: PaidHolder, matchedAt: Instant | null): Leaving[] {
  const sold = (standingFills(sales) as (Fill & { matchedAt: Instant })[]).map(
    ({ matchedAt: at, size, cost: proceeds, fee }) => ({ at, size, proceeds, fee }),
  );
  const gone = Math.max(SHARES_ZERO, holding.bought - holding.held - holding.sold) as Shares;
  if (gone === 0) return sold;
  return [...sold, { at: goneAt ?? matchedAt, size: gone, proceeds: USD_ZERO, fee: USD_ZERO }];
}

/** The part of `total` for the shares that left, at the average of all purchases. */
export function partOf(total: Usd, { bought, held }: Pick<Holding, 'bought' | 'held'>, rounding: 'up' | 'down'): Usd {
  return held === 0 ? total : (mulDiv(total, bought - held, bought, rounding) as Usd);
}

export function addAmounts(a: PaidAmounts, b: PaidAmounts): PaidAmounts {
  return {
    paid: addUsd(a.paid, b.paid),
    fees: addUsd(a.fees, b.fees),
    movedBeforeSend: addUsd(a.movedBeforeSend, b.movedBeforeSend),
    sizeAdded: addUsd(a.sizeAdded, b.sizeAdded),
    movedInFlight: addUsd(a.movedInFlight, b.movedInFlight),
  };
}

function negated(amounts: PaidAmounts): PaidAmounts {
  return mapAmounts(amounts, (amount) => subtractUsd(USD_ZERO, amount));
}

function mapAmounts<Amounts extends Record<string, Usd>>(amounts: Amounts, map: (amount: Usd) => Usd): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, map(amount)])) as Amounts;
}
