import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { PlannedOrder } from '../../order/plan.ts';
import type { Blocker, LimitContext, LimitUse, OrderSpending, TradingLimits } from '../context.ts';
import { firstOf, limitRefusal } from '../wording.ts';
import { refusalsByVenue } from './touched.ts';

/** The amounts compared with a limit: the part of a plan at one venue and the use there, or the sums over all venues. */
type Held = LimitUse & { orders: readonly PlannedOrder[]; reserve: Usd; spentBefore: readonly OrderSpending[] };

/** `name`: what the limit is called after "no". `amount` begins to read as `what`: "the batch takes up to". */
type Limit = {
  gate: string;
  name: string;
  limit: keyof TradingLimits;
  amountOf: (held: Held) => { amount: Usd; what: string };
};

/** Asks a limit of every venue that the plan touches, and then the one of the whole desk. */
export function askLimits(context: LimitContext, { gate, name, limit, amountOf }: Limit): Blocker | null {
  const ofVenues = refusalsByVenue(context, ({ account, ...touched }) =>
    limitRefusal({
      ...{ gate, name, limit: account.limits[limit], required: account.limitsRequired },
      ...amountOf({ ...account, ...touched }),
    }),
  );
  const ofDesk = context.deskLimits[limit];
  if (ofDesk === null) return firstOf(ofVenues);
  const whole = { orders: context.plan.orders, reserve: context.plan.totalReserve, spentBefore: context.spentBefore };
  const refused = limitRefusal({
    ...{ gate, name, limit: ofDesk, required: false, whose: ' of the whole desk' },
    ...amountOf({ ...whole, ...usedBy(context) }),
  });
  return firstOf(refused === null ? ofVenues : [...ofVenues, refused]);
}

/** Use over all accounts, also of venues that are no longer configured. */
function usedBy({ accounts }: LimitContext): LimitUse {
  const sum = (use: keyof LimitUse) =>
    [...accounts.values()].reduce((total, account) => addUsd(total, account[use]), USD_ZERO);
  return { placedToday: sum('placedToday'), openExposure: sum('openExposure') };
}
