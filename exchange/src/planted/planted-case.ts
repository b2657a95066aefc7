import type { Category, ListedEvent, ListedOutcome } from '../catalogue/listed-event.ts';
import type { CheapSet } from '../makers/prices.ts';
import type { Random } from '../makers/random.ts';

export const PLANTED_KINDS = [
  'exactly_one',
  'at_most_one',
  'ladder',
  'buckets',
  'window',
  'augmented',
  'partial_page',
  'void_prone',
  'game',
  'twin',
] as const;

/** What holds between the markets, or what a decoy looks like. */
export type PlantedKind = (typeof PLANTED_KINDS)[number];

/** Who says that it holds: the contract, the venue's own field, or the words alone. */
export type PlantedBasis = 'enforced' | 'declared' | 'parsed';

/** A market that is not quoted on both sides: on one, on none, or on both in a book that is not served. */
export type OddQuotes = 'asks only' | 'none' | 'unserved';

/** An event, or two on one variable, with a set that costs less than it pays, that only looks so, or that does not. */
export interface PlantedCase {
  readonly kind: PlantedKind;
  readonly events: readonly ListedEvent[];
  readonly basis: PlantedBasis;
  readonly direction: 'yes' | 'no';
  /** Its legs by their places among the markets of all its events. */
  readonly set: CheapSet;
  /** Why the set does not pay what it seems to; null where it does. */
  readonly trap: string | null;
  /** The rules pay half a dollar for either outcome where a market is called off, and the set may then pay less. */
  readonly isVoidProne: boolean;
  /** By the places of the markets. */
  readonly oddQuotes?: ReadonlyMap<number, OddQuotes>;
  /** Markets that are quoted much wider than the others, by their places. */
  readonly wide?: readonly number[];
  /** The set costs less than it pays only before fees. */
  readonly isEatenByFees?: boolean;
}

/** What makes one case unlike the others: a name that no other has, and which one of its kind it is. */
export interface Draw {
  readonly subject: string;
  readonly round: number;
  readonly random: Random;
}

const CATEGORIES: readonly Category[] = [
  'Crypto',
  'Sports',
  'Politics',
  'Tech',
  'Culture',
  'Weather',
  'Economics',
  'Geopolitics',
];

/** The fields of an event that say nothing of its structure. */
export function frame(
  { random }: Draw,
  tick?: ListedEvent['tick'],
): Pick<ListedEvent, 'category' | 'tick' | 'daysAhead'> {
  return {
    category: random.pick(CATEGORIES) ?? 'Sports',
    tick: tick ?? (random.unit() < 0.5 ? '0.01' : '0.001'),
    daysAhead: random.between(30, 200),
  };
}

/** Percentages that add up to `total`, none of them below eight. */
export function parts(random: Random, count: number, total: number): number[] {
  const least = 8;
  const cuts = Array.from({ length: count - 1 }, () => random.between(0, total - least * count)).sort((a, b) => a - b);
  return [...cuts, total - least * count].map((cut, place) => least + cut - (cuts[place - 1] ?? 0));
}

/** Percentages that fall, each well below the one before. */
export function falling(random: Random, count: number): number[] {
  const step = Math.floor(75 / count);
  return Array.from({ length: count }, (_, place) => 88 - place * step - random.between(0, Math.floor(step / 3)));
}

const PEOPLE = [
  'Ada Winter',
  'Bo Larkin',
  'Cleo Marsh',
  'Dov Hale',
  'Enid Roe',
  'Finn Abbot',
  'Greta Sill',
  'Hugo Pell',
];

/** Candidates with these percentages, in random order. */
export function candidates(random: Random, percents: readonly number[]): ListedOutcome[] {
  const from = random.between(0, PEOPLE.length - 1);
  return percents.map((percent, place) => [PEOPLE[(from + place) % PEOPLE.length] ?? '', percent]);
}

/** All places from 0. */
export function places(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}

export function yesOn(yes: readonly number[]): CheapSet {
  return { yes, no: [], payout: 1_000_000 };
}

/** Of which at most one comes true. */
export function noOn(no: readonly number[]): CheapSet {
  return { yes: [], no, payout: (no.length - 1) * 1_000_000 };
}

/** Yes on what another implies, No on that. */
export function easierAgainst(easier: number, harder: number): CheapSet {
  return { yes: [easier], no: [harder], payout: 1_000_000 };
}
