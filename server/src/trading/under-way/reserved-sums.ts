/** Reads the balances of the accounts of money under way, each in one statement, as of one moment. */
import type { AccountName } from '@dutchbook/engine/order/reserved.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { asText } from '../../platform/database/literals.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { reserveUnreserved, UNRESERVED } from './reserve.ts';
import { reservedBalances, reservedEntries } from './table.ts';

/** Rows of `account` and `amount` that add up to the balances which `where` names, without what the batch `except` has. */
export function reservedRows(where: SQL, except: SQLWrapper = sql`null::uuid`): SQL {
  return sql`(select account, amount from ${reservedBalances} where ${where}
    union all select account, amount - folded from ${reservedEntries} where amount <> folded and ${where}
    union all select account, -amount from ${reservedEntries} where batch_id = ${except} and ${where})`;
}

/** The sum of such rows of some accounts. */
export function sumOf(...accounts: AccountName[]): SQL {
  return sql`coalesce(sum(amount) filter (where ${isOneOf(accounts)}), 0)::text`;
}

export function isOneOf(accounts: readonly AccountName[]): SQL {
  return sql.raw(`account in (${accounts.map((account) => `'${account}'`).join(', ')})`);
}

/** Sums as text, and whether they are too low: something is recorded that is not reserved. */
export type Sums<Name extends string> = Record<Name, string> & { is_behind: boolean };
export const IS_BEHIND = asText(sql`exists (${UNRESERVED}) as is_behind`);

/** Reserves what a process of an earlier version has recorded, before sums are read in a snapshot that may write nothing. */
export async function reserveWhatIsBehind(db: Db): Promise<void> {
  const { rows } = (await db.execute(sql`select ${IS_BEHIND}`)) as unknown as { rows: { is_behind: boolean }[] };
  if (rows[0]?.is_behind === true) await reserveUnreserved(db);
}

/**
 * The sums of a statement, once everything that is recorded is reserved. `isSnapshot`: as they stand there, without what a process of an
 * earlier version has recorded since then.
 */
export async function readSums<Name extends string>(
  db: Db,
  statement: SQL,
  { isSnapshot = false } = {},
): Promise<Sums<Name>> {
  const read = async () => {
    const { rows } = (await db.execute(statement)) as unknown as { rows: Sums<Name>[] };
    const [sums] = rows;
    if (sums === undefined) throw new Error('a select of sums answered no row');
    return sums;
  };
  const sums = await read();
  if (isSnapshot || !sums.is_behind) return sums;
  await reserveUnreserved(db);
  return await read();
}
