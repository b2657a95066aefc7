/** Holdings of events for tests, in decimals as people write them. */
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { bookOf, feeOf, marketOf } from '../opportunity/quotes.fixture.ts';
import type { EventHolding, ExitMember, ExitStructure } from './event-holding.ts';
import type { ExitConstraints } from './plan-exit.ts';

type LevelText = readonly [price: number, size: number];
type Side = { shares: number; bids?: readonly LevelText[] };

export const NO_COSTS: ExitConstraints = {
  submissionsLeft: 100,
  callsPerSubmission: 40,
  submissionCost: usdFromNumber(0),
  leastConversion: usdFromNumber(0),
  heldValue: FRACTION_ONE,
};

function member(nth: number, yes: Side, no: Side, rate = 0.04): ExitMember {
  const token = (name: string, { shares, bids = [] }: Side) => ({
    tokenId: `m${nth}-${name}`,
    shares: sharesFromNumber(shares),
    bids: bookOf([], bids).bids,
  });
  return { market: marketOf(`m${nth}`, { feeSchedule: feeOf(rate) }), tokens: [token('yes', yes), token('no', no)] };
}

export function holdingOf(structure: ExitStructure, sides: readonly (readonly [yes: Side, no: Side])[]): EventHolding {
  return { structure, members: sides.map(([yes, no], nth) => member(nth + 1, yes, no)) };
}

const anyBids = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
    fc.integer({ min: 1, max: 4_000 }).map((hundredths) => hundredths / 100),
  ),
  { maxLength: 3, selector: ([price]) => price },
);
const anyShares = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: 50_000_000 }).map((micro) => micro / 1e6),
);
const anySide = fc.record({ shares: anyShares, bids: anyBids });
const sidesOf = (least: number) => fc.array(fc.tuple(anySide, anySide), { minLength: least, maxLength: 6 });

/** Up to six members of any structure. */
export const anyHolding: fc.Arbitrary<EventHolding> = fc.oneof(
  sidesOf(1).map((sides) => holdingOf({ kind: 'markets' }, sides)),
  fc
    .tuple(sidesOf(2), fc.constantFrom(0, 50, 100, null), fc.boolean())
    .map(([sides, feeBips, isComplete]) => holdingOf({ kind: 'negative_risk', feeBips, isComplete }, sides)),
  sidesOf(2).map((sides) => holdingOf({ kind: 'whole_event' }, sides)),
  sidesOf(4).chain((sides) =>
    fc
      .subarray(
        Array.from({ length: sides.length - 3 }, (_, nth) => nth + 1),
        { maxLength: Math.floor(sides.length / 2) - 1 },
      )
      .map((lines) => holdingOf({ kind: 'thresholds', lines }, sides)),
  ),
);
