/** The account of practice at a venue: cash of its own, and what of it is spent. Nothing of it is in any figure of the account there. */
import { accountAt, utcDay } from '@dutchbook/engine/order/reserved.ts';
import type { LimitUse } from '@dutchbook/engine/risk/context.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { IS_BEHIND, isOneOf, readSums, reservedRows, type Sums, sumOf } from '../under-way/reserved-sums.ts';
import { reservedEntries } from '../under-way/table.ts';

export type PracticeAccount = LimitUse & { cash: Usd };

/** `change`: what trades and resolved shares have moved. `own`: what the batch that is left out may still take. */
export type PracticeRow = Sums<'change' | 'placed' | 'exposed' | 'pending' | 'own'>;

type Parts = { runtime: Pick<Runtime, 'config' | 'clock'> };

/** `ownBatchId`: what that batch may still take is left out. */
export async function readPracticeAccount(
  db: Db,
  parts: Parts,
  venue: VenueName,
  ownBatchId?: string,
): Promise<PracticeAccount> {
  return practiceAccountIn(await readSums(db, practiceQuery(parts.runtime.clock.now(), venue, ownBatchId)), parts);
}

/** The practice account in a row of `practiceQuery`. */
export function practiceAccountIn(row: PracticeRow | undefined, { runtime }: Parts): PracticeAccount {
  if (row === undefined) throw new Error('a select of sums answered no row');
  const { practiceCash } = runtime.config;
  const own = Number(row.own);
  return {
    cash: (practiceCash + Number(row.change) - Number(row.pending) + own) as Usd,
    placedToday: (Number(row.placed) - own) as Usd,
    openExposure: (Number(row.exposed) - own) as Usd,
  };
}

export function practiceQuery(now: Instant, venue: VenueName, ownBatchId: string | null = null): SQL {
  const own = sql`${ownBatchId}::uuid`;
  const pending = (['reserved', 'resting'] as const).map((account) => accountAt(venue, account, true));
  const exposed = accountAt(venue, 'exposed', true);
  const placed = accountAt(venue, 'placed', true);
  const counts = sql`(${isOneOf([...pending, exposed])} or ${isOneOf([placed])} and day >= ${utcDay(now)})`;
  return sql`
    select (
        select coalesce(sum(case when side = 'sell' then filled_cost - fee else
          floor((filled_size - sold_size)::numeric * coalesce(resolved_value, 0) / 1000000) - filled_cost - fee end), 0)::bigint::text
        from batches b join batch_orders o on o.batch_id = b.id where b.simulated and ${venueIn(sql`o.token_id`)} = ${venue}
      ) as change,
      (select coalesce(sum(amount), 0)::text from ${reservedEntries} where batch_id = ${own} and ${isOneOf(pending)}) as own,
      ${sumOf(placed)} as placed, ${sumOf(exposed)} as exposed, ${sumOf(...pending)} as pending, ${IS_BEHIND}
    from ${reservedRows(counts)} e`;
}
