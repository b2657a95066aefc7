/** From what was seen to cash: each batch, and everything that was missed, is in it once. */
import { reasonWords, smallerWords } from '@dutchbook/contract/notes/reason-words.ts';
import type { readFunnel } from '@dutchbook/contract/report.ts';
import { formatUsd, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { type AnyColumn, and, desc, eq, gt, inArray, isNotNull, max, notExists, type SQL, sql, sum } from 'drizzle-orm';
import { alias, union } from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';
import { relationHits } from '../../market/relations/table.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from '../../trading/orders/batch-store.ts';
import { batches, SERIES_BOUND } from '../../trading/orders/table.ts';
import { readBeingBought } from './being-bought.ts';
import { COUNT, PROFIT_PARTS, SLIPPAGE_PARTS, totalUsd } from './figures.ts';
import { matching, REACHED, type ReportFilter } from './filter.ts';
import { type Missed, readMissed } from './missed.ts';
import { batchResults } from './table.ts';

type Funnel = z.output<typeof readFunnel.reply>;
type Step = Funnel['steps'][number];

/** What dollars were lost by, from one step to the next. */
type Loss = { reason: string; usd: number };

/** Less is written as no cents, and is no reason. */
export const HALF_CENT = usdFromNumber(0.005);

export async function readFunnelOf(db: Db, filter: ReportFilter): Promise<Funnel> {
  const { missed, placed, smaller, beingBought } = await inOneSnapshot(db, async (tx) => ({
    missed: await readMissed(tx, filter),
    placed: await readPlaced(tx, filter),
    smaller: await readSmaller(tx, filter),
    beingBought: await readBeingBought(tx, filter),
  }));
  return {
    steps: [...stepsToPlaced(missed, placed, smaller), ...stepsToCash(placed, beingBought)],
    smaller,
    missed,
  };
}

type Placed = Awaited<ReturnType<typeof readPlaced>>;

/** How many batches have reached each of the later steps, and for how many dollars. */
async function readPlaced(db: Db, filter: ReportFilter) {
  const [placed] = await db
    .select({
      count: countSeries(),
      predicted: totalUsd(batchResults.predictedProfit),
      filled: countSeries(REACHED.filled),
      shortfall: totalUsd(batchResults.shortfall),
      locked: countSeries(REACHED.locked),
      cash: countSeries(REACHED.cash),
      ...PROFIT_PARTS,
      ...SLIPPAGE_PARTS,
    })
    .from(batchResults)
    .leftJoin(batches, eq(batches.id, batchResults.batchId))
    .where(matching(filter));
  if (placed === undefined) throw new Error('a sum without groups answered no row');
  return placed;
}

/** Counts series, and batches without one, of which one batch fulfils `condition`. */
function countSeries(condition: SQL = sql`true`): SQL<number> {
  return sql`count(distinct ${seriesOf(batchResults.batchId)}) filter (where ${condition})`.mapWith(Number);
}

function seriesOf(id: AnyColumn): SQL<string> {
  return sql<string>`coalesce(${batches.seriesId}, ${id})`;
}

type Smaller = Funnel['smaller'][number];

/**
 * By how much the batches, the clips of a series together, were smaller than what paid at best: by the hits of what discovery found, and
 * by the books that each was decided on, also of opportunities that a person or a program added.
 */
export async function readSmaller(db: Db, filter: ReportFilter): Promise<Smaller[]> {
  const { batchId, profit } = relationHits;
  const best = db
    .select({ series: seriesOf(batchId).as('best_series'), profit: max(profit).as('best_profit') })
    .from(relationHits)
    .leftJoin(batches, eq(batches.id, batchId))
    .where(filter.since === undefined ? isNotNull(batchId) : inArray(batchId, inSeriesOf(db, matching(filter))))
    .groupBy(seriesOf(batchId))
    .as('best');
  const boundOfLast = sql<
    Smaller['bounded_by']
  >`(array_agg(${SERIES_BOUND} order by ${batches.clipNumber} desc nulls last))[1]`;
  const taken = db
    .select({
      series: seriesOf(batchResults.batchId).as('taken_series'),
      predicted: sum(batchResults.predictedProfit).as('predicted'),
      offered: max(batches.offeredProfit).as('offered'),
      boundedBy: boundOfLast.as('bounded_by'),
    })
    .from(batchResults)
    .leftJoin(batches, eq(batches.id, batchResults.batchId))
    .where(matching(filter))
    .groupBy(seriesOf(batchResults.batchId))
    .as('taken');
  // The larger of those that are known.
  const offered = sql`greatest(${best.profit}, ${taken.offered})`;
  const usd = totalUsd(sql`${offered} - ${taken.predicted}`);
  return await db
    .select({ bounded_by: taken.boundedBy, count: COUNT, usd })
    .from(taken)
    .leftJoin(best, eq(taken.series, best.series))
    .where(and(gt(offered, taken.predicted), notExists(clipUnderWay(db, taken.series))))
    .groupBy(taken.boundedBy)
    .orderBy(desc(usd));
}

/** What bounds a series, and by how much, is known once its last clip is bought: until then the next one may take the rest. */
function clipUnderWay(db: Db, series: SQL.Aliased<string>) {
  const clip = alias(batches, 'clip_under_way');
  return db
    .select({ id: clip.id })
    .from(clip)
    .where(and(sql`${clip.seriesId} = ${series}`, inArray(clip.status, [...ACTIVE_STATUSES])));
}

/** The ids of these batches, and of the other clips of their series. */
function inSeriesOf(db: Db, meant: SQL | undefined) {
  const clip = alias(batches, 'clip');
  const own = db.select({ id: batchResults.batchId }).from(batchResults).where(meant);
  const clips = db
    .select({ id: clip.id })
    .from(batchResults)
    .innerJoin(batches, eq(batches.id, batchResults.batchId))
    .innerJoin(clip, eq(clip.seriesId, batches.seriesId))
    .where(meant);
  return union(own, clips);
}

function stepsToPlaced(missed: readonly Missed[], placed: Placed, smaller: readonly Smaller[]): Step[] {
  const at = (step: Missed['reached']) => missed.filter(({ reached }) => reached === step);
  let [count, usd] = [
    placed.count + sumOf(missed, 'count'),
    placed.predicted + sumOf(smaller, 'usd') + sumOf(missed, 'usd'),
  ];
  const pass = (step: Step['step'], stopped: readonly Missed[], more: readonly Loss[] = []): Step => {
    const losses = [...stopped.map(lossOf), ...more];
    const lost = sumOf(losses, 'usd');
    count -= sumOf(stopped, 'count');
    usd -= lost;
    return stepOf(step, count, usd, lost, losses);
  };
  return [
    pass('seen', []),
    pass('triggered', at('seen')),
    pass('allowed', at('triggered')),
    pass(
      'placed',
      at('allowed'),
      smaller.map(({ bounded_by: bound, usd: dollars }) => ({ reason: smallerWords(bound), usd: dollars })),
    ),
  ];
}

function lossOf({ reason, example, usd }: Missed): Loss {
  return { reason: reasonWords(reason, example), usd };
}

function stepsToCash(placed: Placed, beingBought: Usd): Step[] {
  const filled = placed.predicted - placed.shortfall;
  const locked = placed.paid_usd + placed.locked_usd;
  const lost = filled - locked;
  const slippage = [
    { reason: 'Prices moved before orders were sent', usd: placed.moved_before_send_usd },
    { reason: 'Prices moved while orders were on their way', usd: placed.moved_in_flight_usd },
    { reason: 'The rest was bought at worse levels', usd: placed.size_added_usd },
  ];
  const rest = { reason: 'Legs without their sets, sales and fees', usd: lost - placed.slippage_usd };
  return [
    stepOf('filled', placed.filled, filled, placed.shortfall, [
      { reason: notFilledWords(placed.shortfall, beingBought), usd: placed.shortfall },
    ]),
    stepOf('locked', placed.locked, locked, lost, [...slippage, rest]),
    stepOf('cash', placed.cash, placed.paid_usd, placed.locked_usd, [
      { reason: 'Not lost: locked in sets that are not cash yet', usd: placed.locked_usd },
    ]),
  ];
}

/** What is still being bought is not lost. */
function notFilledWords(shortfall: Usd, beingBought: Usd): string {
  if (beingBought <= 0) return 'Orders were not filled in full';
  if (beingBought === shortfall) return 'Not lost: still being bought';
  return `Orders were not filled in full; ${formatUsd(beingBought)} of it is still being bought`;
}

function stepOf(step: Step['step'], count: number, usd: number, lost: number, losses: readonly Loss[]): Step {
  const [first] = losses.filter(({ usd: most }) => most >= HALF_CENT).toSorted((a, b) => b.usd - a.usd);
  return { step, count, usd: usd as Usd, lost_usd: lost as Usd, first_reason: first?.reason ?? null };
}

function sumOf<Name extends string>(some: readonly Record<Name, number>[], name: Name): number {
  return some.reduce((total, each) => total + each[name], 0);
}
