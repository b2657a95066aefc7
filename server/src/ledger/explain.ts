/** In words, what a difference between the venue and the ledger may come from. */
import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import { accountOf } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { desc, or, sql } from 'drizzle-orm';
import type { Db } from '../runtime.ts';
import { ledgerEntries } from './table.ts';

export type Explained = { marketName: string | null; explanation: string };

/** Names the last entry that moved as much, one way or the other. */
export async function explain(db: Db, { unit, amount }: Pick<Difference, 'unit' | 'amount'>): Promise<Explained> {
  const [entry] = await db
    .select()
    .from(ledgerEntries)
    .where(movedAsMuch(unit, amount))
    .orderBy(desc(ledgerEntries.id))
    .limit(1);
  const named = unit === USD_UNIT ? null : await nameOf(db, unit);
  const marketName = named?.market_name ?? null;
  const quantity = quantityOf(unit, amount, named);
  const more = `The venue has ${quantity} ${amount > 0 ? 'more' : 'less'} than the ledger`;
  if (entry === undefined) return { marketName, explanation: `${more}: unexplained ${quantity}.` };
  const { id, kind, at, batchId, submissionId } = entry;
  const cause =
    batchId === null ? (submissionId === null ? '' : ` of submission ${submissionId}`) : ` of batch ${batchId}`;
  return { marketName, explanation: `${more}: as much as entry ${id}, ${kind} at ${instantToIso(at)}${cause}.` };
}

function movedAsMuch(unit: string, amount: number) {
  const moved = [accountOf(unit), 'receivable'].flatMap((account) =>
    [amount, -amount].map((of) => JSON.stringify([{ account, unit, amount: of }])),
  );
  return or(...moved.map((line) => sql`${ledgerEntries.lines} @> ${line}::jsonb`));
}

type Named = { market_name: string; outcome: string };

/** Of a token that is held; of others the venue alone knows. */
async function nameOf(db: Db, tokenId: string): Promise<Named | null> {
  const { rows } = (await db.execute(sql`select market_name, outcome from batch_orders
    where token_id = ${tokenId} and side = 'buy' and filled_size > sold_size limit 1`)) as unknown as { rows: Named[] };
  return rows[0] ?? null;
}

function quantityOf(unit: string, amount: number, named: Named | null): string {
  if (unit === USD_UNIT) return formatUsd(Math.abs(amount) as Usd);
  const shares = `${formatShares(Math.abs(amount) as Shares)} shares`;
  return named === null ? `${shares} of token ${unit}` : `${shares} of ${named.outcome} of "${named.market_name}"`;
}
