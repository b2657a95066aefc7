import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPositions, namePosition, type Position, resolvePosition } from './position.ts';
import { marketOf } from './quotes.fixture.ts';

const anyPosition: fc.Arbitrary<Position> = fc.record({
  leg: fc.integer({ min: 1, max: 5 }),
  marketId: fc.string({ minLength: 1 }).map((id) => id.trim()),
  outcome: fc.oneof(fc.constantFrom('Yes', 'No'), fc.string()),
});

describe('the identity of an opportunity', () => {
  it('is its sorted pairs of market and outcome', () => {
    const positions = [
      { leg: 2, marketId: '0xb', outcome: 'No' },
      { leg: 1, marketId: '0xa', outcome: 'Yes' },
    ];
    expect(canonicalPositions(positions)).toBe('[["0xa","yes"],["0xb","no"]]');
  });

  it('does not depend on order, legs, capitals or blanks around a name', () => {
    const shuffled = fc
      .array(anyPosition)
      .chain((positions) =>
        fc.tuple(fc.constant(positions), fc.shuffledSubarray(positions, { minLength: positions.length })),
      );
    fc.assert(
      fc.property(shuffled, ([positions, others]) => {
        const disguised = others.map(({ leg, marketId, outcome }) => ({
          leg: leg + 1,
          marketId: ` ${marketId} `,
          outcome: ` ${outcome} `,
        }));
        expect(canonicalPositions(disguised)).toBe(canonicalPositions(positions));
      }),
    );
    const yes = { leg: 1, marketId: 'a', outcome: 'Yes' };
    expect(canonicalPositions([{ ...yes, outcome: 'YES' }])).toBe(canonicalPositions([yes]));
  });

  it('differs when a market or an outcome does, whatever signs they contain', () => {
    const pairs = (positions: readonly Position[]) =>
      positions
        .map(({ marketId, outcome }) => [marketId, outcome.trim().toLowerCase()])
        .sort(([a = '', b = ''], [c = '', d = '']) => (a < c ? -1 : a > c ? 1 : b < d ? -1 : b > d ? 1 : 0));
    fc.assert(
      fc.property(fc.array(anyPosition, { maxLength: 3 }), fc.array(anyPosition, { maxLength: 3 }), (a, b) => {
        const same = JSON.stringify(pairs(a)) === JSON.stringify(pairs(b));
        expect(canonicalPositions(a) === canonicalPositions(b)).toBe(same);
      }),
    );
  });
});

describe('resolving a position', () => {
  const position = { leg: 2, marketId: 'rain', outcome: 'Yes' };

  it.each(['Yes', 'yes', ' YES '])('finds the token of %j', (outcome) => {
    const found = resolvePosition({ ...position, outcome }, marketOf('rain'));
    expect(found).toEqual({ kind: 'resolved', tokenId: 'rain-yes' });
  });

  it('says which outcomes there are', () => {
    expect(resolvePosition({ ...position, outcome: 'Maybe' }, marketOf('rain'))).toEqual({
      kind: 'unresolved',
      reason: 'Leg 2 (Maybe, "Will rain happen?"): no such outcome, only "Yes" and "No"',
    });
    expect(resolvePosition(position, marketOf('rain', { outcomes: [] }))).toEqual({
      kind: 'unresolved',
      reason: 'Leg 2 (Yes, "Will rain happen?"): no such outcome, only none',
    });
  });

  it('names a market that is not known by its id', () => {
    expect(resolvePosition(position, undefined)).toEqual({
      kind: 'unresolved',
      reason: 'Leg 2 (Yes, market rain): the venue does not know this market',
    });
    expect(namePosition(position, undefined)).toBe('Leg 2 (Yes, market rain)');
  });
});

it('names the reason for which a market cannot be traded, where one is known', () => {
  const position = { leg: 2, marketId: '0xa', outcome: 'Yes' };
  const reason = 'Leg 2 (Yes, market 0xa): cannot be traded here: version v9 is not known';
  expect(resolvePosition(position, undefined, 'version v9 is not known')).toEqual({ kind: 'unresolved', reason });
});
