/** From what was seen to cash: each batch, and everything that was missed, is in it once. */
import type { readFunnel } from '@dutchbook/contract/report.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { eq, isNotNull, max, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { relationHits } from '../../market/relations/table.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { COUNT, PROFIT_PARTS, SLIPPAGE_PARTS, totalUsd } from './figures.ts';
import { matching, REACHED, type ReportFilter } from './filter.ts';
import { type Missed, readMissed } from './missed.ts';
import { batchResults } from './table.ts';

type Funnel = z.output<typeof readFunnel.reply>;
type Step = Funnel['steps'][number];

/** What dollars were lost by, from one step to the next. */
type Loss = { reason: string; usd: number };

export async function readFunnelOf(db: Db, filter: ReportFilter): Promise<Funnel> {
  const { missed, placed, smaller } = await inOneSnapshot(db, async (tx) => ({
    missed: await readMissed(tx, filter),
    placed: await readPlaced(tx, filter),
    smaller: await readSmaller(tx, filter),
  }));
  return {
    steps: [...stepsToPlaced(missed, placed, smaller), ...stepsToCash(placed)],
    missed,
  };
}

type Placed = Awaited<ReturnType<typeof readPlaced>>;

/** How many batches have reached each of the later steps, and for how many dollars. */
async function readPlaced(db: Db, filter: ReportFilter) {
  const [placed] = await db
    .select({
      count: COUNT,
      predicted: totalUsd(batchResults.predictedProfit),
      filled: countWhere(REACHED.filled),
      shortfall: totalUsd(batchResults.shortfall),
      locked: countWhere(REACHED.locked),
      cash: countWhere(REACHED.cash),
      ...PROFIT_PARTS,
      ...SLIPPAGE_PARTS,
    })
    .from(batchResults)
    .where(matching(filter));
  if (placed === undefined) throw new Error('a sum without groups answered no row');
  return placed;
}

function countWhere(condition: SQL | undefined): SQL<number> {
  return sql`count(*) filter (where ${condition})`.mapWith(Number);
}

/** By how much the batches were smaller than what their hits offered at best. */
async function readSmaller(db: Db, filter: ReportFilter): Promise<Usd> {
  const { batchId, profit } = relationHits;
  const best = db
    .select({ batchId, profit: max(profit).as('best_profit') })
    .from(relationHits)
    .where(isNotNull(batchId))
    .groupBy(batchId)
    .as('best');
  const [found] = await db
    .select({ usd: totalUsd(sql`greatest(${best.profit} - ${batchResults.predictedProfit}, 0)`) })
    .from(best)
    .innerJoin(batchResults, eq(batchResults.batchId, best.batchId))
    .where(matching(filter));
  return found?.usd ?? USD_ZERO;
}

function stepsToPlaced(missed: readonly Missed[], placed: Placed, smaller: Usd): Step[] {
  const at = (step: Missed['reached']) => missed.filter(({ reached }) => reached === step);
  let [count, usd] = [placed.count + sumOf(missed, 'count'), placed.predicted + smaller + sumOf(missed, 'usd')];
  const pass = (step: Step['step'], stopped: readonly Missed[], more: readonly Loss[] = []): Step => {
    const losses = [...stopped, ...more];
    const lost = sumOf(losses, 'usd');
    count -= sumOf(stopped, 'count');
    usd -= lost;
    return stepOf(step, count, usd, lost, losses);
  };
  return [
    pass('seen', []),
    pass('triggered', at('seen')),
    pass('allowed', at('triggered')),
    pass('placed', at('allowed'), [{ reason: 'Orders were smaller than what paid', usd: smaller }]),
  ];
}

function stepsToCash(placed: Placed): Step[] {
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
      { reason: 'Orders were not filled in full', usd: placed.shortfall },
    ]),
    stepOf('locked', placed.locked, locked, lost, [...slippage, rest]),
    stepOf('cash', placed.cash, placed.paid_usd, placed.locked_usd, [
      { reason: 'It is not paid out yet', usd: placed.locked_usd },
    ]),
  ];
}

function stepOf(step: Step['step'], count: number, usd: number, lost: number, losses: readonly Loss[]): Step {
  const [first] = losses.filter((loss) => loss.usd > 0).toSorted((a, b) => b.usd - a.usd);
  return { step, count, usd: usd as Usd, lost_usd: lost as Usd, first_reason: first?.reason ?? null };
}

function sumOf<Name extends string>(some: readonly Record<Name, number>[], name: Name): number {
  return some.reduce((total, each) => total + each[name], 0);
}
