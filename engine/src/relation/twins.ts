/** Finds one question listed twice: each of the two markets implies the other. */
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Relation } from './relation.ts';
import { isTraded } from './why-not.ts';

type Listing = { event: CatalogueEvent; member: EventMember };

const TWIN_KEY = 'ladder:twin:';
/** A question that more markets than this share does not identify one: none of them is related. */
export const TWIN_LISTINGS_MAX = 4;

/**
 * Question, rules, source, end and outcome names of a market as one text, without differences of white space and case. Null where the
 * market cannot be traded or lacks one of these.
 */
export function twinTextOf(event: CatalogueEvent, member: EventMember): string | null {
  const { question, rules, clarifications, resolutionSource, outcomes, endDate } = member;
  if (event.closed || !isTraded(member) || endDate === null) return null;
  const texts = [question, rules, clarifications ?? '', resolutionSource, ...outcomes].map(plain);
  if (texts[0] === '' || texts[1] === '') return null;
  return JSON.stringify([instantToIso(endDate), ...texts]);
}

/** Two relations for every two events that list one question, one in each direction: their contracts are independent. */
export function readTwins(events: readonly CatalogueEvent[]): Relation[] {
  const listings = events.flatMap((event) => event.members.map((member): Listing => ({ event, member })));
  const groups = Map.groupBy(uniqueMarkets(listings), ({ event, member }) => twinTextOf(event, member));
  groups.delete(null);
  return [...groups.values()]
    .filter(({ length }) => length <= TWIN_LISTINGS_MAX)
    .flatMap((group) =>
      group.flatMap((one) =>
        group.filter(({ event }) => event.id !== one.event.id).map((other) => twinRelation(one, other)),
      ),
    );
}

export function isTwinKey(key: string): boolean {
  return key.startsWith(TWIN_KEY);
}

/** Drops repeated listings of one market in several events. */
function uniqueMarkets(listings: readonly Listing[]): Listing[] {
  return [...new Map(listings.toReversed().map((listing) => [listing.member.marketId, listing])).values()].reverse();
}

/** Replaces only white space that is not a single blank already: most of a text needs no copy. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s{2,}|[^\S ]/g, ' ')
    .trim();
}

function twinRelation(one: Listing, other: Listing): Relation {
  const pair = [one, other];
  return {
    key: `${TWIN_KEY}${one.member.marketId}:${other.member.marketId}`,
    kind: 'ladder',
    basis: 'parsed',
    title: 'Two markets ask the same question by the same rules',
    members: pair.map(({ event, member }) => ({
      eventId: event.id,
      marketId: member.marketId,
      role: 'threshold' as const,
    })),
    readFrom: ['question, rules, resolution source, outcomes and end date are the same'],
    isComplete: false,
    completeness: 'A ladder needs no further steps',
    isVoidSafe: false,
    fingerprintText: fingerprintOf(
      pair.map(({ event }) => event),
      pair.map(({ member }) => member),
      'ladder',
    ),
    template: null,
  };
}
