/** Profit, slippage, capital, return and times of the batches that match. */
import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { annualisedReturn } from '@dutchbook/engine/ledger/annualised.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { ARRIVAL_NAMES } from '@dutchbook/units/ledger-kinds.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ledgerEntries } from '../../trading/ledger/table.ts';
import { batchOrders } from '../../trading/orders/table.ts';
import { costOfShares } from '../../trading/under-way/rules.ts';
import { readBeingBought } from './being-bought.ts';
import { readByVenue } from './by-venue.ts';
import { COUNT, HELD_PARTS, SLIPPAGE_PARTS, total, totalUsd } from './figures.ts';
import { matching, type ReportFilter, realisedWithin, withinDays } from './filter.ts';
import { inRun } from './runs.ts';
import { batchResults, cashDays } from './table.ts';

export async function readSummary(
  db: Db,
  filter: ReportFilter,
  { now, hurdle }: { now: Instant; hurdle: Fraction },
): Promise<ReportSummary> {
  const { sums, beingBought, saleLoss, byVenue, paid, times, gas, income } = await inOneSnapshot(db, async (tx) => ({
    sums: await readSums(tx, filter, now),
    beingBought: await readBeingBought(tx, filter),
    saleLoss: await readSaleLoss(tx, filter),
    byVenue: await readByVenue(tx, filter),
    paid: await readPaid(tx, filter),
    times: await readTimes(tx, filter),
    gas: await readGas(tx, filter),
    income: await readIncome(tx, filter),
  }));
  const { annualised_profit, annualised_days, ...shown } = sums;
  return {
    ...shown,
    being_bought_usd: beingBought,
    sale_loss_usd: saleLoss,
    by_venue: byVenue,
    paid_usd: paid,
    gas,
    income,
    annualised: annualisedReturn(annualised_profit, annualised_days),
    hurdle,
    times,
  };
}

/** From the end of an undisputed market until its dollars are there. */
const PAID_AFTER = sql`interval '1 day'`;

/** As the days of cash add up. */
async function readPaid(db: Db, filter: ReportFilter): Promise<Usd> {
  const [sums] = await db
    .select({ paid: totalUsd(cashDays.paid) })
    .from(cashDays)
    .innerJoin(batchResults, eq(batchResults.batchId, cashDays.batchId))
    .where(realisedWithin(filter));
  if (sums === undefined) throw new Error('a sum without groups answered no row');
  return sums.paid;
}

/** A day of UTC, as its cell of the calendar says. */
export async function realisedOn(db: Db, day: string): Promise<Usd> {
  return await readPaid(db, await inRun(db, { since: day, until: day }));
}

async function readSums(db: Db, filter: ReportFilter, now: Instant) {
  const { paidProfit, lockedProfit, locked, capitalDays, releaseAt } = batchResults;
  const ofUnknownEnd = sql`(${locked} > 0 and ${releaseAt} is null)`;
  const expectedCash = sql`greatest(${releaseAt} + ${PAID_AFTER}, ${instantToIso(now)}::timestamptz)`;
  const [sums] = await db
    .select({
      batches: COUNT,
      ...HELD_PARTS,
      predicted_usd: totalUsd(batchResults.predictedProfit),
      fees_usd: totalUsd(batchResults.fees),
      ...SLIPPAGE_PARTS,
      shortfall_usd: totalUsd(batchResults.shortfall),
      cost_usd: totalUsd(batchResults.paid),
      capital_usd: totalUsd(batchResults.locked),
      capital_days: totalUsd(capitalDaysUntil(instantToIso(now))),
      annualised_profit: totalUsd(sql`${paidProfit} + case when ${ofUnknownEnd} then 0 else ${lockedProfit} end`),
      annualised_days: totalUsd(
        sql`case when ${ofUnknownEnd} then ${capitalDays} else ${capitalDaysUntil(expectedCash)} end`,
      ),
      legs: total(batchResults.legs),
      filled_legs: total(batchResults.filledLegs),
      fills: total(batchResults.fillCount),
      undone_fills: total(batchResults.undoneFills),
    })
    .from(batchResults)
    .where(matching(filter));
  if (sums === undefined) throw new Error('a sum without groups answered no row');
  return sums;
}

/** What contracts convert and redeem is no sale: it is lost by none. */
async function readSaleLoss(db: Db, filter: ReportFilter): Promise<Usd> {
  const bought = alias(batchOrders, 'bought');
  const spent = costOfShares(sql`${bought}`, sql`${batchOrders.filledSize}`);
  const gains = db
    .select({
      batchId: batchOrders.batchId,
      gain: sql`sum(${batchOrders.filledCost} - ${batchOrders.fee} - ${spent})`.as('gain'),
    })
    .from(batchOrders)
    .innerJoin(bought, and(eq(bought.id, batchOrders.sellsOrderId), gt(bought.filledSize, SHARES_ZERO)))
    .where(and(eq(batchOrders.side, 'sell'), isNull(batchOrders.chainStepId), gt(batchOrders.filledSize, SHARES_ZERO)))
    .groupBy(batchOrders.batchId)
    .as('gains');
  const [sums] = await db
    .select({ loss: totalUsd(sql`greatest(0, -${gains.gain})`) })
    .from(batchResults)
    .innerJoin(gains, eq(gains.batchId, batchResults.batchId))
    .where(matching(filter));
  return sums?.loss ?? USD_ZERO;
}

