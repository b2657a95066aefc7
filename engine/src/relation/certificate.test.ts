/** What the screen and the baskets say against all baskets in all worlds, written down anew and as plainly as can be. */
import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { type Basket, bestBaskets } from './baskets.ts';
import type { Bounds } from './bounds.ts';
import { relationOf, seeded } from './relation.fixture.ts';
import { Screen } from './screen.ts';

type Structure = ReturnType<typeof relationOf>;
type Quote = { low: number; high: number; yes: boolean; no: boolean; resolved: 0 | 1 | null };

const ONE = 1_000_000;

/** Whether each member comes true, in every world that the structure leaves. */
function allWorlds({ kind, members, isComplete }: Structure): boolean[][] {
  const all = Array.from({ length: 2 ** members.length }, (_, bits) =>
    members.map((_, index) => ((bits >> index) & 1) === 1),
  );
  if (kind === 'pair') return all;
  const implies = (world: readonly boolean[]) => world.every((isTrue, index) => !isTrue || world[index + 1] !== false);
  if (kind === 'ladder') return all.filter(implies);
  const isThreshold = members.map(({ role }) => role === 'threshold');
  return all.filter((world) => {
    const winner = world.findIndex((isTrue, index) => isTrue && !isThreshold[index]);
    const winners = world.filter((isTrue, index) => isTrue && !isThreshold[index]).length;
    const thresholds = world.filter((_, index) => isThreshold[index]);
    if (winners > 1 || (isComplete && winners === 0)) return false;
    if (winners === 0) return implies(thresholds);
    return world.every((isTrue, index) => !isThreshold[index] || isTrue === index > winner);
  });
}

/** The best of all baskets that hold Yes, No or nothing of each member: by how much it pays more than it costs. */
function bestEdge(structure: Structure, quotes: readonly Quote[]): number {
  const worlds = allWorlds(structure).filter((world) =>
    quotes.every(({ resolved }, index) => resolved === null || (resolved === 1) === world[index]),
  );
  let best = Number.NEGATIVE_INFINITY;
  const visit = (index: number, cost: number, pays: readonly number[], legs: number) => {
    const quote = quotes[index];
    if (quote === undefined) {
      const isBasket = legs >= 2 || (legs === 1 && quotes.some(({ resolved }) => resolved !== null));
      if (isBasket) best = Math.max(best, Math.min(...pays) - cost);
      return;
    }
    visit(index + 1, cost, pays, legs);
    if (quote.resolved !== null) return;
    const paid = (outcome: boolean) => pays.map((pay, world) => pay + (worlds[world]?.[index] === outcome ? ONE : 0));
    if (quote.yes) visit(index + 1, cost + quote.high, paid(true), legs + 1);
    if (quote.no) visit(index + 1, cost + ONE - quote.low, paid(false), legs + 1);
    if (structure.kind === 'pair' && quote.yes && quote.no)
      visit(
        index + 1,
        cost + quote.high + ONE - quote.low,
        pays.map((pay) => pay + ONE),
        legs + 2,
      );
  };
  visit(
    0,
    0,
    worlds.map(() => 0),
    0,
  );
  return best;
}

function randomStructure(random: () => number): Structure {
  const among = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const kind = among(['pair', 'at_most_one', 'exactly_one', 'ladder', 'buckets', 'buckets'] as const);
  if (kind === 'pair') return relationOf('pair', 'o');
  // Few large ones: enumerating three to the power of eight baskets takes a thousand times as long as of two.
  const size = random() < 0.001 ? 8 : random() < 0.03 ? 5 + Math.floor(random() * 3) : 2 + Math.floor(random() * 3);
  if (kind === 'ladder') return relationOf('ladder', 't'.repeat(size));
  if (kind !== 'buckets') return relationOf(kind, 'o'.repeat(size));
  const roles = Array.from({ length: size }, (_, index) => (index > 0 && random() < 0.4 ? 't' : 'b')).join('');
  return relationOf('buckets', roles, random() < 0.6 && roles.endsWith('b'));
}

