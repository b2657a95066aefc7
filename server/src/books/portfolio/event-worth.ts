/** Divides the payout of whole sets and the worth of other shares between events. */
import type { HeldEvent, Holding } from '@dutchbook/contract/portfolio.ts';
import { worthOf } from '@dutchbook/engine/ledger/equity.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { LockedSets } from '../../trading/under-way/whole-sets.ts';
import type { PricedShares } from '../equity/worth.ts';

type EventWorth = Pick<HeldEvent, 'locked_usd' | 'loose_usd'>;

/** @returns what finds it by the id of an event; the parts add up to what all is worth, unless sets reach over several events */
export function eventWorth(
  holdings: readonly Pick<Holding, 'market_id' | 'event_id'>[],
  locked: readonly LockedSets[],
  loose: readonly PricedShares[],
): (eventId: string) => EventWorth {
  const eventOf = new Map<string, string>(holdings.map(({ market_id, event_id }) => [market_id, event_id]));
  const lockedOf = new Map<string, Usd | null>();
  for (const { markets, usd } of locked) {
    const events = new Set(markets.map((market) => eventOf.get(market) ?? market));
    for (const id of events) {
      const before = lockedOf.get(id);
      if (before === null || usd === 0) continue;
      lockedOf.set(id, events.size > 1 ? null : addUsd(before ?? USD_ZERO, usd));
    }
  }
  const looseOf = Map.groupBy(loose, ({ position: { marketId } }) => eventOf.get(marketId) ?? marketId);
  return (id) => {
    const locked = lockedOf.get(id);
    return { locked_usd: locked === undefined ? USD_ZERO : locked, loose_usd: worthOf(looseOf.get(id) ?? []).worth };
  };
}
