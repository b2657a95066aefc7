/** The account as it really was, with what a rehearsal has placed in place of what was placed then. */
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { LimitState } from '../risk/context.ts';

/** A batch of the trigger. `spent`: dollars with fees that it takes or has taken; `held`: what of it is still at risk. */
export type PlacedBatch = { at: Instant; spent: Usd; held: Usd };

/** What of an account depends on what was placed; `cash` is null where it is not known. */
export type AccountUse = { cash: Usd | null } & Pick<LimitState, 'placedToday' | 'openExposure'>;

/** `extra`: placed by the rehearsal alone; `missing`: placed then, and not by the rehearsal. */
export type PlacedDifference = { extra: readonly PlacedBatch[]; missing: readonly PlacedBatch[] };

/** Where both have placed the same, nothing is different. */
export function virtualAccount(account: AccountUse, { extra, missing }: PlacedDifference, now: Instant): AccountUse {
  const midnight = startOfUtcDay(now);
  const [more, less] = [extra, missing].map((batches) => useOf(batches, midnight));
  if (more === undefined || less === undefined) return account;
  const cash = account.cash === null ? null : subtractUsd(addUsd(account.cash, less.spent), more.spent);
  return {
    cash,
    placedToday: atLeastZero(account.placedToday + more.today - less.today),
    openExposure: atLeastZero(account.openExposure + more.held - less.held),
  };
}

function useOf(batches: readonly PlacedBatch[], midnight: Instant) {
  const use = { spent: USD_ZERO, today: USD_ZERO, held: USD_ZERO };
  for (const { at, spent, held } of batches) {
    use.spent = addUsd(use.spent, spent);
    use.held = addUsd(use.held, held);
    if (at >= midnight) use.today = addUsd(use.today, spent);
  }
  return use;
}

/** What was placed then may have been sold since, which is not counted here. */
function atLeastZero(amount: number): Usd {
  return Math.max(0, amount) as Usd;
}
