import type { exportCsv } from '@dutchbook/contract/opportunities.ts';
import type * as z from 'zod/mini';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openFind } from './find.ts';
import type { OpportunityFilter, StoredOpportunity } from './store.ts';

type Asked = z.output<(typeof exportCsv)['query']>;

/** The filter of list and export. */
export async function filterOf(db: Db, query: Asked): Promise<OpportunityFilter> {
  return {
    find: await openFind(db, query.q),
    ids: query.ids,
    active: query.active,
    triggered: query.triggered,
    venue: query.venue,
    minProfit: query.min_profit_usd,
    minProfitPercentage: query.min_profit_percentage,
  };
}

/** Whether a row still matches in what moves with prices. */
export function matchesNow(row: StoredOpportunity, filter: OpportunityFilter): boolean {
  const { triggered, minProfit, minProfitPercentage } = filter;
  const { targetPrice, currentPrice, feesPerSet, profitPercentage } = row;
  const profit = currentPrice === null || feesPerSet === null ? null : targetPrice - currentPrice - feesPerSet;
  return (
    (triggered === undefined || row.triggered === triggered) &&
    (minProfit === undefined || (profit !== null && profit >= minProfit)) &&
    (minProfitPercentage === undefined || (profitPercentage !== null && profitPercentage >= minProfitPercentage))
  );
}
