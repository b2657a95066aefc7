import { planUnwind } from '@dutchbook/engine/sell/unwind.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { inArray } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type BatchState, loadBatches } from './batch-state.ts';
import type { BatchRow } from './batch-store.ts';
import { heldByToken, heldOrders, positionOf, sellableOrder, unhedgedOf } from './holdings.ts';
import { batches } from './table.ts';

type Known = Pick<Quotes, 'current'>;

/** What it costs does not depend on orders that are to be canceled first. */
const UNDISTURBED = {
  allowancesByToken: new Map(),
  ownOrders: [],
  customPrices: new Map(),
  maxDeviation: FRACTION_ONE,
};

/**
 * What getting out of the unhedged shares of these batches would lose at the bids that the feed knows now, by batch id;
 * null where a book, a fee or a market is not known, or a book is stale. Batches without such shares are left out.
 */
export async function unwindCosts(
  db: Db,
  quotes: Known,
  rows: readonly BatchRow[],
): Promise<ReadonlyMap<string, Usd | null>> {
  const atRisk = rows.filter(({ unhedged }) => unhedged !== null).map(({ id }) => id);
  if (atRisk.length === 0) return new Map();
  const states = await loadBatches(db, inArray(batches.id, atRisk));
  return new Map(states.map((state) => [state.batch.id, unwindCost(state, quotes)]));
}

/** What unwinding one batch costs; null where nothing is unhedged. */
export function unwindCost(state: BatchState, quotes: Known): Usd | null {
  const { unhedged } = state.batch;
  if (unhedged === null) return null;
  const held = heldOrders(state);
  const quoted = quotes.current(held.map(positionOf)).map((quote) => (quote.feed === 'stale' ? undefined : quote));
  const orders = held.map((each, index) => {
    const holding = { ...each.holding, credited: each.holding.bought };
    return sellableOrder({ ...each, holding, inSale: SHARES_ZERO }, quoted[index]);
  });
  const request = { orders, freeByToken: heldByToken(held), ...UNDISTURBED };
  return planUnwind(request, unhedgedOf(unhedged, held)).unwindCost;
}
