/** Trades and calls under way, which may explain a difference between venue and ledger. */

import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { mayTake, type Taking } from '@dutchbook/engine/order/under-way.ts';
import { type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { inArray, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openMove } from '../cash-moves/store.ts';
import { attempts, UNDECIDED_ATTEMPTS } from '../orders/table.ts';
import { reportedOf, unreportedOf } from '../under-way/rules.ts';
import type { ChainReading } from './transfers.ts';

/** How much less (`least`, not above zero) and more of a unit the venue may have, in millionths. */
export type Allowance = { least: number; most: number };

/** A trade or call that has just ended may show at the venue this much later. */
const JUST_MS = 60_000;
/** After this time all trades of an attempt have been read. */
const READ_WITHIN_MS = 600_000;

/** `hasContracts`: whether shares become dollars by calls of these alone; what a venue without any does by itself is told otherwise. */
export async function readAllowances(
  db: Db,
  { venue, hasContracts }: { venue: VenueName; hasContracts: boolean },
  now: Instant,
): Promise<Map<string, Allowance>> {
  const allowances = new Map<string, Allowance>();
  const may = (unit: string, amount: number) =>
    allow(allowances, unit, { least: Math.min(0, amount), most: Math.max(0, amount) });
  for (const { side, token_id: tokenId, size, cost, fee } of await unsettledFills(db)) {
    if (venueOf(tokenId) !== venue) continue;
    const sign = side === 'buy' ? 1 : -1;
    may(USD_UNIT, -sign * Number(cost) - Number(fee));
    may(tokenId, sign * Number(size));
  }
  for (const row of await unread(db, now)) {
    const { side, token_id: tokenId } = row;
    if (venueOf(tokenId) !== venue) continue;
    const taking = takingIn(row);
    const { size } = taking;
    // A share is never sold for more than a dollar.
    may(USD_UNIT, side === 'buy' ? -mayTake(taking) : size);
    may(tokenId, side === 'buy' ? size : -size);
  }
  for (const { expected, changes } of await unbookedCalls(db, venue)) {
    may(USD_UNIT, Number(expected));
    for (const { tokenId, micro } of changes) may(tokenId, micro);
  }
  for (const { token_id: tokenId, shares, dollars } of hasContracts ? [] : await unbookedByVenue(db, venue)) {
    may(USD_UNIT, Number(dollars));
    may(tokenId, -Number(shares));
  }
  const moving = await openMove(db, venue);
  if (moving !== null) may(USD_UNIT, -moving.amount);
  return allowances;
}

export function allow(allowances: Map<string, Allowance>, unit: string, more: Allowance): void {
  const { least, most } = allowances.get(unit) ?? { least: 0, most: 0 };
  allowances.set(unit, { least: least + more.least, most: most + more.most });
}

/** Dollars may come by another transaction than the one that took the shares, and are booked with them a minute later at most. */
const VENUE_PAYS_WITHIN_MS = 360_000;

/**
 * Recent moves by the venue's contracts themselves, which are booked once shares and dollars are there, and not while a submission of ours
 * may still turn out to be such a move. @returns the units that they move: a difference of these is not published before
 */
export async function allowVenueMoves(
  db: Db,
  venue: VenueName,
  allowances: Map<string, Allowance>,
  read: Pick<ChainReading, 'transfers' | 'taken'> | null,
  now: Instant,
): Promise<ReadonlySet<string>> {
  const payouts = (read?.transfers ?? []).filter(({ source }) => source === 'payout');
  const just = [
    ...(read?.taken ?? []).map(({ hash, shares, cash }) => ({ hash, shares: Object.fromEntries(shares), cash })),
    ...payouts.map(({ hash, amount }) => ({ hash, shares: {}, cash: amount })),
  ];
  const since = new Date(now - VENUE_PAYS_WITHIN_MS).toISOString();
  const hashes = sql.param(just.map(({ hash }) => hash));
  // By their names alone: what reads them books by way of this folder.
  const { rows } = (await db.execute(sql`
    with own as (
      select coalesce(bool_or(ended_at is null), false) as is_open, max(ended_at) as ended_at
      from chain_submissions where venue = ${venue} and payload is not null
    ), moves as (
      select v.*, submission_id is null and (own.is_open or greatest(seen_at, own.ended_at) > ${since}) as is_recent
      from venue_moves v, own
      where venue = ${venue} and (submission_id is null or hash = any(${hashes}::text[]))
    )
    select hash, shares, cash::text,
      is_recent and not exists (select from chain_submissions c where c.hash = v.hash) as is_open
    from moves v where is_recent or hash = any(${hashes}::text[])
    union all
    select hash, '{}', '0', false from chain_submissions where hash = any(${hashes}::text[])`)) as unknown as {
    rows: { hash: string; shares: Record<string, number>; cash: string; is_open: boolean }[];
  };
  const known = new Set(rows.map(({ hash }) => hash));
  const open = [...just.filter(({ hash }) => !known.has(hash)), ...rows.filter((row) => row.is_open)];
  const units = new Set<string>();
  for (const { shares, cash } of open) {
    for (const unit of [...(Number(cash) > 0 ? [USD_UNIT] : []), ...Object.keys(shares)]) units.add(unit);
    allow(allowances, USD_UNIT, { least: 0, most: Math.max(0, Number(cash)) });
    for (const [tokenId, micro] of Object.entries(shares)) allow(allowances, tokenId, { least: -micro, most: 0 });
  }
  return units;
}

/** Whether nothing has been on its way at the venue since `since`, and nothing has ended just before. */
export async function isQuiet(db: Db, venue: VenueName, since: Instant): Promise<boolean> {
  const just = new Date(since - JUST_MS).toISOString();
  const isThere = sql`${venueIn(sql`o.token_id`)} = ${venue}`;
  const { rows } = (await db.execute(sql`select
    exists (select 1 from attempts join batches b on b.id = attempts.batch_id join batch_orders o on o.id = attempts.order_id
      where not b.simulated and ${isThere} and (${inArray(attempts.status, [...UNDECIDED_ATTEMPTS])} or sent_at > ${just}))
    or exists (select 1 from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
      where f.settlement not in ('confirmed', 'failed') and ${isThere})
    or exists (select 1 from fills f join batches b on b.id = f.batch_id join attempts a on a.id = f.attempt_id
      join batch_orders o on o.id = a.order_id where f.settled_at > ${just} and not b.simulated and ${isThere})
    or exists (select 1 from chain_submissions where venue = ${venue} and payload is not null and (booked_at is null or booked_at > ${just}))
      as busy`)) as unknown as { rows: { busy: boolean }[] };
  return rows[0]?.busy === false;
}

type ByVenueRow = Record<'token_id' | 'shares' | 'dollars', string>;

/** Payouts that were read and not booked yet, and what is held of both outcomes where the venue may have netted it: a dollar a pair. */
async function unbookedByVenue(db: Db, venue: VenueName): Promise<ByVenueRow[]> {
  // By their name alone: what reads them books by way of this folder.
  const { rows } = (await db.execute(sql`
    select o ->> 'tokenId' as token_id, o ->> 'shares' as shares,
      trunc((o ->> 'shares')::numeric * (o ->> 'pays')::numeric / 1000000)::text as dollars
    from venue_payouts p, jsonb_array_elements(p.outcomes) o where p.venue = ${venue} and p.booked_at is null and p.paid_at is not null
    union all
    select token_id, pairs::text, case place when 1 then pairs else 0 end::text from (
      select token_id, min(held) over of_market as pairs, count(*) over of_market as tokens,
        row_number() over (partition by market_id order by token_id) as place
      from (
        select o.market_id, o.token_id, sum(o.filled_size - o.sold_size) as held
        from batch_orders o join batches b on b.id = o.batch_id
        where o.side = 'buy' and o.filled_size > o.sold_size and not b.simulated and ${venueIn(sql`o.token_id`)} = ${venue}
        group by o.market_id, o.token_id
      ) held_tokens window of_market as (partition by market_id)
    ) both_outcomes where tokens > 1`)) as unknown as { rows: ByVenueRow[] };
  return rows;
}

type FillRow = Record<'token_id' | 'size' | 'cost' | 'fee', string> & { side: 'buy' | 'sell' };

async function unsettledFills(db: Db): Promise<FillRow[]> {
  const { rows } = (await db.execute(sql`
    select o.side, o.token_id, f.size::text, f.cost::text, f.fee::text
    from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
    where f.settlement not in ('confirmed', 'failed') and f.in_ledger is distinct from 'simulated'`)) as unknown as {
    rows: FillRow[];
  };
  return rows;
}

type AttemptRow = Record<'size' | 'price' | 'fee_rate' | 'fee_step' | 'token_id', string> & { side: 'buy' | 'sell' };

function takingIn({ size, price, fee_rate: feeRate, fee_step: feeStep }: AttemptRow): Taking {
  return { size: Number(size), price: Number(price), feeRate: Number(feeRate), feeStep: Number(feeStep) } as Taking;
}

/** Attempts of which trades may not have been read yet, by what is left of them. */
async function unread(db: Db, now: Instant): Promise<AttemptRow[]> {
  const since = new Date(now - READ_WITHIN_MS).toISOString();
  const { rows } = (await db.execute(sql`
    select o.side, o.token_id, unreported.size::text, a.price::text, coalesce(a.fee_rate, o.fee_rate)::text as fee_rate,
      o.fee_step::text
    from attempts a join batch_orders o on o.id = a.order_id join batches b on b.id = a.batch_id,
      lateral ${reportedOf(sql`a`)} reported, lateral (select ${unreportedOf(sql`a`, sql`reported.size`)} as size) unreported
    where not b.simulated and unreported.size > 0
      and (${inArray(sql`a.status`, [...UNDECIDED_ATTEMPTS])} or a.sent_at > ${since})`)) as unknown as {
    rows: AttemptRow[];
  };
  return rows;
}

type CallRow = { expected: string; changes: { tokenId: TokenId; micro: number }[] };

/** Unbooked calls, waiting ones too: their shares are booked by nothing else meanwhile, even if the venue has redeemed them. */
async function unbookedCalls(db: Db, venue: VenueName): Promise<CallRow[]> {
  const { rows } = (await db.execute(sql`
    select s.expected::text, s.changes from chain_steps s join chain_submissions c on c.id = s.submission_id
    where c.venue = ${venue} and c.booked_at is null and (c.payload is not null or c.ended_at is null or c.by_venue)`)) as unknown as {
    rows: CallRow[];
  };
  return rows;
}
