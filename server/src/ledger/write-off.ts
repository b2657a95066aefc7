/** Shares that pay nothing: a contract that redeems what has won takes them along, and nobody reports that. */
import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import { linesFromOutside } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../runtime.ts';
import { ledgerEntries } from './table.ts';

const WHOLE_DOLLAR = 1_000_000;

/** Enters that those of the differences are gone which are of such shares. @returns the others */
export async function writeOff(tx: Db, due: readonly Difference[], now: Instant): Promise<Difference[]> {
  const missing = due.filter(({ amount }) => amount < 0).map(({ unit }) => unit);
  const worthless = missing.length === 0 ? new Set<string>() : await worthlessOf(tx, missing);
  const gone = due.filter(({ unit, amount }) => amount < 0 && worthless.has(unit));
  if (gone.length > 0)
    await tx.insert(ledgerEntries).values({ at: now, kind: 'redeem', lines: linesFromOutside(gone) });
  return due.filter((difference) => !gone.includes(difference));
}

/** Those that are known to pay nothing, by themselves or because another outcome of their market pays all. */
async function worthlessOf(tx: Db, tokenIds: readonly string[]): Promise<Set<string>> {
  const { rows } = (await tx.execute(sql`
    select distinct o.token_id from batch_orders o
    where o.token_id = any(${sql.param([...tokenIds])}::text[]) and (o.resolved_value = 0 or exists (
      select 1 from batch_orders other where other.market_id = o.market_id and other.token_id <> o.token_id
        and other.resolved_value = ${WHOLE_DOLLAR}))`)) as unknown as { rows: { token_id: string }[] };
  return new Set(rows.map(({ token_id: tokenId }) => tokenId));
}
