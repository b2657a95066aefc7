/** The accounts as they really were, with what a rehearsal has placed in place of what was placed then. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { AccountState, Accounts } from '../risk/context.ts';

/** A batch of the trigger. `spent`: dollars with fees that it takes or has taken; `held`: what of it is still at risk. */
export type PlacedBatch = { venue: VenueName; at: Instant; spent: Usd; held: Usd };

/** `extra`: placed by the rehearsal alone; `missing`: placed then, and not by the rehearsal. */
export type PlacedDifference = { extra: readonly PlacedBatch[]; missing: readonly PlacedBatch[] };

/** Where both have placed the same, nothing is different. */
export function virtualAccounts(accounts: Accounts, { extra, missing }: PlacedDifference, now: Instant): Accounts {
  const midnight = startOfUtcDay(now);
  const placed = (venue: VenueName) =>
    [extra, missing].map((batches) =>
      useOf(
        batches.filter((batch) => batch.venue === venue),
        midnight,
      ),
    );
  return new Map([...accounts].map(([venue, account]) => [venue, virtualAccount(account, placed(venue))]));
}

type Use = ReturnType<typeof useOf>;

function virtualAccount(account: AccountState, [more, less]: Use[]): AccountState {
  if (more === undefined || less === undefined) return account;
  const { balance, placedToday, openExposure } = account;
  return {
    ...account,
    balance: balance === null ? null : subtractUsd(addUsd(balance, less.spent), more.spent),
    placedToday: atLeastZero(placedToday + more.today - less.today),
    openExposure: atLeastZero(openExposure + more.held - less.held),
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

/** Clamps at zero: a placement of the recorded run may have been sold since, which is not counted here. */
function atLeastZero(amount: number): Usd {
  return Math.max(0, amount) as Usd;
}
