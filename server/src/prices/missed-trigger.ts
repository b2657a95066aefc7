import { profitCurve } from '@dutchbook/engine/opportunity/curve.ts';
import type { PositionQuote } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { missedTriggers } from '../report/table.ts';
import type { Db } from '../runtime.ts';

/** The statement that keeps what was missed, for the transaction that records the trigger: what all books would have made at best. */
export function missedInsert(
  tx: Db,
  id: string,
  at: Instant,
  { id: opportunityId, source, targetPrice, refusal }: StoredOpportunity,
  quotes: readonly PositionQuote[],
) {
  const [first] = quotes;
  const eventId = first?.market?.event?.id ?? first?.marketId ?? '';
  const profit = Math.max(0, ...profitCurve(quotes, targetPrice).map((point) => point.profit)) as Usd;
  return tx.insert(missedTriggers).values({ id, at, opportunityId, source, eventId, profit, refusal });
}
