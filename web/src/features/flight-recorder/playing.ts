/** Where one is among the moments of a span, and what stood there. */
import type { MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

export type Span = { from: Instant; until: Instant };
type Stated = { at: Instant; legs: readonly MomentLeg[] };

/** The place of the last moment at or before `at`; the first where there is none. */
export function placeAt(moments: readonly Pick<Stated, 'at'>[], at: number): number {
  let [low, high] = [0, moments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((moments[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** All legs at each moment: where a moment tells nothing of a leg, as the one before had it. */
export function legsAtEach(moments: readonly Stated[]): readonly (readonly MomentLeg[])[] {
  let legs: readonly MomentLeg[] = [];
  return moments.map((moment) => {
    if (moment.legs.length > 0) {
      const next = [...legs];
      for (const leg of moment.legs) next[leg.index] = leg;
      legs = next;
    }
    return legs;
  });
}

type Level = { price: Price; size: Shares };

/** The prices of `levels` that were not there before, or with another size. */
export function changedPrices(
  levels: readonly Level[],
  before: readonly Level[] | null | undefined,
): ReadonlySet<Price> {
  if (before === null || before === undefined) return new Set();
  const sizes = new Map(before.map(({ price, size }) => [price, size]));
  return new Set(levels.filter(({ price, size }) => sizes.get(price) !== size).map(({ price }) => price));
}

/** How far along a span a moment is, in percent. */
export function percentAlong({ from, until }: Span, at: number): number {
  if (until <= from) return 0;
  return Math.min(100, Math.max(0, ((at - from) / (until - from)) * 100));
}

export type Mark = { at: Instant; text: string };

/** What happened at the same moment is one mark; what is said several times is said once. */
export function groupedMarks(marks: readonly Mark[]): readonly Mark[] {
  const texts = new Map<Instant, string[]>();
  for (const { at, text } of marks) {
    const known = texts.get(at) ?? [];
    if (!known.includes(text)) known.push(text);
    texts.set(at, known);
  }
  return [...texts].map(([at, said]) => ({ at, text: said.join(', ') })).toSorted((a, b) => a.at - b.at);
}

const STEPS_AT_ONCE = 10;

/**
 * Where a key leads from `at`: the arrows to the moment before or after, Page Up and Page Down to the next mark, or by ten moments
 * where there are no marks; undefined for any other key.
 */
export function reachedBy(
  key: string,
  at: Instant,
  { moments, marks, span }: { moments: readonly Pick<Stated, 'at'>[]; marks: readonly Mark[]; span: Span },
): Instant | undefined {
  switch (key) {
    case 'Home':
      return span.from;
    case 'End':
      return span.until;
    case 'ArrowRight':
    case 'ArrowUp':
      return later(moments, at, 1) ?? span.until;
    case 'ArrowLeft':
    case 'ArrowDown':
      return earlier(moments, at, 1) ?? span.from;
    case 'PageUp':
      return (marks.length > 0 ? later(marks, at, 1) : later(moments, at, STEPS_AT_ONCE)) ?? span.until;
    case 'PageDown':
      return (marks.length > 0 ? earlier(marks, at, 1) : earlier(moments, at, STEPS_AT_ONCE)) ?? span.from;
    default:
      return undefined;
  }
}

function later(places: readonly { at: Instant }[], at: Instant, count: number): Instant | undefined {
  return places.filter((place) => place.at > at)[count - 1]?.at;
}

function earlier(places: readonly { at: Instant }[], at: Instant, count: number): Instant | undefined {
  return places.filter((place) => place.at < at).at(-count)?.at;
}
