/** Entries of the ledger for files: oldest first, page by page, so that their number never stands in memory. */

import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { standingOf } from '@dutchbook/engine/ledger/standing.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { and, asc, eq, gte, inArray, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { EXPORT_PAGE } from '../../platform/database/oldest-first.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ownTick } from '../../platform/runtime/slices.ts';
import { batchOrders } from '../orders/table.ts';
import { ledgerEntries } from './table.ts';

/** The first moment itself included, the last one not. */
export type Period = { since?: Instant | undefined; until?: Instant | undefined };

export type ExportedEntry = typeof ledgerEntries.$inferSelect & {
  marketName: string | null;
  outcome: string | null;
  tokenId: TokenId | null;
  /** The call of a contract that it is part of, and to how many entries that comes. */
  stepId: string | null;
  stepEntries: number | null;
  /** Tokens of a redemption's batch that are then known to pay nothing. */
  worthless: string[] | null;
  /** For dollars that a person named: when they came, and by which lines. */
  cameAt: Instant | null;
  cameLines: LedgerLine[] | null;
};

/** The newest entry: what comes while a file is written is not in it. */
export async function newestEntry(db: Db): Promise<number> {
  const [row] = await db.select({ id: max(ledgerEntries.id) }).from(ledgerEntries);
  return row?.id ?? 0;
}

export async function* pagesOfLedger(
  db: Db,
  newest: number,
  { since, until }: Period,
  condition?: SQL,
): AsyncGenerator<ExportedEntry[]> {
  const { at, id } = ledgerEntries;
  let after: SQL | undefined;
  for (;;) {
    const page = and(condition, since && gte(at, since), until && lt(at, until), lte(id, newest), after);
    const rows = await selectEntries(db, newest).where(page).orderBy(asc(at), asc(id)).limit(EXPORT_PAGE);
    await ownTick();
    if (rows.length > 0) yield rows.map(({ entry, ...joined }) => ({ ...entry, ...joined }));
    const last = rows.at(-1)?.entry;
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    // As a pair, which an index on both can seek to.
    after = sql`(${at}, ${id}) > (${instantToIso(last.at)}::timestamptz, ${last.id}::bigint)`;
  }
}

function selectEntries(db: Db, newest: number) {
  const entry = ledgerEntries;
  const { marketName, outcome, tokenId } = batchOrders;
  const came = alias(ledgerEntries, 'came');
  return db
    .select({
      entry,
      marketName,
      outcome,
      tokenId,
      stepId: batchOrders.chainStepId,
      stepEntries: ENTRIES_OF_STEP,
      worthless: sql<string[] | null>`case when ${entry.kind} = 'redeem' then ${worthlessBeside(newest)} end`,
      cameAt: came.at,
      cameLines: came.lines,
    })
    .from(entry)
    .leftJoin(batchOrders, eq(batchOrders.id, entry.orderId))
    .leftJoin(came, eq(came.id, entry.namesEntryId));
}

/** Reads the table by its name: importing its folder, which imports this one, would be a circle. */
const ENTRIES_OF_STEP = sql<number | null>`(select jsonb_array_length(parts) + jsonb_array_length(handed_out)
  from chain_steps where id = ${batchOrders.chainStepId})`;

/** Worthless tokens of its own market, and with the batch's last redemption of all other markets. */
function worthlessBeside(newest: number): SQL {
  const { batchId, id } = ledgerEntries;
  const later = sql`select 1 from ledger_entries later
    where later.batch_id = ${batchId} and later.kind = 'redeem' and later.id > ${id} and later.id <= ${newest}`;
  return sql`(select array_agg(distinct beside.token_id) from batch_orders beside
    where beside.batch_id = ${batchId} and beside.side = 'buy' and beside.resolved_value = 0
    and (beside.market_id = ${batchOrders.marketId} or not exists (${later})))`;
}

/** Lines that stand of corrected or undone trades, by entry id. Only these few are held in memory. */
export async function standingEntries(db: Db, newest: number): Promise<Map<number, LedgerLine[]>> {
  const { id, batchId, tradeId, orderHash, kind, lines } = ledgerEntries;
  const changed = alias(ledgerEntries, 'changed');
  const rows = await db
    .selectDistinctOn([id], { id, kind, lines, tradeId, orderHash })
    .from(ledgerEntries)
    .innerJoin(
      changed,
      and(eq(changed.batchId, batchId), eq(changed.tradeId, tradeId), eq(changed.orderHash, orderHash)),
    )
    .where(and(inArray(changed.kind, CHANGES), lte(changed.id, newest), lte(id, newest)))
    .orderBy(asc(id));
  const trades = Map.groupBy(rows, (row) => `${row.tradeId} ${row.orderHash}`);
  return new Map([...trades.values()].flatMap((entries) => [...standingOf(entries)]));
}

const CHANGES: LedgerKind[] = ['undone', 'correction'];