/** Quotes around prices that the structure allows, so that about half of the clusters pay and half do not, most of them barely. */
function randomQuotes(structure: Structure, random: () => number): Quote[] {
  const worlds = allWorlds(structure);
  const weights = worlds.map(() => random() ** 3);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const resolvedBy = random() < 0.15 ? worlds[Math.floor(random() * worlds.length)] : undefined;
  return structure.members.map((_, index) => {
    if (resolvedBy !== undefined && random() < 0.3) {
      const resolved = resolvedBy[index] ? 1 : 0;
      return { low: resolved * ONE, high: resolved * ONE, yes: false, no: false, resolved };
    }
    const fair = worlds.reduce((total, world, each) => total + (world[index] ? (weights[each] ?? 0) / sum : 0), 0);
    const middle = Math.round((fair + (random() - 0.5) * 0.2) * 1000) * 1000;
    const [below, above] = [Math.round(random() * 40) * 1000, Math.round(random() * 40) * 1000];
    const yes = random() < 0.9;
    const no = random() < 0.9;
    return {
      low: no ? Math.min(middle - below, 999_000) : 0,
      high: yes ? Math.max(middle + above, middle - below + (structure.kind === 'pair' ? -20_000 : 0), 1000) : ONE,
      yes,
      no,
      resolved: null,
    };
  });
}

function edgeOf(baskets: readonly Basket[]): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...baskets.map(({ payout, cost }) => payout - cost));
}

function isPaying(screen: Screen, structure: Structure, quotes: readonly Bounds[]): boolean {
  let answer = false;
  for (const [index, { marketId }] of structure.members.entries())
    screen.set(marketId, quotes[index]?.low ?? 0, quotes[index]?.high ?? ONE);
  screen.judge({ onPaying: () => (answer = true), onGone: () => {} });
  return answer;
}

describe('whether a relation pays', () => {
  it('is what enumerating all baskets in all worlds says, for 100,000 random clusters of up to eight members', () => {
    const random = seeded(7);
    const screen = new Screen();
    const wrong: unknown[] = [];
    let paying = 0;
    for (let round = 0; round < 100_000; round++) {
      const structure = randomStructure(random);
      const quotes = randomQuotes(structure, random);
      const resolved = quotes.map((quote) => (quote.resolved === null ? null : ((quote.resolved * ONE) as Price)));
      screen.add('r', structure);
      const screened = isPaying(screen, structure, quotes);
      const best = edgeOf(bestBaskets(structure, quotes, quotes, resolved));
      const truth = bestEdge(structure, quotes);
      if (truth > 0) paying += 1;
      if (screened !== truth > 0 || best > 0 !== truth > 0 || best > truth)
        wrong.push({
          round,
          kind: structure.kind,
          roles: structure.members.map(({ role }) => role[0]).join(''),
          complete: structure.isComplete,
          screened,
          best,
          truth,
          quotes,
        });
    }
    expect(wrong.map((one) => JSON.stringify(one)).slice(0, 6)).toEqual([]);
    expect(paying).toBeGreaterThan(20_000);
    expect(paying).toBeLessThan(80_000);
  }, 60_000);

  it('is the same whether quotes come one after the other or all at once', () => {
    const random = seeded(11);
    for (let round = 0; round < 300; round++) {
      const structure = randomStructure(random);
      const screen = new Screen();
      screen.add('r', structure);
      let pays = false;
      for (let move = 0; move < 30; move++) {
        const quotes = randomQuotes(structure, random);
        const changed = Math.floor(random() * quotes.length);
        const { marketId } = structure.members[changed] ?? { marketId: '' };
        screen.set(marketId, quotes[changed]?.low ?? 0, quotes[changed]?.high ?? ONE);
        screen.judge({ onPaying: () => (pays = true), onGone: () => (pays = false) });
        kept.set(marketId, { low: quotes[changed]?.low ?? 0, high: quotes[changed]?.high ?? ONE });
        const fresh = new Screen();
        fresh.add('r', structure);
        const all = structure.members.map((member) => kept.get(member.marketId) ?? { low: 0, high: ONE });
        expect(isPaying(fresh, structure, all)).toBe(pays);
      }
      kept.clear();
    }
  });
});

const kept = new Map<string, Bounds>();
