/** The account of practice: cash of its own, and what of it is spent. Nothing of it is in any figure of the account at the venue. */
import { mayTake } from '@dutchbook/engine/order/under-way.ts';
import type { LimitState, TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { type Instant, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import { literals } from '../../platform/database/literals.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from '../orders/batch-store.ts';
import { costOfShares, heldShares, isHolding } from '../under-way/rules.ts';
import { type TakingRow, takingIn } from '../under-way/spendable.ts';

export type PracticeAccount = { cash: Usd; limitState: LimitState };

/** Sums as text, and the orders that may still take something. */
export type PracticeRow = { change: string; today: string; held: string; pending: TakingRow[] };

type Parts = { runtime: Pick<Runtime, 'config' | 'clock'> };

/** `ownBatchId`: what that batch may still take is left out. */
export async function readPracticeAccount(
  db: Db,
  parts: Parts,
  limits: TradingLimits,
  ownBatchId?: string,
): Promise<PracticeAccount> {
  const answer = await db.execute(practiceQuery(parts.runtime.clock.now(), ownBatchId));
  const [row] = (answer as unknown as { rows: PracticeRow[] }).rows;
  return practiceAccountIn(row, parts, limits);
}

/** By the row of `practiceQuery`. */
export function practiceAccountIn(
  row: PracticeRow | undefined,
  { runtime }: Parts,
  limits: TradingLimits,
): PracticeAccount {
  if (row === undefined) throw new Error('a select of sums answered no row');
  const pending = row.pending.reduce((sum, order) => addUsd(sum, mayTake(takingIn(order))), 0 as Usd);
  const more = (text: string) => addUsd(Number(text) as Usd, pending);
  return {
    cash: (runtime.config.practiceCash + Number(row.change) - pending) as Usd,
    limitState: {
      limits,
      limitsRequired: false,
      placedToday: more(row.today),
      openExposure: more(row.held),
      ownOrders: [],
      spentBefore: [],
    },
  };
}

export function practiceQuery(now: Instant, ownBatchId: string | null = null): SQL {
  const since = sql`${instantToIso(startOfUtcDay(now))}::timestamptz`;
  return sql`
    with practiced as materialized (
      select o.*, b.status as batch_status, ${isHolding(sql`b`)} as is_holding
      from batches b join batch_orders o on o.batch_id = b.id where b.simulated
    ),
    pending as (
      select size, price, fee_rate, fee_step from practiced
      where side = 'buy' and batch_status in (${literals(ACTIVE_STATUSES)}) and status in ('pending', 'processing')
        and batch_id is distinct from ${ownBatchId}::uuid
    )
    select
      coalesce(sum(case when side = 'sell' then filled_cost - fee else
        floor((filled_size - sold_size)::numeric * coalesce(resolved_value, 0) / 1000000) - filled_cost - fee end), 0)::bigint::text
        as change,
      coalesce(sum(${costOfShares(sql`practiced`, heldShares(sql`practiced`))})
        filter (where side = 'buy' and is_holding and resolved_value is null and filled_size > sold_size), 0)::bigint::text as held,
      (select coalesce(sum(f.cost + f.fee), 0)::bigint::text from fills f join attempts a on a.id = f.attempt_id
        join practiced o on o.id = a.order_id
        where o.side = 'buy' and o.updated_at >= ${since} and f.matched_at >= ${since}) as today,
      (select coalesce(json_agg(pending), '[]') from pending) as pending
    from practiced`;
}
