import { type CheaperWay, cheaperWay, type Finish, planFinish } from '@dutchbook/engine/batch/finish.ts';
import type { RemainderOrder } from '@dutchbook/engine/batch/remainder.ts';
import { planUnwind } from '@dutchbook/engine/sell/unwind.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { inArray } from 'drizzle-orm';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type BatchState, loadBatches, orderState, salesOf } from './batch-state.ts';
import type { BatchRow } from './batch-store.ts';
import { type HeldOrder, heldByToken, heldOrders, positionOf, sellableOrder, unhedgedOf } from './holdings.ts';
import { batches } from './table.ts';

type Known = Pick<Quotes, 'current'>;

/** The losses of both ways out of unhedged shares. `unwindCost` is null where it is not known. */
export type WaysOut = { unwindCost: Usd | null; finish: Finish<LiveQuote>; cheaper: CheaperWay | null };

/** The cost of finishing does not depend on orders that are canceled first. */
const UNDISTURBED = {
  allowancesByToken: new Map(),
  ownOrders: [],
  customPrices: new Map(),
  maxDeviation: FRACTION_ONE,
};

/** The ways out of the unhedged shares of these batches by the books that the feed knows now, by batch id. Batches without such shares are left out. */
export async function waysOutOf(
  db: Db,
  quotes: Known,
  rows: readonly BatchRow[],
): Promise<ReadonlyMap<string, WaysOut>> {
  const atRisk = rows.filter(({ unhedged }) => unhedged !== null).map(({ id }) => id);
  if (atRisk.length === 0) return new Map();
  const states = await loadBatches(db, inArray(batches.id, atRisk));
  return new Map(
    states.flatMap((state) => {
      const ways = waysOut(state, quotes);
      return ways === null ? [] : [[state.batch.id, ways] as const];
    }),
  );
}

/** Null where nothing is unhedged. */
export function waysOut(state: BatchState, quotes: Known): WaysOut | null {
  if (state.batch.unhedged === null) return null;
  return waysOutAt(state, quotes.current(heldOrders(state).map(positionOf)));
}

/** Ways out by these quotes of all that the batch may hold, those of `orders` first. A stale book counts as none. */
export function waysOutAt(state: BatchState, quotes: readonly LiveQuote[]): WaysOut {
  const held = heldOrders(state);
  const unwindCost = unwindCostAt(state, held, quotes);
  const fresh = quotes.map((quote) => (quote.feed === 'stale' ? { ...quote, book: undefined } : quote));
  const finish = planFinish(remainderOrders(state, fresh), state.batch.targetPrice);
  return { unwindCost, finish, cheaper: cheaperWay(finish, unwindCost) };
}

function unwindCostAt(
  { batch: { unhedged } }: BatchState,
  held: readonly HeldOrder[],
  quotes: readonly (LiveQuote | undefined)[],
): Usd | null {
  if (unhedged === null) return null;
  const orders = held.map((each, index) => {
    const quote = quotes[index];
    const holding = { ...each.holding, credited: each.holding.bought };
    return sellableOrder({ ...each, holding, inSale: SHARES_ZERO }, quote?.feed === 'stale' ? undefined : quote);
  });
  const request = { orders, freeByToken: heldByToken(held), ...UNDISTURBED };
  return planUnwind(request, unhedgedOf(unhedged, held)).unwindCost;
}

/** The orders of a batch with these quotes of their positions. Attempts that were committed and have not left count for nothing. */
export function remainderOrders(state: BatchState, quoted: readonly LiveQuote[]): RemainderOrder<LiveQuote>[] {
  return state.orders.map((order, index) => {
    const quote = quoted[index];
    if (quote === undefined) throw new Error('a quote is missing of those that were asked for');
    const inputs = orderState(state, order);
    const attempts = inputs.attempts.filter(({ status }) => status !== 'prepared');
    return { ...order, ...inputs, attempts, sales: salesOf(state, order.id), quote };
  });
}
