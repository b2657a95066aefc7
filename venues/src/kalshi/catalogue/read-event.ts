import type { Market } from '@dutchbook/engine/market/market.ts';
import { tilesAll } from '@dutchbook/engine/relation/buckets.ts';
import type { CatalogueEvent, EventMember, Strike } from '@dutchbook/engine/relation/catalogue-event.ts';
import { rangesOf } from '@dutchbook/engine/relation/ranges.ts';
import { eventIdOf } from '../ids.ts';
import { readTime, type WireEvent, type WireMarket, type WireSeries, wireMarket } from '../wire.ts';
import { isClosed, isProvisional, questionOf, type SkippedMarket, yesPays } from './listed-market.ts';

/** An event with all its markets, each as `readMarket` has read it. */
export type EventParts = {
  event: WireEvent;
  series: WireSeries | null;
  markets: readonly { raw: unknown; read: Market | SkippedMarket }[];
};

/**
 * An event as relations are read from: by its fields, and by the words of its markets. The venue says of it that at most one member comes
 * true; that one does is proven where ranges leave no value out.
 */
export function readCatalogueEvent({ event, series, markets }: EventParts): CatalogueEvent {
  const members = markets.flatMap(({ raw, read }) => {
    const parsed = wireMarket.safeParse(raw);
    return parsed.success ? [memberOf(parsed.data, read, series)] : [];
  });
  const isExclusive = event.mutually_exclusive === true;
  const read: CatalogueEvent = {
    id: eventIdOf(event.event_ticker),
    slug: event.event_ticker.toLowerCase(),
    title: event.sub_title ? `${event.title} ${event.sub_title}` : event.title,
    series: event.series_ticker,
    endDate: readTime(event.strike_date),
    closed: members.length > 0 && members.every(({ closed }) => closed),
    exclusive: isExclusive ? 'declared' : null,
    augmented: isExclusive,
    nested: event.collateral_return_type === 'DIRECNET' ? 'declared' : null,
    isWhole: members.length === markets.length,
    members,
  };
  return isExclusive && leavesNothingOut(read) ? { ...read, augmented: false } : read;
}

function leavesNothingOut(event: CatalogueEvent): boolean {
  const ranges = rangesOf(event, event.members);
  return event.isWhole && ranges.length === event.members.length && tilesAll(ranges);
}

function memberOf(wire: WireMarket, read: Market | SkippedMarket, series: WireSeries | null): EventMember {
  const source = series?.settlement_sources?.[0];
  const isTradable = 'outcomes' in read;
  return {
    marketId: read.id,
    slug: wire.ticker.toLowerCase(),
    question: questionOf(wire),
    groupTitle: wire.yes_sub_title ?? '',
    rules: [wire.rules_primary, wire.rules_secondary].filter(Boolean).join('\n\n'),
    clarifications: '',
    resolutionSource: source?.url ?? source?.name ?? '',
    endDate: readTime(wire.close_time),
    outcomes: isTradable ? read.outcomes.map(({ outcome }) => outcome) : [],
    tokenIds: isTradable ? read.outcomes.map(({ tokenId }) => tokenId) : [],
    memberIndex: null,
    arity: null,
    strike: strikeOf(wire),
    game: null,
    feeSchedule: isTradable ? read.feeSchedule : null,
    closed: isClosed(wire),
    resolvedValue: yesPays(wire),
    ...(isProvisional(wire) ? { isProvisional: true as const } : {}),
    leftOut: isTradable ? null : read.reason,
  };
}

/** The type alone says which way a number is meant, and whether the number itself belongs to it. */
function strikeOf({ strike_type: type, floor_strike: floor, cap_strike: cap }: WireMarket): Strike | null {
  if (type === 'greater' || type === 'greater_or_equal')
    return floor == null ? null : { kind: 'above', floor, hasFloor: type === 'greater_or_equal' };
  if (type === 'less' || type === 'less_or_equal')
    return cap == null ? null : { kind: 'below', cap, hasCap: type === 'less_or_equal' };
  if (type !== 'between' || floor == null || cap == null) return null;
  return { kind: 'between', floor, cap, hasFloor: true, hasCap: true };
}
