import { MOMENTS_MAX, type MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { FoundRecord } from '../find-records.ts';
import { PastBooks, PublishedLegs, type UnknownSpan } from './past-books.ts';

/** What arrived at one moment; nothing where only something else than books was different from then on. */
export type Step = { at: Instant; records: readonly FoundRecord[] };

export type Span = { from: Instant; until: Instant };

export type Collected<Said> = {
  moments: ({ at: Instant; legs: MomentLeg[] } & Said)[];
  unknown: UnknownSpan[];
  /** From when to go on; null where that is all. */
  next: Instant | null;
};

/**
 * The moments of a span at which anything that is shown has changed, the first at its beginning. `tokenIds`: of the legs, by their
 * places. `say`: what is shown beside the books.
 */
export async function collectMoments<Said extends object>(
  steps: AsyncIterable<Step>,
  tokenIds: readonly (string | null)[],
  { from, until }: Span,
  say: (books: PastBooks, at: Instant) => Said,
): Promise<Collected<Said>> {
  const books = new PastBooks(new Set(tokenIds.filter((tokenId) => tokenId !== null)), from);
  const reported = new PublishedLegs(tokenIds);
  const moments: Collected<Said>['moments'] = [];
  let lastSaid = '';
  const note = (at: Instant) => {
    const legs = reported.changed(books);
    const said = say(books, at);
    const words = JSON.stringify(said);
    if (moments.length > 0 && legs.length === 0 && words === lastSaid) return;
    lastSaid = words;
    moments.push({ at, legs, ...said });
  };
  for await (const { at, records } of steps) {
    if (at > until) break;
    if (at > from && moments.length === 0) note(from);
    if (at > from && moments.length >= MOMENTS_MAX) return { moments, unknown: books.unknownUntil(at), next: at };
    books.apply(records);
    if (at >= from) note(at);
  }
  if (moments.length === 0) note(from);
  return { moments, unknown: books.unknownUntil(until), next: null };
}
