/** Which values of a variable make each of its markets come true, and what follows from that for two of them. */
import type { CatalogueEvent, EventMember, Strike } from './catalogue-event.ts';
import { readStrike, wordsAround } from './strikes.ts';
import { normalWords } from './words.ts';

/**
 * `isBucket`: one of several ranges of which at most one comes true. `variable`: equal for markets that ask about the same, by
 * all that the venue says.
 */
export type Range = { event: CatalogueEvent; member: EventMember; strike: Strike; isBucket: boolean; variable: string };

/** What can be read of an event's members, in their order, with the ends that follow from their neighbours. */
export function rangesOf(event: CatalogueEvent, members: readonly EventMember[]): Range[] {
  const ranges = members.flatMap((member): Range[] => {
    // The lines of a contract are counted, not measured: they do not compare with numbers in words.
    if (event.nested === 'enforced' && member.strike === null) return [];
    // A whole line may be met exactly: what is paid then is no step of a ladder.
    if (event.nested !== 'enforced' && Number.isInteger(member.game?.line)) return [];
    const read = readStrike(member);
    if (read === null) return [];
    const isBucket = event.exclusive !== null || isRange(event, read.strike);
    return [{ event, member, strike: read.strike, isBucket, variable: variableName(event, member, read.rest) }];
  });
  const buckets = ranges.filter(({ isBucket }) => isBucket);
  return ranges.map((range) => (range.isBucket ? withEnds(range, buckets) : range));
}

/** Whether a strike is a range; below all lines of a nested contract lies a range too, not a threshold. */
function isRange({ nested }: CatalogueEvent, { kind }: Strike): boolean {
  return kind === 'between' || (nested === 'enforced' && kind === 'below');
}

/**
 * The contract counts the ranges of one variable itself; elsewhere words, end and source have to agree. Where a venue says that at most
 * one member comes true and gives the ends in a field, its words put them in forms that differ from range to range.
 */
function variableName(event: CatalogueEvent, member: EventMember, rest: string): string {
  if (event.nested === 'enforced') return '';
  const { endDate, resolutionSource, strike, question } = member;
  const words = event.exclusive === 'declared' && strike !== null ? wordsAround(question) : rest;
  return JSON.stringify([words, endDate, normalWords(resolutionSource)]);
}

/**
 * "40-41" holds an end where the next bucket begins one step of the last digit further on, at 42. Where two buckets meet at one
 * number, or the next one is not listed, it is not known whose that number is.
 */
function withEnds(range: Range, buckets: readonly Range[]): Range {
  const { strike } = range;
  if (strike.kind !== 'between') return range;
  const others = buckets.filter((other) => other !== range && other.variable === range.variable);
  const nextFloor = Math.min(...others.map((other) => floorOf(other.strike)).filter((floor) => floor >= strike.cap));
  const nextCap = Math.max(...others.map((other) => capOf(other.strike)).filter((cap) => cap <= strike.floor));
  return {
    ...range,
    strike: {
      ...strike,
      hasFloor: strike.hasFloor ?? (isOneStep(nextCap, strike.floor) ? true : null),
      hasCap: strike.hasCap ?? (isOneStep(strike.cap, nextFloor) ? true : null),
    },
  };
}

const DECIMALS_MAX = 6;

function isOneStep(low: number, high: number): boolean {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return false;
  const step = 10 ** -Math.max(decimalsOf(low), decimalsOf(high));
  return Math.abs(high - low - step) < step / 1000;
}

function decimalsOf(value: number): number {
  const digits = String(Number(value.toFixed(DECIMALS_MAX)));
  return digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
}

export function floorOf(strike: Strike): number {
  return strike.kind === 'below' ? Number.NEGATIVE_INFINITY : strike.floor;
}

export function capOf(strike: Strike): number {
  return strike.kind === 'above' ? Number.POSITIVE_INFINITY : strike.cap;
}

function hasFloor(strike: Strike): boolean | null {
  return strike.kind === 'below' ? false : strike.hasFloor;
}

function hasCap(strike: Strike): boolean | null {
  return strike.kind === 'above' ? false : strike.hasCap;
}

/** Whether every value of the one is also one of the other. */
export function isWithin(inner: Strike, outer: Strike): boolean {
  const [low, high] = [floorOf(inner), capOf(inner)];
  const isFloorIn =
    low > floorOf(outer) ||
    (low === floorOf(outer) && (outer.kind === 'below' || hasFloor(outer) === true || hasFloor(inner) === false));
  const isCapIn =
    high < capOf(outer) ||
    (high === capOf(outer) && (outer.kind === 'above' || hasCap(outer) === true || hasCap(inner) === false));
  return isFloorIn && isCapIn;
}

/** Whether no value is one of both. */
export function areApart(one: Strike, other: Strike): boolean {
  const [lower, upper] = floorOf(one) <= floorOf(other) ? [one, other] : [other, one];
  const [end, begin] = [capOf(lower), floorOf(upper)];
  return end < begin || (end === begin && (hasCap(lower) === false || hasFloor(upper) === false));
}

/**
 * Whether one of them comes true whatever happens: open at both ends, and every step from one to the next either none, with the
 * end between them held by one of the two, or the same as all others.
 */
export function isTiled(strikes: readonly Strike[]): boolean {
  const sorted = strikes.toSorted((one, other) => floorOf(one) - floorOf(other));
  if (sorted.length < 2 || sorted[0]?.kind !== 'below' || sorted.at(-1)?.kind !== 'above') return false;
  const steps = new Set<number>();
  for (const [index, upper] of sorted.entries()) {
    const lower = sorted[index - 1];
    if (lower === undefined) continue;
    const step = floorOf(upper) - capOf(lower);
    const [above, below] = [hasFloor(upper), hasCap(lower)];
    if (above === null || below === null || step < 0) return false;
    if (step === 0 ? above === below : !(above && below)) return false;
    if (step > 0) steps.add(step);
  }
  return steps.size <= 1;
}
