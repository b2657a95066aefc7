/** A relation as stored, with what is known of its members' markets. */

import type { Assessed, WatchedMember } from '@dutchbook/engine/desk/watched-relation.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import type { StoredRelation } from '../relations/store.ts';

export type Watched = { row: StoredRelation; members: readonly WatchedMember[] };

export function watchedOf(row: StoredRelation, events: ReadonlyMap<EventId, CatalogueEvent>): Watched {
  const members = row.members.map(({ eventId, marketId }): WatchedMember => {
    const listed = events.get(eventId)?.members.find((member) => member.marketId === marketId);
    const isTraded = listed !== undefined && listed.leftOut === null && !listed.closed;
    return {
      marketId,
      tokenId: isTraded ? (listed.tokenIds[0] ?? null) : null,
      name: listed?.groupTitle || listed?.question || marketId,
      outcomes: listed?.outcomes ?? [],
      feeSchedule: listed?.feeSchedule ?? null,
      resolved: listed?.resolvedValue ?? null,
    };
  });
  return { row, members };
}

/** The row as the books say, in place of what they said when it was stored. */
export function pricedBy<Row extends StoredRelation>(row: Row, { basket, found: _found, ...prices }: Assessed): Row {
  return { ...row, ...prices, direction: basket?.direction ?? null, basket };
}
