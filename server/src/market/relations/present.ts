import type { RelationReply, RelationRow } from '@dutchbook/contract/relations.ts';
import { annualisedPct, msUntilCash, type Place } from '@dutchbook/engine/opportunity/return-on-time.ts';
import { netProfitPct } from '@dutchbook/engine/opportunity/value.ts';
import { type CatalogueEvent, rulesOf } from '@dutchbook/engine/relation/catalogue-event.ts';
import { whyContradicted } from '@dutchbook/engine/relation/contradiction.ts';
import { mayTrade } from '@dutchbook/engine/relation/relation.ts';
import { differencesBetween, isAsListed, snapshotOf } from '@dutchbook/engine/relation/snapshot.ts';
import { paysIn, worldsOf } from '@dutchbook/engine/relation/worlds.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { StoredRelation, WholeRelation } from './store.ts';

/** Which kinds are switched on. */
export type KindsOn = Parameters<typeof mayTrade>[1];

export function presentRelationRow(row: StoredRelation, kindsOn: KindsOn): RelationRow {
  return {
    id: row.id,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    kind: row.kind,
    basis: row.basis,
    state: row.state,
    event_id: row.eventId,
    event_title: row.eventTitle,
    title: row.title,
    members: row.members.length,
    quoted: row.quoted,
    is_complete: row.isComplete,
    is_void_safe: row.isVoidSafe,
    may_trade: row.endedAt === null && mayTrade(row, kindsOn),
    distance: row.distance,
    direction: row.direction,
    limited_by: row.limitedBy,
    profit_usd: row.profit,
    size: row.size,
    distance_with_voids: row.distanceWithVoids,
    oldest_book_ms: row.oldestBookMs,
    outdated: outdatedOf(row),
    opportunity_id: row.opportunityId,
    first_hit_at: row.firstHitAt,
    last_hit_at: row.lastHitAt,
    paying_since: row.distance !== null && row.distance < 0 ? row.payingSince : null,
    hits: row.hits,
  };
}

/** Relations that were rejected or are void are not priced any more. */
function outdatedOf({ state, endedAt, decidedAt, updatedAt, distance }: StoredRelation): RelationRow['outdated'] {
  const isPriced = endedAt === null && (state === 'proposed' || state === 'approved');
  if (isPriced || distance === null) return null;
  return { as_of: endedAt ?? (state === 'rejected' ? decidedAt : null) ?? updatedAt };
}

/** The current quote of a member's first outcome. */
export type MemberQuote = { bestBid: Price | null; bestAsk: Price | null; ageMs: number | null };

type Shown = {
  kindsOn: KindsOn;
  isFollowed: boolean;
  /** The events of its members, by id. */
  events: ReadonlyMap<EventId, CatalogueEvent>;
  quotes: ReadonlyMap<string, MemberQuote>;
  now: Instant;
};

export function presentRelation(
  row: WholeRelation,
  { kindsOn, isFollowed, events, quotes, now }: Shown,
): RelationReply {
  const listed = new Map(
    [...events.values()].flatMap(({ members }) => members.map((member) => [member.marketId, member])),
  );
  return {
    ...presentRelationRow(row, kindsOn),
    is_followed: isFollowed,
    member_list: row.members.map(({ marketId, eventId, role }, index) => {
      const member = listed.get(marketId);
      const quote = quotes.get(marketId);
      return {
        leg: index + 1,
        market_id: marketId,
        event_id: eventId,
        role,
        question: member?.question ?? '',
        group_title: member?.groupTitle ?? '',
        rules: member === undefined ? '' : rulesOf(member),
        resolution_source: member?.resolutionSource ?? '',
        end_date: (member?.endDate ?? null) as Instant | null,
        closed: member?.closed ?? true,
        resolved_value: member?.resolvedValue ?? null,
        best_bid: quote?.bestBid ?? null,
        best_ask: quote?.bestAsk ?? null,
        book_age_ms: quote?.ageMs ?? null,
        left_out: member?.leftOut ?? null,
      };
    }),
    read_from: row.readFrom,
    completeness: row.completeness,
    fingerprint: row.fingerprint,
    has_series: row.template !== null,
    decided_by: row.decidedBy,
    decided_at: row.decidedAt,
    by_series: row.bySeries,
    reason: row.reason,
    contradiction: whyContradicted(row, listed),
    differences: row.state === 'void' ? differencesOf(row, [...events.values()], listed) : [],
    worlds: worldsTable(row, listed, placesOf(row, [...events.values()]), now),
  };
}

