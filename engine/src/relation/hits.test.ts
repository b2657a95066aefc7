/** Which baskets are found against all baskets at all sizes, over random books of which some have empty sides. */
import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import { allWorlds, type Structure } from './enumeration.fixture.ts';
import { bestHits, bestSizeOf, type Hit, type MemberOffers } from './hits.ts';
import { relationOf, seeded } from './relation.fixture.ts';

type Random = () => number;
type PlainLevel = [price: number, size: number];
/** As the test draws it, in dollars and shares: the levels of either outcome, and the rate of the fee. */
type Side = readonly PlainLevel[];
type Drawn = { offers: MemberOffers; sides: readonly [yes: Side, no: Side]; rate: number };
type Leg = { member: number; outcome: 0 | 1 };

function drawMember(fair: number, random: Random): Drawn {
  const side = (direction: 1 | -1): PlainLevel[] => {
    let price = fair + direction * (random() * 0.08 - 0.03);
    return Array.from({ length: random() < 0.2 ? 0 : 1 + Math.floor(random() * 3) }, (): PlainLevel => {
      price += direction * 0.01 * (1 + Math.floor(random() * 2));
      return [Math.min(0.98, Math.max(0.02, Math.round(price * 100) / 100)), 1 + Math.floor(random() * 40)];
    }).filter(([one], place, all) => all.findIndex(([other]) => other === one) === place);
  };
  const [asks, bids] = [side(1), side(-1)];
  const rate = random() < 0.5 ? 0 : 0.02;
  const mirrored = bids.map(([price, size]): PlainLevel => [1 - price, size]);
  return {
    offers: { book: bookOf(asks, bids), feeSchedule: feeOf(rate), resolved: null },
    sides: [asks, mirrored],
    rate,
  };
}

