import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { Db } from '../platform/runtime/runtime.ts';
import { limitUse } from '../trading/under-way/limit-use.ts';
import type { Account } from '../trading/venue-desk/account.ts';

type CashDesks = { all: readonly { account: Pick<Account, 'reading'> }[] };

/** What the accounts have and what is tied up. */
export async function readMoney(db: Db, { all }: CashDesks, now: Instant) {
  const cash = all.map(({ account }) => account.reading()?.cash);
  const { openExposure } = await limitUse(db, now);
  return {
    cash_usd: cash.every((of) => of !== undefined) ? cash.reduce(addUsd, USD_ZERO) : null,
    open_exposure_usd: openExposure,
  };
}
