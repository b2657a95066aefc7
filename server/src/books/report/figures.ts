/** The sums that the answers of the report have in common. */
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { batchResults } from './table.ts';

export const COUNT: SQL<number> = sql`count(*)`.mapWith(Number);

export function total(what: SQLWrapper): SQL<number> {
  return sql`coalesce(sum(${what}), 0)`.mapWith(Number);
}

export function totalUsd(what: SQLWrapper): SQL<Usd> {
  return total(what) as SQL<Usd>;
}

export function totalShares(what: SQLWrapper): SQL<Shares> {
  return total(what) as SQL<Shares>;
}

export const SLIPPAGE: SQL = sql`(${batchResults.movedBeforeSend} + ${batchResults.movedInFlight} + ${batchResults.sizeAdded})`;

export const HELD_PARTS = {
  locked_usd: totalUsd(batchResults.lockedProfit),
  at_risk_usd: totalUsd(batchResults.atRisk),
};

export const PROFIT_PARTS = { paid_usd: totalUsd(batchResults.paidProfit), ...HELD_PARTS };

export const SLIPPAGE_PARTS = {
  slippage_usd: totalUsd(SLIPPAGE),
  moved_before_send_usd: totalUsd(batchResults.movedBeforeSend),
  moved_in_flight_usd: totalUsd(batchResults.movedInFlight),
  size_added_usd: totalUsd(batchResults.sizeAdded),
};
