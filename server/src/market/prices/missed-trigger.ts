import { profitCurve } from '@dutchbook/engine/opportunity/curve.ts';
import type { PositionQuote } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { missedTriggers } from './table.ts';

/** The statement that keeps what was missed, for the transaction that records the trigger: what all books would have made at best. */
export function missedInsert(
  tx: Db,
  id: string,
  at: Instant,
  { id: opportunityId, source, targetPrice, refusal }: StoredOpportunity,
  quotes: readonly PositionQuote[],
) {
  const [first] = quotes;
  const { event, ...market } = first?.market ?? { event: null, question: '' };
  const eventId: string = event?.id ?? first?.marketId ?? '';
  // The database holds no text with this character, and a title is no reason for a trigger not to be recorded.
  const eventTitle = (event?.title ?? market.question).replaceAll('\0', '');
  const { profit, size } = profitCurve(quotes, targetPrice).reduce(
    (best, point) => (point.profit > best.profit ? point : best),
    { profit: USD_ZERO, size: SHARES_ZERO },
  );
  return tx
    .insert(missedTriggers)
    .values({ id, at, opportunityId, source, eventId, eventTitle, profit, size, refusal });
}
