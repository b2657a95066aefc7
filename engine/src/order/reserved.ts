/** A batch's entries in the reserved accounts; spendable cash, exposure and the day's spending are balances of these. */
import { idAt, type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Fill, standingFills } from './fill.ts';
import type { AttemptState, BatchOrderStatus } from './life.ts';
import { type HeldByOrder, openCosts } from './open-cost.ts';
import { mayTake, type Taking, unreportedOf } from './under-way.ts';

/**
 * `reserved`: what may still be taken and is not known to rest at the venue, which keeps cash back for what does: `resting`.
 * `exposed`: either of them and what the held shares cost that are not lost. `placed`: what attempts that were sent on a day took or may still take.
 */
type ReservedAccount = 'reserved' | 'resting' | 'exposed' | 'placed';

/** Money of practice has accounts of its own, as each venue has: those have the prefix of its ids. */
export type AccountName = string & { readonly accountOf?: ReservedAccount };

/** `day`: of `placed` the day (UTC, `yyyy-mm-dd`), or `UNSENT`; of the others nothing. */
export type ReservedEntry = { account: AccountName; day: string; amount: Usd };

/** Counts for today whenever that is; it sorts after all days. */
const UNSENT = 'unsent';

export function accountAt(venue: VenueName, account: ReservedAccount, isPractice = false): AccountName {
  return idAt(venue, isPractice ? `${account}@practice` : account);
}

type ReservingAttempt = AttemptState & {
  size: Shares;
  price: Price;
  feeRate: Taking['feeRate'] | null;
  sentAt: Instant | null;
  endedAt: Instant | null;
};

/** An order to buy. `resolvedValue`: what a share of it pays since its market has resolved. */
export type ReservingOrder = Taking & {
  tokenId: TokenId;
  status: BatchOrderStatus;
  filledSize: Shares;
  filledCost: Usd;
  fee: Usd;
  soldSize: Shares;
  goneSize: Shares;
  resolvedValue: Price | null;
  attempts: readonly ReservingAttempt[];
  /** Fills of its attempts. */
  fills: readonly Fill[];
};

/**
 * `isHolding`: it is not sold out; what its fills show beyond its sales is dust, or what the venue took as its fee. `isReleased`: until
 * its prepared orders leave, their dollars are free for others.
 */
export type ReservingBatch = {
  isPractice: boolean;
  isHolding: boolean;
  isReleased: boolean;
  orders: readonly ReservingOrder[];
};

/** One entry for each account and day of which the batch has something. */
export function reservedEntries({ isPractice, isHolding, isReleased, orders }: ReservingBatch): ReservedEntry[] {
  const sums = new Map<string, ReservedEntry>();
  const addAt = (venue: VenueName, to: ReservedAccount, amount: Usd, day = '') => {
    if (amount === 0) return;
    const account = accountAt(venue, to, isPractice);
    const key = `${account} ${day}`;
    sums.set(key, { account, day, amount: addUsd(sums.get(key)?.amount ?? USD_ZERO, amount) });
  };
  const open = isHolding ? openCosts(orders.map((order) => heldOf(order, isPractice))) : [];
  for (const [place, order] of orders.entries()) {
    const venue = venueOf(order.tokenId);
    const add = (to: ReservedAccount, amount: Usd, day = '') => addAt(venue, to, amount, day);
    const addPending = (to: 'reserved' | 'resting', amount: Usd) => {
      add(to, amount);
      if (isHolding) add('exposed', amount);
    };
    const { attempts, fills, feeRate, feeStep } = order;
    if (attempts.length === 0 && order.status === 'pending') {
      addPending('reserved', mayTake(order));
      add('placed', mayTake(order), UNSENT);
    }
    for (const attempt of attempts) {
      if (isReleased && attempt.status === 'prepared') continue;
      const terms = { price: attempt.price, feeRate: attempt.feeRate ?? feeRate, feeStep };
      const pending = mayTake({ size: unreportedOf(attempt, fills), ...terms });
      addPending(attempt.status === 'open' ? 'resting' : 'reserved', pending);
      const day = dayOf(attempt, isPractice);
      if (day !== null) add('placed', addUsd(pending, spentBy(attempt, fills)), day);
    }
    add('exposed', open[place] ?? USD_ZERO);
  }
  return [...sums.values()];
}

/** The day on which it was sent, or on which practice filled it; null where nothing of it has left. */
function dayOf({ status, sentAt, endedAt }: ReservingAttempt, isPractice: boolean): string | null {
  const at = isPractice ? endedAt : sentAt;
  if (at !== null) return utcDay(at);
  return status === 'prepared' ? UNSENT : null;
}

export function utcDay(at: Instant): string {
  return instantToIso(at).slice(0, 'yyyy-mm-dd'.length);
}

function spentBy({ id }: ReservingAttempt, fills: readonly Fill[]): Usd {
  return standingFills(fills.filter(({ attemptId }) => attemptId === id)).reduce(
    (sum, { cost, fee }) => addUsd(sum, addUsd(cost, fee)),
    USD_ZERO,
  );
}

/** Practice is paid with the result: nothing is held of it then. */
function heldOf(order: ReservingOrder, isPractice: boolean): HeldByOrder {
  const { filledSize, filledCost, fee, soldSize, goneSize, resolvedValue } = order;
  const isPaid = isPractice && resolvedValue !== null;
  const held = (isPaid ? SHARES_ZERO : Math.max(0, filledSize - soldSize - goneSize)) as Shares;
  return { held, bought: filledSize, cost: addUsd(filledCost, fee), resolvedValue };
}
