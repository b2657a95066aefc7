import { accountAt } from '@dutchbook/engine/order/reserved.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { IS_BEHIND, isOneOf, readSums, reservedRows } from './reserved-sums.ts';
import { reservedEntries } from './table.ts';

/**
 * The cash that no recorded batch is about to spend: what the venue said, less what orders took or may take that it may not have
 * counted yet. Errs low for the seconds until cash is read again.
 */
export async function spendableCash(
  db: Db,
  reading: CashReading | null,
  { ownBatchId, venue }: { ownBatchId?: string; venue: VenueName },
): Promise<Usd | null> {
  if (reading === null) return null;
  const statement = sql`select ${uncounted(reading, ownBatchId, venue)} as uncounted, ${IS_BEHIND}`;
  return cashLeft(reading, (await readSums<'uncounted'>(db, statement)).uncounted);
}

/** The cash of a reading less the dollars, as text, that it may not have counted. */
export function cashLeft({ cash }: CashReading, uncountedDollars: string): Usd {
  return subtractUsd(cash, Number(uncountedDollars) as Usd);
}

/** The cash of each pocket less all uncounted dollars: the pocket that they were paid from is not known. */
export function pocketsLeft(
  { pockets }: CashReading,
  uncountedDollars: string,
): { pockets?: Readonly<Record<string, Usd>> } {
  if (pockets === undefined) return {};
  const left = [...pockets].map(([name, cash]) => [name, subtractUsd(cash, Number(uncountedDollars) as Usd)] as const);
  return { pockets: Object.fromEntries(left) };
}

/**
 * The dollars that a reading of cash at a venue may not have counted: of batches that have changed since, all that they took or may still
 * take; of others, what may still be taken and is not known to rest at the venue, which keeps cash back for what rests.
 */
export function uncounted(
  { at, shownTo = at }: Pick<CashReading, 'at' | 'shownTo'>,
  ownBatchId: string | null | undefined,
  venue: VenueName,
): SQL {
  const placed = accountAt(venue, 'placed');
  const reserved = accountAt(venue, 'reserved');
  const own = sql`${ownBatchId ?? null}::uuid`;
  return sql`(select coalesce(sum(amount), 0)::text from (
    select amount from ${reservedRows(isOneOf([reserved]), own)} reserved
    union all
    select case when ${isOneOf([placed])} then amount else -amount end
    from (select id from batches where updated_at >= ${instantToIso(shownTo)}::timestamptz and id is distinct from ${own} offset 0) newer,
      lateral (select account, amount from ${reservedEntries} where batch_id = newer.id and ${isOneOf([placed, reserved])}
        offset 0) changed
    ) sums)`;
}
