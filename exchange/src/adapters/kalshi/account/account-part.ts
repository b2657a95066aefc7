import type { Caller } from '../calls.ts';
import { SHARDS } from '../members.ts';
import type { Fill } from '../orders/fills.ts';
import type { KalshiVenue } from '../venue.ts';

const PAGE_MAX = 1000;

export function limited(venue: KalshiVenue, limit: number | undefined): number {
  return Math.min(limit ?? 100, PAGE_MAX, venue.pageMax);
}

/** Which part of an account is meant. */
export interface AccountPart {
  readonly subaccount?: number | undefined;
  readonly exchange_index?: number | undefined;
}

/** A member's pockets that its key may see, or those of them that are asked for. */
export function pocketsOf({ member, key }: Caller, { subaccount, exchange_index: shard }: AccountPart = {}): string[] {
  const wanted = key.subaccount ?? subaccount;
  const some = wanted === undefined ? [...member.subaccounts] : [wanted];
  const shards = SHARDS.filter(({ index }) => shard === undefined || index === shard);
  return some.flatMap((each) => shards.map(({ index }) => member.pocket(each, index)));
}

export function visibleFills(venue: KalshiVenue, caller: Caller, part: AccountPart = {}): Fill[] {
  const knownMs = venue.engine.clock.now() - venue.readLagMs;
  const pockets = new Set(pocketsOf(caller, part));
  return venue.fills.all.filter(({ order, at }) => pockets.has(order.pocket) && at <= knownMs);
}