type Listed = ReadonlyMap<string, CatalogueEvent['members'][number]>;

function differencesOf(
  { trusted, snapshot, members }: WholeRelation,
  events: readonly CatalogueEvent[],
  listed: Listed,
): RelationReply['differences'] {
  if (isAsListed(trusted)) return [];
  return differencesBetween(trusted, isAsListed(snapshot) ? snapshotOf(members, events) : snapshot).map(
    ({ marketId, field, before, after }) => ({
      market_id: marketId,
      question:
        marketId === null ? null : (listed.get(marketId)?.question ?? trusted.members[marketId]?.question ?? null),
      field,
      before,
      after,
    }),
  );
}

/** The best basket of now in every world: what each leg pays, and which world is the worst. */
function worldsTable(
  row: StoredRelation,
  listed: Listed,
  places: readonly Place[],
  now: Instant,
): RelationReply['worlds'] {
  const { basket, members } = row;
  if (basket === null) return null;
  const resolved = members.map(({ marketId }) => listed.get(marketId)?.resolvedValue ?? null);
  const rows = worldsOf(row, resolved, basket.legs).map((world) => {
    const pays = paysIn(basket.legs, world);
    const total = pays.reduce((sum, pay) => sum + pay, 0) as Price;
    return { name: nameOf(world, row, listed), voided: world.voided, pays, total };
  });
  if (rows.length === 0) return null;
  const cost = basket.legs.reduce((sum, { price, fee }) => sum + price + fee, 0) as Usd;
  const totals = rows.map(({ total }) => total);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  return {
    legs: basket.legs.map(({ member, outcome, price, fee }) => {
      const marketId = members[member]?.marketId ?? '';
      return {
        leg: member + 1,
        market_id: marketId,
        outcome: listed.get(marketId)?.outcomes[outcome] ?? '',
        price,
        fee,
      };
    }),
    rows: rows.map((each) => ({ ...each, is_worst: each.total === least && least < most })),
    cost,
    annualised_return: annualisedPct(netProfitPct(basket.payout, cost), msUntilCash(places, basket.payout, now)),
    payout: basket.payout,
    payout_with_voids: basket.payoutWithVoids,
  };
}

/** The legs of the current best basket. */
function placesOf({ basket, members }: StoredRelation, events: readonly CatalogueEvent[]): Place[] {
  return (basket?.legs ?? []).map(({ member, outcome }) => {
    const marketId = members[member]?.marketId ?? '';
    const event = events.find((each) => each.members.some((one) => one.marketId === marketId));
    const found = event?.members.find((one) => one.marketId === marketId);
    if (event === undefined || found === undefined) return { marketId, tokenId: null, market: undefined };
    const outcomes = found.tokenIds.map((tokenId, place) => ({ outcome: found.outcomes[place] ?? '', tokenId }));
    const ofEvent = { id: event.id, negRisk: event.exclusive === 'enforced' };
    return {
      ...{ marketId, tokenId: found.tokenIds[outcome] ?? null },
      // Contracts that enforce that one comes true convert as well.
      market: { outcomes, endDate: found.endDate, event: ofEvent, netsOutcomes: false },
    };
  });
}

/** Worlds are told apart by the members that come true in them. */
function nameOf(
  world: { name: string; values: readonly Price[] },
  { members }: StoredRelation,
  listed: Listed,
): string {
  return world.name.replaceAll(/\bmember (\d+)\b/g, (text, place: string) => {
    const member = listed.get(members[Number(place) - 1]?.marketId ?? '');
    return member?.groupTitle || member?.question || text;
  });
}
