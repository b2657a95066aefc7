/** Which of the venues that are configured a call is about. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import { Conflict, Invalid } from '../../platform/http/errors.ts';

type At = { venue: VenueName };

/** Where a call names it. */
export type NamedIn = 'query' | 'body';

/** The one that is named, or all. @throws Invalid where that one is not configured */
export function chosenOf<Controls extends At>(
  all: readonly Controls[],
  venue: VenueName | undefined,
  where: NamedIn = 'query',
): Controls[] {
  if (venue === undefined) return [...all];
  const chosen = all.filter((each) => each.venue === venue);
  if (chosen.length === 0)
    throw new Invalid([where, 'venue'], `The venue ${venue} is not configured: ${namesOf(all)}`, venue);
  return chosen;
}

/** The one that is named, or the only one. @throws Invalid where that is not configured, and where none is named of several */
export function oneOf<Controls extends At>(
  all: readonly Controls[],
  venue: VenueName | undefined,
  where: NamedIn = 'query',
): Controls {
  const [first, ...others] = chosenOf(all, venue, where);
  if (first !== undefined && others.length === 0) return first;
  throw new Invalid([where, 'venue'], `Name a venue, several are configured: ${namesOf(all)}`);
}

/** `venue`: as a sign-off names it; one that was asked of an older version names none. */
export function notConfigured(venue: unknown): Conflict {
  const which =
    typeof venue === 'string' ? `The venue ${venue} that it names is not configured any more` : 'It names no venue';
  return new Conflict(`${which}: ask for it again.`);
}

function namesOf(all: readonly At[]): string {
  return all.map(({ venue }) => venue).join(', ');
}
