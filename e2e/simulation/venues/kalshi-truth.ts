/** What the venue has of our account at Kalshi, in the terms of the product: what was bought or sold, of which outcome. */

import type { VenueOrder as PlacedOrder } from '@dutchbook/exchange/adapters/kalshi/orders/order.ts';
import type { KalshiVenue } from '@dutchbook/exchange/adapters/kalshi/venue.ts';
import type { OrderRecord } from '@dutchbook/exchange/matching-engine/records.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import type { TruthAtVenue, VenueOrder, VenueTrade } from '../truth.ts';
import { spentNames } from './second-venue.ts';

const DOLLAR = 1_000_000;
const STANDING = ['LIVE', 'UNMATCHED'];

export function readKalshi(venue: KalshiVenue): TruthAtVenue {
  const { engine, orders, fills, members, transfers } = venue;
  const nameOf = ({ id, clientId }: PlacedOrder) => idAt('kalshi', clientId ?? id);
  const placed = new Set(orders.all().map(({ clientId }) => clientId));
  const records = engine.register.orders;
  const pockets = members.first()?.pockets() ?? [];
  return {
    cash: pockets.reduce((cash, pocket) => cash + engine.balances.cash(pocket), 0),
    tokens: new Map(
      pockets.flatMap((pocket) =>
        [...engine.balances.holdings(pocket)].map(([token, shares]) => [idAt('kalshi', token), shares] as const),
      ),
    ),
    orders: [
      ...orders.all().map((order) => orderOf(records.get(order.id), nameOf(order))),
      ...spentNames(venue)
        .filter((name) => !placed.has(name))
        .map((name) => emptyOrder(idAt('kalshi', name))),
    ],
    cashMoves: transfers.all.map(({ source, destination, usd }) => `${source.shard} to ${destination.shard}: ${usd}`),
    trades: fills.all.flatMap(({ order, ...fill }) => {
      const record = records.get(order.id);
      return record === undefined ? [] : tradeOf(fill, record, nameOf(order));
    }),
  };
}

/** What was refused, or ended before anything of it matched or rested, was never in the book: its name is spent all the same. */
function emptyOrder(hash: string): VenueOrder {
  return {
    ...{ hash, tokenId: '', side: 'buy', limit: 0, size: 0, matched: 0, isStanding: false, spends: false },
    isEmpty: true,
  };
}

function orderOf(record: OrderRecord | undefined, hash: string): VenueOrder {
  if (record === undefined) return emptyOrder(hash);
  return {
    hash,
    tokenId: idAt('kalshi', record.tokenId),
    side: record.side === 'BUY' ? 'buy' : 'sell',
    limit: record.limit,
    size: record.originalShares,
    matched: record.matchedShares,
    isStanding: STANDING.includes(record.status),
    spends: false,
  };
}

function tradeOf(
  { tradeId, size, yesPrice, fee }: { tradeId: string; size: number; yesPrice: number; fee: number },
  { side, tokenId, outcome }: OrderRecord,
  hash: string,
): VenueTrade {
  const price = outcome === 0 ? yesPrice : DOLLAR - yesPrice;
  const cost = (size * price) / DOLLAR;
  return {
    ...{ tradeId, hash, tokenId: idAt('kalshi', tokenId), price, size, cost, fee },
    side: side === 'BUY' ? 'buy' : 'sell',
    // A trade there is final at once.
    status: 'confirmed',
  };
}