/** Dollar days, with the days until `then` for what is not cash again. */
function capitalDaysUntil(then: SQL | string): SQL {
  const { capitalDays, locked, matchedAt } = batchResults;
  const days = sql`date_part('epoch', ${then}::timestamptz - ${matchedAt}) / 86400`;
  return sql`${capitalDays} + case when ${locked} > 0 and ${matchedAt} is not null
    then (${locked} * greatest(${days}, 0))::bigint else 0 end`;
}

async function readTimes(db: Db, filter: ReportFilter): Promise<ReportSummary['times']> {
  const [found] = await db
    .select({
      sent: middleOf(batchResults.sentMs),
      matched: middleOf(batchResults.matchedMs),
      confirmed: middleOf(batchResults.confirmedMs),
      cash: middleOf(batchResults.cashMs),
      sentCount: countOf(batchResults.sentMs),
      matchedCount: countOf(batchResults.matchedMs),
      confirmedCount: countOf(batchResults.confirmedMs),
      cashCount: countOf(batchResults.cashMs),
    })
    .from(batchResults)
    .where(matching(filter));
  if (found === undefined) throw new Error('a sum without groups answered no row');
  return {
    sent: spreadOf(found.sent, found.sentCount),
    matched: spreadOf(found.matched, found.matchedCount),
    confirmed: spreadOf(found.confirmed, found.confirmedCount),
    cash: spreadOf(found.cash, found.cashCount),
  };
}

type Middle = [p50: number, p90: number] | null;

/** Median of the values that exist so far. */
function middleOf(time: AnyColumn): SQL<Middle> {
  return sql<Middle>`to_json(percentile_disc(array[0.5, 0.9]) within group (order by ${time}))`;
}

function countOf(time: AnyColumn): SQL<number> {
  return sql`count(${time})`.mapWith(Number);
}

function spreadOf(middle: Middle, count: number): ReportSummary['times']['sent'] {
  return middle === null ? null : { p50_ms: middle[0], p90_ms: middle[1], count };
}

/**
 * What submissions of these days took. Asked for some of the batches, that of submissions in which one of them has a part: gas is
 * of a whole submission.
 */
async function readGas(db: Db, { since, until, run: _, span, ...others }: ReportFilter): Promise<ReportSummary['gas']> {
  const line = sql`jsonb_array_elements(${ledgerEntries.lines}) line`;
  const unit = sql<string>`line ->> 'unit'`;
  const isOfSome = Object.values(others).some((value) => value !== undefined);
  const rows = await db
    .select({ unit, amount: total(sql`(line ->> 'amount')::bigint`) })
    .from(sql`${ledgerEntries} cross join ${line}`)
    .where(
      and(
        eq(ledgerEntries.kind, 'gas'),
        sql`line ->> 'account' = 'gas'`,
        withinDays(ledgerEntries.at, { since, until, ...(span && { span }) }),
        isOfSome ? inArray(ledgerEntries.submissionId, submissionsOf(db, others)) : undefined,
      ),
    )
    .groupBy(unit)
    .orderBy(unit);
  return rows.map(({ unit, amount }) => ({ unit, amount: microToFixed(amount, 6) }));
}

function submissionsOf(db: Db, filter: ReportFilter) {
  return db
    .select({ id: batchOrders.submissionId })
    .from(batchOrders)
    .innerJoin(batchResults, eq(batchResults.batchId, batchOrders.batchId))
    .where(and(isNotNull(batchOrders.chainStepId), isNotNull(batchOrders.submissionId), matching(filter)));
}

/** Rewards and rebates by the day they came, also where a person named them later. They belong to no batch. */
async function readIncome(db: Db, days: ReportFilter): Promise<ReportSummary['income']> {
  const line = sql`jsonb_array_elements(${ledgerEntries.lines}) line`;
  const came = alias(ledgerEntries, 'came');
  const account = sql<'income' | 'unnamed'>`line ->> 'account'`;
  const { kind, at } = ledgerEntries;
  const inDays = withinDays(at, days);
  const rows = await db
    .select({ kind, account, usd: totalUsd(sql`-(line ->> 'amount')::bigint`) })
    .from(ledgerEntries)
    .crossJoin(line)
    .leftJoin(came, eq(came.id, ledgerEntries.namesEntryId))
    .where(
      and(
        inArray(kind, ['unknown', ...ARRIVAL_NAMES]),
        inArray(account, ['income', 'unnamed']),
        inDays && or(and(isNull(came.at), inDays), withinDays(came.at, days)),
      ),
    )
    .groupBy(kind, account);
  const sumOf = (isWanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isWanted).reduce((sum, { usd }) => addUsd(sum, usd), USD_ZERO);
  return {
    rewards_usd: sumOf((row) => row.account === 'income' && row.kind === 'reward'),
    rebates_usd: sumOf((row) => row.account === 'income' && row.kind === 'rebate'),
    unknown_usd: sumOf((row) => row.account === 'unnamed'),
  };
}
