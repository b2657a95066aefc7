import type { LedgerEntry, listLedger } from '@dutchbook/contract/ledger.ts';
import { type LedgerLine, USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { isOfOurDollars } from '@dutchbook/units/ledger-kinds.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { and, asc, desc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { conditionOf } from './export-statement.ts';
import { ledgerEntries } from './table.ts';

type Query = z.output<typeof listLedger.query>;
type Row = typeof ledgerEntries.$inferSelect;

export async function listEntries(db: Db, query: Query): Promise<{ data: LedgerEntry[]; count: number }> {
  const { skip, limit, sort_order: sortOrder } = query;
  const where = matching(query);
  const { id, at } = ledgerEntries;
  const direction = sortOrder === 'asc' ? asc : desc;
  const { marketName, outcome } = batchOrders;
  const order = [direction(at), direction(id)];
  const ids = db.select({ id }).from(ledgerEntries).where(where);
  const naming = alias(ledgerEntries, 'naming');
  const rows = await db
    .select({ entry: ledgerEntries, marketName, outcome, namedAs: naming.kind, batchName: batches.name })
    .from(ledgerEntries)
    .leftJoin(batchOrders, eq(batchOrders.id, ledgerEntries.orderId))
    .leftJoin(batches, eq(batches.id, ledgerEntries.batchId))
    .leftJoin(naming, eq(naming.namesEntryId, ledgerEntries.id))
    .where(
      inArray(
        id,
        ids
          .orderBy(...order)
          .offset(skip)
          .limit(limit),
      ),
    )
    .orderBy(...order);
  const count = await countWithPage({ skip, limit }, rows.length, () => db.$count(ledgerEntries, where));
  return { data: rows.map(({ entry, ...named }) => presentEntry(entry, named)), count };
}

function matching({ since, until, ...filter }: Query): SQL | undefined {
  const { at } = ledgerEntries;
  return and(conditionOf(filter), since && gte(at, since), until && lt(at, until));
}

type Named = {
  marketName: string | null;
  outcome: string | null;
  batchName: string | null;
  namedAs: LedgerEntry['kind'] | null;
};

export function presentEntry(row: Row, { marketName, outcome, batchName, namedAs }: Named): LedgerEntry {
  const { id, at, kind, lines, batchId, orderId, tradeId, submissionId, transactionHash, statedBy, reason, block } =
    row;
  const { sender, namesEntryId } = row;
  return {
    ...{ id, at, kind, lines: lines.map(({ amount, ...place }) => ({ ...place, amount: microToText(amount) })) },
    ...{ usd: broughtBy(lines), batch_id: batchId, batch_name: batchName, order_id: orderId },
    ...{ market_name: marketName, outcome },
    ...{ trade_id: tradeId, submission_id: submissionId, transaction_hash: transactionHash },
    ...{ sender, names_entry_id: namesEntryId, named_as: namedAs },
    ...{ stated_by: statedBy, reason, block },
  };
}

/** Dollars of cash and receivable that the lines bring. */
export function broughtBy(lines: readonly LedgerLine[]): Usd {
  const ours = lines.filter(({ account, unit }) => unit === USD_UNIT && isOfOurDollars(account));
  return ours.reduce((sum, { amount }) => sum + amount, 0) as Usd;
}