function draw(random: Random): { structure: Structure; members: Drawn[] } {
  const kinds = ['pair', 'at_most_one', 'exactly_one', 'ladder', 'buckets'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'pair';
  const count = kind === 'pair' ? 1 : 2 + Math.floor(random() * 3);
  const roles = {
    pair: 'o',
    ladder: 't'.repeat(count),
    buckets: Array.from({ length: count }, (_, place) => (place > 0 && random() < 0.4 ? 't' : 'b')).join(''),
    at_most_one: 'o'.repeat(count),
    exactly_one: 'o'.repeat(count),
  }[kind];
  const structure = relationOf(kind, roles, kind === 'exactly_one' || (kind === 'buckets' && roles.endsWith('b')));
  const worlds = allWorlds(structure);
  const weights = worlds.map(() => random() ** 2);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const members = structure.members.map((_, place) => {
    const chance = worlds.reduce((total, world, each) => total + (world[place] ? (weights[each] ?? 0) / sum : 0), 0);
    return drawMember(chance + (random() - 0.5) * 0.3, random);
  });
  return { structure, members };
}

/** What that many shares cost with their fees, level by level; undefined where there are not so many. */
function costOf({ sides, rate }: Drawn, outcome: 0 | 1, size: number): number | undefined {
  let left = size;
  let cost = 0;
  for (const [price, offered] of sides[outcome]) {
    const taken = Math.min(left, offered);
    cost += taken * (price + rate * price * (1 - price));
    left -= taken;
  }
  return left > 0 ? undefined : cost;
}

function profitAt(structure: Structure, members: readonly Drawn[], legs: readonly Leg[], size: number): number {
  const pays = allWorlds(structure).map((world) =>
    legs.reduce((sum, { member, outcome }) => sum + (world[member] === (outcome === 0) ? 1 : 0), 0),
  );
  const costs = legs.map(({ member, outcome }) => costOf(members[member] as Drawn, outcome, size));
  if (costs.includes(undefined)) return Number.NEGATIVE_INFINITY;
  return Math.min(...pays) * size - costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

function sizesOf(members: readonly Drawn[]): number[] {
  return members.flatMap(({ sides }) =>
    sides.flatMap((side) => side.map((_, place) => side.slice(0, place + 1).reduce((sum, [, size]) => sum + size, 0))),
  );
}

/** All baskets that hold Yes, No or nothing of each member, of two legs at least; of a pair the one that holds both. */
function allBaskets({ kind, members }: Structure): Leg[][] {
  if (kind === 'pair') return [[0, 1].map((outcome) => ({ member: 0, outcome: outcome as 0 | 1 }))];
  return Array.from({ length: 3 ** members.length }, (_, code) =>
    members.flatMap((_, member): Leg[] => {
      const held = Math.floor(code / 3 ** member) % 3;
      return held === 0 ? [] : [{ member, outcome: held === 1 ? 0 : 1 }];
    }),
  ).filter((legs) => legs.length >= 2);
}

/** The most dollars that any basket makes at any size; of a ladder any of two rungs, since two of its edges are two baskets. */
function mostDollars(structure: Structure, members: readonly Drawn[]): number {
  const baskets = allBaskets(structure).filter((legs) => structure.kind !== 'ladder' || legs.length === 2);
  const sizes = sizesOf(members);
  return Math.max(0, ...baskets.flatMap((legs) => sizes.map((size) => profitAt(structure, members, legs, size))));
}

/** Fees are rounded up to a millionth of a dollar for every level. */
const ROUNDING = 0.0005;

describe('what is found', () => {
  it('makes most dollars of all baskets at all sizes, and holds only what is on offer, in 3,000 random relations', () => {
    const random = seeded(5);
    const counts = { found: 0, withEmptySide: 0 };
    const wrong: unknown[] = [];
    for (let round = 0; round < 3000; round++) {
      const { structure, members } = draw(random);
      const hits = bestHits(
        structure,
        members.map(({ offers }) => offers),
      );
      const truth = mostDollars(structure, members);
      const best = (hits[0]?.profit ?? 0) / 1_000_000;
      const isOffered = hits.every(({ basket: { legs } }) =>
        legs.every(({ member, outcome }) => (members[member]?.sides[outcome].length ?? 0) > 0),
      );
      const asClaimed = hits.every(({ basket: { legs }, size, profit }) => {
        const own = profitAt(structure, members, legs, size / 1_000_000);
        return Math.abs(own - profit / 1_000_000) < ROUNDING;
      });
      // Two segments of buckets are two baskets as well.
      const isBest = structure.kind === 'buckets' ? best < truth + ROUNDING : Math.abs(best - truth) < ROUNDING;
      if (!isOffered || !asClaimed || !isBest || (truth > ROUNDING && best === 0))
        wrong.push({ round, best, truth, hits });
      counts.found += hits.length > 0 ? 1 : 0;
      if (hits.length > 0 && members.some(({ sides }) => sides.some((side) => side.length === 0)))
        counts.withEmptySide += 1;
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(counts.found).toBeGreaterThan(500);
    expect(counts.withEmptySide).toBeGreaterThan(100);
  });
});

function offersOf(asks: PlainLevel[], bids: PlainLevel[], resolved: Price | null = null): MemberOffers {
  return { book: bookOf(asks, bids), feeSchedule: feeOf(0), resolved };
}

const wordsOf = ({ basket: { direction, legs }, profit, size }: Hit) => ({
  direction,
  legs: legs.map(({ member, outcome }) => `${outcome === 0 ? 'yes' : 'no'} ${member + 1}`).join(', '),
  dollars: profit / 1_000_000,
  sets: size / 1_000_000,
});

describe('a leg', () => {
  it('that is not on offer is not bought at a dollar: the basket with it makes nothing', () => {
    const members = [
      offersOf([[0.6, 100]], [[0.55, 100]]),
      offersOf([[0.6, 100]], [[0.55, 100]]),
      offersOf([[0.6, 100]], []),
    ];
    const withIt = { legs: [0, 1, 2].map((member) => ({ member, outcome: 1 as const })), payout: 2_000_000 as Price };
    expect(bestSizeOf(withIt, members)).toEqual({ profit: 0, size: 0 });
    expect(bestHits(relationOf('exactly_one', 'ooo'), members).map(wordsOf)).toEqual([
      { direction: 'no', legs: 'no 1, no 2', dollars: 10, sets: 100 },
    ]);
  });

  it('that few shares are on offer of is left out where the others make more without it', () => {
    const members = [
      offersOf([[0.6, 100]], [[0.55, 100]]),
      offersOf([[0.6, 100]], [[0.55, 100]]),
      offersOf([[0.6, 100]], [[0.02, 3]]),
    ];
    expect(bestHits(relationOf('at_most_one', 'ooo'), members).map(wordsOf)).toEqual([
      { direction: 'no', legs: 'no 1, no 2', dollars: 10, sets: 100 },
    ]);
  });

  it('of a ladder is the one that makes most dollars, not the one that makes most of a set', () => {
    const members = [offersOf([], [[0.5, 200]]), offersOf([[0.4, 1]], []), offersOf([[0.45, 150]], [])];
    expect(bestHits(relationOf('ladder', 'ttt'), members).map(wordsOf)).toEqual([
      { direction: 'yes', legs: 'no 1, yes 3', dollars: 7.5, sets: 150 },
    ]);
  });
});
