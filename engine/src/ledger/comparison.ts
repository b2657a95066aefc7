/** What the venue has against what the ledger says, unit by unit. */

/** In millionths. What is under way may explain that the venue has between `least` and `most` more than the ledger. */
export type UnitReading = {
  unit: string;
  venue: number;
  ledger: number;
  least: number;
  most: number;
  /** Whether the venue lists the token. It may not list less than a tenth of a share. */
  isListed: boolean;
};

/** `since`: when it was first seen so, in ms. `isNotified`: people know of it. */
export type Difference = { unit: string; amount: number; since: number; isNotified: boolean };

const LISTED_FROM = 100_000;

/**
 * `due`: those to notify of, because they stand as at the comparison before. What may be explained is no
 * difference, unless it stands as it did when nothing could.
 */
export function compared(
  readings: readonly UnitReading[],
  before: readonly Difference[],
  now: number,
): { differences: Difference[]; due: Difference[] } {
  const known = new Map(before.map((difference) => [difference.unit, difference]));
  const differences = readings.flatMap((reading) => {
    const { unit } = reading;
    const amount = reading.venue - reading.ledger;
    const same = known.get(unit)?.amount === amount ? known.get(unit) : undefined;
    if (amount === 0 || isUnlisted(reading) || (isExplained(reading) && same === undefined)) return [];
    return [{ unit, amount, since: same?.since ?? now, isNotified: same?.isNotified ?? false }];
  });
  return { differences, due: differences.filter(({ since, isNotified }) => since < now && !isNotified) };
}

function isExplained({ venue, ledger, least, most, isListed }: UnitReading): boolean {
  const highest = isListed ? venue : LISTED_FROM - 1;
  return venue - ledger <= most && highest - ledger >= least;
}

function isUnlisted({ ledger, isListed }: UnitReading): boolean {
  return !isListed && ledger >= 0 && ledger < LISTED_FROM;
}
