/** Balances of accounts: the sums folded when blocks were sealed, and the entries since. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LedgerAccount } from '@dutchbook/units/ledger-kinds.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';

/** `amount` in millionths of the unit. */
export type Balance = { account: LedgerAccount; unit: string; amount: number };

/** As of one moment; those that have nothing are left out. */
export async function readBalances(db: Db): Promise<Balance[]> {
  const { rows } = (await db.execute(sql`
    select account, unit, sum(amount)::text as amount from (
      select account, unit, amount from ledger_balances
      union all
      select line ->> 'account', line ->> 'unit', (line ->> 'amount')::bigint
      from ledger_entries, jsonb_array_elements(lines) line where block is null
    ) moved group by account, unit having sum(amount) <> 0 order by account, unit`)) as unknown as {
    rows: { account: LedgerAccount; unit: string; amount: string }[];
  };
  return rows.map(({ amount, ...place }) => ({ ...place, amount: Number(amount) }));
}

/** When the ledger began; null until it has been compared with the venue once. */
export async function ledgerBeganAt(db: Db): Promise<Instant | null> {
  const { rows } = (await db.execute(sql`
    select extract(epoch from least(min(e.at), (select min(at) from ledger_checks))) * 1000 as at
    from ledger_entries e where exists (select from ledger_checks)`)) as unknown as { rows: { at: string | null }[] };
  const at = rows[0]?.at ?? null;
  return at === null ? null : (Math.floor(Number(at)) as Instant);
}
