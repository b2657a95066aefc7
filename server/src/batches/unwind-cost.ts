import { planUnwind } from '@dutchbook/engine/sell/unwind.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Quotes } from '../parts.ts';
import { type HeldOrder, heldOrders } from '../trading/selling/holdings.ts';
import { heldByToken, positionOf, sellableOrder, unhedgedOf } from '../trading/selling/sellable.ts';
import type { StoredUnhedged } from '../world/schema.ts';
import type { Db } from '../world/world.ts';
import type { BatchRow } from './store.ts';

type Known = Pick<Quotes, 'current'>;

/**
 * What getting out of the unhedged shares of these batches would lose at the bids that the feed knows now, by batch id;
 * null where a book, a fee or a market is not known. Batches without such shares are left out.
 */
export async function unwindCosts(
  db: Db,
  quotes: Known,
  rows: readonly BatchRow[],
): Promise<ReadonlyMap<string, Usd | null>> {
  const atRisk = rows.flatMap(({ id, unhedged }) => (unhedged === null ? [] : [{ id, unhedged }]));
  if (atRisk.length === 0) return new Map();
  const held = await heldOrders(
    db,
    atRisk.map(({ id }) => id),
  );
  const heldOf = Map.groupBy(held, ({ order }) => order.batchId);
  return new Map(atRisk.map(({ id, unhedged }) => [id, unwindCost(unhedged, heldOf.get(id) ?? [], quotes)]));
}

function unwindCost(unhedged: StoredUnhedged, held: readonly HeldOrder[], quotes: Known): Usd | null {
  const quoted = quotes.current(held.map(positionOf));
  const orders = held.map((each, index) => sellableOrder({ ...each, inSale: SHARES_ZERO }, quoted[index]));
  const request = { orders, freeByToken: heldByToken(held), customPrices: new Map(), maxDeviation: FRACTION_ONE };
  return planUnwind(request, unhedgedOf(unhedged, held)).unwindCost;
}
