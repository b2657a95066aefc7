/** In words, what a difference between the venue and the ledger may come from. */

import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import { accountOf } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { idAt, type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { dueAt } from '@dutchbook/units/ledger-kinds.ts';
import { formatShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd, notional, type Usd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { externalOrders } from '../external-orders/table.ts';
import { namesOfBatches } from '../orders/batch-store.ts';
import { ledgerEntries } from './table.ts';

export type Explained = { marketName: string | null; explanation: string };

/** Names the orders from elsewhere that moved it, else the last entry that moved as much, one way or the other. */
export async function explain(
  db: Db,
  venue: VenueName,
  { unit, amount, since }: Pick<Difference, 'unit' | 'amount' | 'since'>,
): Promise<Explained> {
  const external = await externalOrdersSince(db, venue, unit, since);
  const [entry] = await db
    .select()
    .from(ledgerEntries)
    .where(movedAsMuch(venue, unit, amount))
    .orderBy(desc(ledgerEntries.id))
    .limit(1);
  const named = unit === USD_UNIT ? null : await nameOf(db, unit);
  const marketName = named?.market_name ?? null;
  const quantity = quantityOf(unit, amount, named);
  const more = `${idAt(venue, '') === '' ? 'The venue' : VENUE_LABELS[venue]} has ${quantity} ${amount > 0 ? 'more' : 'less'} than the ledger`;
  const elsewhere = unit === USD_UNIT ? dollarsElsewhere(external, amount) : sharesElsewhere(external, amount);
  const taken = unit === USD_UNIT || amount > 0 ? null : await takenByVenue(db, unit);
  if (taken !== null) return { marketName, explanation: `${more}: ${taken}` };
  if (elsewhere !== null) return { marketName, explanation: `${more}: ${elsewhere}` };
  if (entry === undefined) return { marketName, explanation: `${more}: unexplained ${quantity}.` };
  const { id, kind, at, batchId, submissionId } = entry;
  const ofSubmission = submissionId === null ? '' : ` of submission ${submissionId}`;
  const cause = batchId === null ? ofSubmission : ` of ${await batchInWords(db, batchId)}`;
  return { marketName, explanation: `${more}: as much as entry ${id}, ${kind} at ${instantToIso(at)}${cause}.` };
}

async function batchInWords(db: Db, batchId: string): Promise<string> {
  const name = (await namesOfBatches(db, [batchId])).get(batchId);
  return name === undefined ? `batch ${batchId}` : `the batch “${name}”`;
}

/** Reads the table by its name: importing its folder, which imports this one, would be a circle. */
async function takenByVenue(db: Db, tokenId: TokenId): Promise<string | null> {
  const { rows } = (await db.execute(sql`select hash, shares ->> ${tokenId} as shares from venue_moves v
    where submission_id is null and shares ? ${tokenId}
      and not exists (select from chain_submissions c where c.hash = v.hash)
    order by block desc limit 1`)) as unknown as { rows: { hash: string; shares: string }[] };
  const [taken] = rows;
  if (taken === undefined) return null;
  const shares = formatShares(Number(taken.shares) as Shares);
  return `gone, unexplained. A contract of the venue took ${shares} by transaction ${taken.hash}, and no dollars are proven to have come for them.`;
}

type External = Pick<typeof externalOrders.$inferSelect, 'side' | 'price' | 'matchedSize'>;

/** The venue may report an order before the difference that it makes is read; this process may lag as well. */
const TOLD_BEFORE_MS = 600_000;

/** Orders that were not placed here and have traded: of the token, or all where dollars differ. */
async function externalOrdersSince(db: Db, venue: VenueName, unit: string, since: number): Promise<External[]> {
  const { side, price, matchedSize, tokenId, endedAt } = externalOrders;
  const rows = await db
    .select({ side, price, matchedSize, tokenId })
    .from(externalOrders)
    .where(
      and(
        gt(matchedSize, SHARES_ZERO),
        unit === USD_UNIT ? undefined : eq(tokenId, unit),
        or(isNull(endedAt), gte(endedAt, (since - TOLD_BEFORE_MS) as Instant)),
      ),
    );
  return rows.filter((order) => venueOf(order.tokenId) === venue);
}

function signOf({ side }: External): 1 | -1 {
  return side === 'buy' ? 1 : -1;
}

/** Explains shares by those that external orders traded, and the rest. */
function sharesElsewhere(external: readonly External[], amount: number): string | null {
  const moved = external.reduce((sum, order) => sum + signOf(order) * order.matchedSize, 0);
  if (moved === 0 || Math.sign(moved) !== Math.sign(amount)) return null;
  const part = Math.min(Math.abs(moved), Math.abs(amount));
  const rest = Math.abs(amount) - part;
  const shares = formatShares(part as Shares);
  const said = `orders that were not placed here ${amount < 0 ? 'sold' : 'bought'} ${shares} of them.`;
  return rest === 0 ? said : `${said} Unexplained ${formatShares(rest as Shares)} shares.`;
}

/** An order trades at its price or a better one; what the venue took of it as its fee is not known here. */
const FEE_PART_MAX = 10;

function dollarsElsewhere(external: readonly External[], amount: number): string | null {
  if (external.length === 0) return null;
  let [least, most] = [0, 0];
  for (const { side, price, matchedSize } of external) {
    const dollars = notional(matchedSize, price, 'down');
    const withFee = Math.ceil(dollars / FEE_PART_MAX);
    if (side === 'sell') [least, most] = [least + dollars - withFee, most + matchedSize];
    else [least, most] = [least - dollars - withFee, most];
  }
  if (amount < least || amount > most) return null;
  const count = external.length === 1 ? 'an order that was' : `${external.length} orders that were`;
  return `${count} not placed here can have moved as much.`;
}

function movedAsMuch(venue: VenueName, unit: string, amount: number) {
  const movedIn = (account: string) =>
    or(
      ...[amount, -amount].map((of) => {
        const line = JSON.stringify([{ account, unit, amount: of }]);
        return sql`${ledgerEntries.lines} @> ${line}::jsonb`;
      }),
    );
  return or(movedIn(accountOf(unit, venue)), movedIn(unit === USD_UNIT ? dueAt(venue) : 'receivable'));
}

type Named = { market_name: string; outcome: string };

/** Name of a held token; only the venue knows others. */
async function nameOf(db: Db, tokenId: TokenId): Promise<Named | null> {
  const { rows } = (await db.execute(sql`select market_name, outcome from batch_orders
    where token_id = ${tokenId} and side = 'buy' and filled_size > sold_size limit 1`)) as unknown as { rows: Named[] };
  return rows[0] ?? null;
}

function quantityOf(unit: string, amount: number, named: Named | null): string {
  if (unit === USD_UNIT) return formatUsd(Math.abs(amount) as Usd);
  const shares = `${formatShares(Math.abs(amount) as Shares)} shares`;
  return named === null ? `${shares} of token ${unit}` : `${shares} of ${named.outcome} of "${named.market_name}"`;
}
