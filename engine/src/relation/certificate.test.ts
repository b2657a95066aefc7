/** What the screen and the baskets say against all baskets in all worlds. */
import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { type Basket, bestBaskets } from './baskets.ts';
import { UNQUOTED } from './bounds.ts';
import { allWorlds, bestEdge, type Quote, type Structure } from './enumeration.fixture.ts';
import { relationOf, seeded } from './relation.fixture.ts';
import { Screen } from './screen.ts';

type Random = () => number;

const ONE = 1_000_000;

function randomStructure(random: Random): Structure {
  const kinds = ['pair', 'at_most_one', 'exactly_one', 'ladder', 'buckets', 'buckets'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'pair';
  if (kind === 'pair') return relationOf('pair', 'o');
  // Few large ones: of eight members there are 6,561 baskets, of three 27.
  const size = random() < 0.005 ? 8 : random() < 0.05 ? 5 + Math.floor(random() * 3) : 2 + Math.floor(random() * 3);
  if (kind === 'ladder') return relationOf('ladder', 't'.repeat(size));
  if (kind !== 'buckets') return relationOf(kind, 'o'.repeat(size));
  const roles = Array.from({ length: size }, (_, index) => (index > 0 && random() < 0.4 ? 't' : 'b')).join('');
  return relationOf('buckets', roles, random() < 0.6 && roles.endsWith('b'));
}

/** Around prices that the structure allows, so that some clusters pay and some do not, most of them barely; a few members are crossed. */
function randomQuotes(structure: Structure, random: Random): Quote[] {
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
    const crossed = structure.kind === 'pair' || random() < 0.02 ? 30_000 : 0;
    return {
      low: no ? Math.min(middle - below, 999_000) : UNQUOTED.low,
      high: yes ? Math.max(middle + above - crossed, 1000) : UNQUOTED.high,
      yes,
      no,
      resolved: null,
    };
  });
}

function edgeOf(baskets: readonly Basket[]): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...baskets.map(({ payout, cost }) => payout - cost));
}

/** Relations over markets that some of them share, with what is quoted now and what pays by what the screen has reported. */
class Watched {
  readonly paying = new Set<string>();
  readonly structures = new Map<string, Structure>();
  readonly screen = new Screen();
  readonly #quotes = new Map<string, Pick<Quote, 'low' | 'high'>>();

  add(id: string, structure: Structure): void {
    this.remove(id);
    this.structures.set(id, structure);
    this.screen.add(id, structure);
    for (const { marketId } of structure.members) this.#tell(marketId);
  }

  remove(id: string): void {
    this.structures.delete(id);
    this.paying.delete(id);
    this.screen.remove(id);
  }

  quote(marketId: string, quote: Pick<Quote, 'low' | 'high'>): void {
    this.#quotes.set(marketId, quote);
    this.#tell(marketId);
  }

  #tell(marketId: string): void {
    const { low, high } = this.#quotes.get(marketId) ?? UNQUOTED;
    const market = this.screen.marketNumber(marketId);
    if (market !== null) this.screen.set(market, low, high);
  }

  judge(): void {
    this.screen.judge({ onPaying: (id) => this.paying.add(id), onGone: (id) => this.paying.delete(id) });
  }

  /** What pays by a screen that has seen nothing but the current quotes. */
  payingAfresh(): string[] {
    const fresh = new Watched();
    for (const [marketId, quote] of this.#quotes) fresh.quote(marketId, quote);
    for (const [id, structure] of this.structures) fresh.add(id, structure);
    fresh.judge();
    return [...fresh.paying].sort();
  }
}

/** Its members are the markets from this place on: of two clusters that are neighbours some are the same. */
function movedTo(place: number, structure: Structure): Structure {
  const members = structure.members.map((member, index) => ({ ...member, marketId: `m${place + index}` }));
  return { ...structure, members };
}

describe('whether a relation pays', () => {
  it('is what enumerating all baskets in all worlds says, for 100,000 random clusters of up to eight members', () => {
    const random = seeded(7);
    const watched = new Watched();
    const wrong: unknown[] = [];
    const counts = { paying: 0, eights: 0 };
    for (let round = 0; round < 100_000; round++) {
      const structure = randomStructure(random);
      const quotes = randomQuotes(structure, random);
      const resolved = quotes.map((quote) => (quote.resolved === null ? null : ((quote.resolved * ONE) as Price)));
      watched.add('r', structure);
      for (const [index, quote] of quotes.entries()) watched.quote(`m${index + 1}`, quote);
      watched.judge();
      const best = edgeOf(bestBaskets(structure, quotes, resolved));
      const truth = bestEdge(structure, quotes);
      if (truth > 0) counts.paying += 1;
      if (quotes.length === 8) counts.eights += 1;
      // Of exclusive members no basket is better than the one that is bought; two edges of a ladder are two baskets.
      const isBest = structure.kind === 'ladder' || structure.kind === 'buckets' ? best <= truth : best === truth;
      if (watched.paying.has('r') !== truth > 0 || best > 0 !== truth > 0 || (truth > 0 && !isBest))
        wrong.push({ round, structure, quotes, best, truth });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(counts.paying).toBeGreaterThan(20_000);
    expect(counts.paying).toBeLessThan(80_000);
    expect(counts.eights).toBeGreaterThan(300);
  });

  it('does not depend on the order in which quotes came, nor on which others are watched', () => {
    const random = seeded(11);
    const watched = new Watched();
    for (let move = 0; move < 6000; move++) {
      const place = Math.floor(random() * 12);
      const id = `r${place}`;
      const known = watched.structures.get(id);
      const chance = random();
      if (known === undefined || chance < 0.02) watched.add(id, movedTo(place, randomStructure(random)));
      else if (chance < 0.03) watched.remove(id);
      else {
        for (const [index, quote] of randomQuotes(known, random).entries())
          if (random() < 0.5) watched.quote(`m${place + index}`, quote);
      }
      watched.judge();
      if (move % 5 === 0) expect([...watched.paying].sort()).toEqual(watched.payingAfresh());
    }
    expect(watched.screen.waiting).toBe(0);
  });
});
