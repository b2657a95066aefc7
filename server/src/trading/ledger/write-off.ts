/** Shares that pay nothing: their market has resolved against them. */

import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import { linesFromOutside, linesOfLost } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { desc, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batchOrders } from '../orders/table.ts';
import type { Balance } from './balances.ts';
import { ledgerEntries } from './table.ts';

const WHOLE_DOLLAR = 1_000_000;

/** `due`: as `compared` says. `worthless`: tokens of which the venue says so. */
type Compared = {
  venue: VenueName;
  balances: readonly Balance[];
  due: readonly Difference[];
  worthless: readonly string[];
  now: Instant;
};

/**
 * Enters, once each, that what was traded of such shares is worthless. They are held for as long as the venue has them; that
 * they are gone is entered too: a contract that redeems what has won takes them along without a report.
 * @returns the other differences
 */
export async function writeOff(tx: Db, { venue, balances, due, worthless, now }: Compared): Promise<Difference[]> {
  const missing = due.filter(({ amount }) => amount < 0).map(({ unit }) => unit);
  const lost = new Set([...worthless, ...(missing.length === 0 ? [] : await worthlessOf(tx, missing))]);
  await closeLost(tx, balances, lost, now);
  const gone = due.filter(({ unit, amount }) => amount < 0 && lost.has(unit));
  if (gone.length > 0)
    await tx.insert(ledgerEntries).values({ at: now, kind: 'redeem', lines: linesFromOutside(gone, venue) });
  return due.filter((difference) => !gone.includes(difference));
}

async function closeLost(tx: Db, balances: readonly Balance[], lost: ReadonlySet<string>, now: Instant): Promise<void> {
  const held = balances.filter(({ account, unit, amount }) => account === 'traded' && amount < 0 && lost.has(unit));
  if (held.length === 0) return;
  const orders = await ordersOf(
    tx,
    held.map(({ unit }) => unit),
  );
  const entries = held.map(({ unit, amount }) => ({
    ...{ at: now, kind: 'lost' as const, lines: linesOfLost(unit, -amount) },
    // The order names the market.
    orderId: orders.get(unit) ?? null,
  }));
  await tx.insert(ledgerEntries).values(entries);
}

/** The last order of each. */
async function ordersOf(tx: Db, tokenIds: readonly TokenId[]): Promise<Map<string, string>> {
  const { tokenId, id, createdAt } = batchOrders;
  const rows = await tx
    .selectDistinctOn([tokenId], { tokenId, id })
    .from(batchOrders)
    .where(inArray(tokenId, [...tokenIds]))
    .orderBy(tokenId, desc(createdAt));
  return new Map(rows.map((row) => [row.tokenId, row.id]));
}

/** Tokens known to pay nothing, by their own result or because another outcome of the market pays all. */
async function worthlessOf(tx: Db, tokenIds: readonly TokenId[]): Promise<Set<string>> {
  const { rows } = (await tx.execute(sql`
    with asked as materialized (
      select token_id, market_id, coalesce(bool_or(resolved_value = 0), false) as pays_nothing from batch_orders
      where token_id = any(${sql.param([...tokenIds])}::text[]) group by token_id, market_id
    ), winning as materialized (
      select distinct market_id, token_id from batch_orders
      where market_id in (select market_id from asked) and resolved_value = ${WHOLE_DOLLAR}
    )
    select distinct a.token_id from asked a
    where a.pays_nothing or exists (
      select from winning w where w.market_id = a.market_id and w.token_id <> a.token_id)`)) as unknown as {
    rows: { token_id: string }[];
  };
  return new Set(rows.map(({ token_id: tokenId }) => tokenId));
}
