/**
 * Looks for orders that were placed with our key from outside of this product: remembers each, notifies of it once, and never sells
 * or cancels anything of them.
 */

import type { Market } from '@dutchbook/engine/market/market.ts';
import type { OrderName, VenueName } from '@dutchbook/units/ids.ts';
import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { type VenueCatalogue, type VenueOrder, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import {
  type ExternalOrderRow,
  placedHere,
  standingExternalOrders,
  updateExternalOrder,
} from '../external-orders/store.ts';
import { externalOrders } from '../external-orders/table.ts';

const POLL_EVERY_MS = 30_000;

export type ExternalOrders = {
  /** Reads all orders that stand at the venue. Does nothing where the venue does not answer. */
  poll: () => Promise<void>;
  /** The venue has spoken of an order that is not known here. */
  pollOne: (orderHash: OrderName) => Promise<void>;
  stop: () => void;
};

/**
 * `isOurs`: whether it is for this process of all to follow them, at this moment. `onRevived` hears of an order that was
 * placed and given up here, and stands at the venue all the same: those are not asked about any more.
 */
export function followExternalOrders(
  runtime: Pick<Runtime, 'clock' | 'db' | 'random' | 'log' | 'pubsub' | 'timers'>,
  catalogue: Pick<VenueCatalogue, 'marketsById'>,
  { name, trading }: { name: VenueName; trading: Pick<VenueTrading, 'openOrders' | 'lookupOrder'> },
  { isOurs, onRevived }: { isOurs: () => boolean; onRevived: (orderHash: OrderName) => void },
): ExternalOrders {
  async function poll(): Promise<void> {
    const open = await trading.openOrders().catch(unlessUnavailable);
    if (open === null) return;
    const placed = await placedHere(runtime.db, open);
    for (const [orderHash, status] of placed) if (status === 'rejected' || status === 'failed') onRevived(orderHash);
    if (!isOurs()) return;
    const standing = await standingExternalOrders(runtime.db, name);
    for (const row of standing)
      await follow(
        row,
        open.find(({ orderHash }) => orderHash === row.orderHash),
      );
    const known = new Set(standing.map(({ orderHash }) => orderHash));
    for (const order of open) {
      if (!placed.has(order.orderHash) && !known.has(order.orderHash)) await note(order);
    }
  }

  /** That an order is missing from a list is no proof that it has ended. */
  async function follow(row: ExternalOrderRow, listed: VenueOrder | undefined): Promise<void> {
    if (listed !== undefined) return await updateExternalOrder(runtime, row, listed);
    const lookup = await trading.lookupOrder(row.orderHash, row.marketId ?? undefined);
    if (lookup.kind !== 'unknown')
      await updateExternalOrder(runtime, row, lookup.kind === 'found' ? lookup.order : null);
  }

  async function pollOne(orderHash: OrderName): Promise<void> {
    if (!isOurs()) return;
    const [row] = await runtime.db.select().from(externalOrders).where(eq(externalOrders.orderHash, orderHash));
    const lookup = await trading.lookupOrder(orderHash, row?.marketId ?? undefined);
    if (lookup.kind !== 'found') return;
    if (row === undefined) await note(lookup.order);
    else await updateExternalOrder(runtime, row, lookup.order);
  }

  async function note(order: VenueOrder): Promise<void> {
    const market = await marketOf(order);
    const row = rowOf(order, market, runtime);
    await runtime.db.transaction(async (tx) => {
      const [added] = await tx.insert(externalOrders).values(row).onConflictDoNothing().returning();
      if (added !== undefined) await recordNotification(tx, runtime, notificationOf(added));
    });
    runtime.log.warn({ orderHash: order.orderHash }, 'external order found');
  }

  async function marketOf({ marketId }: VenueOrder): Promise<Market | undefined> {
    if (marketId === null) return undefined;
    return (await catalogue.marketsById([marketId]).catch(unlessUnavailable))?.get(marketId);
  }

  const stop = runtime.timers.every(POLL_EVERY_MS, poll);
  return { poll, pollOne, stop };
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof VenueUnavailable) return null;
  throw error;
}

function rowOf(order: VenueOrder, market: Market | undefined, { clock }: Pick<Runtime, 'clock'>): ExternalOrderRow {
  const { orderHash, tokenId, marketId, side, price, originalSize, matchedSize, status } = order;
  const now = clock.now();
  return {
    orderHash,
    tokenId,
    marketId,
    marketName: market?.question ?? null,
    outcome: market?.outcomes.find((each) => each.tokenId === tokenId)?.outcome ?? null,
    side,
    price,
    size: originalSize,
    matchedSize,
    seenAt: now,
    endedAt: status === 'open' || status === 'delayed' ? null : now,
  };
}

function notificationOf({ orderHash, tokenId, marketName, outcome, side, price, size }: ExternalOrderRow) {
  const what = marketName === null ? `token ${tokenId}` : `${outcome ?? ''} of "${marketName}"`.trim();
  return {
    type: 'external_order' as const,
    opportunityId: null,
    message: `The venue has an order of our account that was not placed here: ${side} ${sharesToText(size)} ${what} at ${formatPrice(price)}. It is left alone. The person who placed it has the trading key`,
    data: {
      order_hash: orderHash,
      token_id: tokenId,
      market_name: marketName,
      outcome,
      side,
      price: priceToNumber(price),
      shares: sharesToNumber(size),
    },
  };
}
