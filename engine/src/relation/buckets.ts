/** Ranges of one variable with thresholds on it: what lies above a threshold is what the ranges above it say. */
import type { CatalogueEvent } from './catalogue-event.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import { areApart, capOf, floorOf, isTiled, isWithin, type Range } from './ranges.ts';
import type { Basis, Relation, RelationMember } from './relation.ts';

export type ReadBuckets = { ranges: readonly Range[]; basis: Basis; isComplete: boolean };
type Direction = 'above' | 'below';

/** Reads bucket relations from ranges on one variable; none where no threshold surely lies between them. */
export function readBuckets({ ranges, basis, isComplete }: ReadBuckets): Relation[] {
  const buckets = ranges.filter(({ isBucket }) => isBucket);
  const exclusive = buckets.every(({ event }) => event.exclusive !== null) || basis === 'enforced' || allApart(buckets);
  if (buckets.length === 0 || !exclusive) return [];
  return (['above', 'below'] as const).flatMap((direction) => {
    const thresholds = ranges.filter(({ isBucket, strike }) => !isBucket && strike.kind === direction);
    const placed = inOrder(buckets, thresholds, direction);
    return placed.length === buckets.length ? [] : [bucketsOf(placed, direction, { basis, isComplete })];
  });
}

function allApart(ranges: readonly Range[]): boolean {
  return ranges.every((one, index) => ranges.slice(index + 1).every((other) => areApart(one.strike, other.strike)));
}

/**
 * From the hardest to imply on: each threshold behind all buckets that imply it. One that cuts a bucket, or of which it is not
 * known whether it does, has no place; of two with the same end neither has.
 */
function inOrder(buckets: readonly Range[], thresholds: readonly Range[], direction: Direction): Range[] {
  const endOf = ({ strike }: Range) => (direction === 'above' ? -floorOf(strike) : capOf(strike));
  const ends = thresholds.map(endOf);
  const sorted = buckets.toSorted((one, other) => endOf(one) - endOf(other));
  const placed = thresholds
    .filter((threshold) => ends.filter((end) => end === endOf(threshold)).length === 1)
    .filter(({ strike }) =>
      sorted.every((bucket) => isWithin(bucket.strike, strike) || areApart(bucket.strike, strike)),
    )
    .map((threshold) => ({
      threshold,
      place: sorted.filter(({ strike }) => isWithin(strike, threshold.strike)).length,
    }))
    .sort((one, other) => endOf(one.threshold) - endOf(other.threshold));
  return Array.from({ length: sorted.length + 1 }, (_, place) => [
    ...(place === 0 ? [] : sorted.slice(place - 1, place)),
    ...placed.filter((each) => each.place === place).map(({ threshold }) => threshold),
  ]).flat();
}

function bucketsOf(
  placed: readonly Range[],
  direction: Direction,
  { basis, isComplete }: Omit<ReadBuckets, 'ranges'>,
): Relation {
  const buckets = placed.filter(({ isBucket }) => isBucket);
  const thresholds = placed.filter(({ isBucket }) => !isBucket);
  const events = [...new Map(placed.map(({ event }) => [event.id, event])).values()].sort(byId);
  const members = placed.map(({ member }) => member);
  const home = buckets[0]?.event;
  return {
    key: `buckets:${home?.id ?? ''}:${direction}:${listedFirst(thresholds)}`,
    kind: 'buckets',
    basis,
    title: `${buckets.length} ranges with ${thresholds.length} thresholds of the same variable`,
    members: placed.map(
      ({ event, member, isBucket }): RelationMember => ({
        eventId: event.id,
        marketId: member.marketId,
        role: isBucket ? 'bucket' : 'threshold',
      }),
    ),
    readFrom: placed.map(({ strike }) => textOf(strike)),
    isComplete,
    completeness: isComplete
      ? 'The ranges leave no value out'
      : 'A value may lie in none of the ranges that are listed',
    isVoidSafe: basis === 'enforced',
    fingerprintText: fingerprintOf(events, members, 'buckets'),
    template: home === undefined ? null : templateOf(home, members, 'buckets'),
  };
}

function byId(one: CatalogueEvent, other: CatalogueEvent): number {
  return one.id < other.id ? -1 : 1;
}

function listedFirst(ranges: readonly Range[]): string {
  const [first] = ranges.toSorted(
    (one, other) =>
      byIdOrSame(one.event, other.event) ||
      one.event.members.indexOf(one.member) - other.event.members.indexOf(other.member),
  );
  return first?.member.marketId ?? '';
}

function byIdOrSame(one: CatalogueEvent, other: CatalogueEvent): number {
  return one.id === other.id ? 0 : byId(one, other);
}

function textOf(strike: Range['strike']): string {
  if (strike.kind === 'above') return `${strike.hasFloor === true ? '>=' : '>'} ${strike.floor}`;
  if (strike.kind === 'below') return `${strike.hasCap === true ? '<=' : '<'} ${strike.cap}`;
  return `${strike.floor} to ${strike.cap}`;
}

/** Whether the ranges leave nothing out, by their ends alone. */
export function tilesAll(ranges: readonly Range[]): boolean {
  const variables = new Set(ranges.map(({ variable }) => variable));
  return variables.size === 1 && isTiled(ranges.map(({ strike }) => strike));
}
