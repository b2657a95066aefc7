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

type Slippage = Record<'movedBeforeSend' | 'movedInFlight' | 'sizeAdded', SQLWrapper>;

function slippageOf({ movedBeforeSend, movedInFlight, sizeAdded }: Slippage): SQL {
  return sql`(${movedBeforeSend} + ${movedInFlight} + ${sizeAdded})`;
}

export const SLIPPAGE = slippageOf(batchResults);

export const HELD_PARTS = {
  locked_usd: totalUsd(batchResults.lockedProfit),
  at_risk_usd: totalUsd(batchResults.atRisk),
};

export const PROFIT_PARTS = { paid_usd: totalUsd(batchResults.paidProfit), ...HELD_PARTS };

export function slippageParts(of: Slippage) {
  return {
    slippage_usd: totalUsd(slippageOf(of)),
    moved_before_send_usd: totalUsd(of.movedBeforeSend),
    moved_in_flight_usd: totalUsd(of.movedInFlight),
    size_added_usd: totalUsd(of.sizeAdded),
  };
}

export const SLIPPAGE_PARTS = slippageParts(batchResults);
