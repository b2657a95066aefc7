/** Relations over a few markets whose books move at random, the same ones for each seed. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import type { Book } from '../book/book.ts';
import { bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import { relationOf, seeded } from '../relation/relation.fixture.ts';
import type { BasketOutcome } from './found-baskets.ts';
import type { DiscoveryRules, Looked, RelationTerms } from './relation-desk.ts';
import type { SeenBook, WatchedMember } from './watched-relation.ts';

export type RelationStep =
  | { kind: 'books'; tokenIds: string[] }
  | { kind: 'put'; id: string; terms: RelationTerms; members: WatchedMember[]; hasOpportunity: boolean }
  | { kind: 'removed'; id: string }
  | { kind: 'rules' }
  | { kind: 'stored'; key: string; outcome: BasketOutcome }
  | { kind: 'time'; of: Looked };

const MARKETS = ['m1', 'm2', 'm3', 'm4'];
const SHAPES = [
  { kind: 'exactly_one', roles: 'ooo' },
  { kind: 'at_most_one', roles: 'oo' },
  { kind: 'ladder', roles: 'tt' },
  { kind: 'pair', roles: 'o' },
] as const;
/** All relations that a world can follow. */
const IDS = ['r1', 'r2', 'r3'];
const KINDS = [
  ...Array<'books'>(12).fill('books'),
  ...(['put', 'put', 'removed', 'rules', 'stored', 'stored', 'stored', 'time', 'time', 'time', 'time'] as const),
];

export class RelationWorld {
  now = instantFromMs(1_000_000);
  rules: DiscoveryRules;
  readonly #books = new Map<string, { book: Book; isStale: boolean }>();
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(Math.imul(seed, 0x9e3779b1));
    this.rules = this.#anyRules();
    for (const id of MARKETS) this.#moveBook(id);
  }

  readonly bookOf = (tokenId: string): SeenBook | undefined => {
    const held = this.#books.get(tokenId);
    return held === undefined || held.isStale ? undefined : { book: held.book, ageMs: 0 };
  };

  /** `waiting`: the baskets that are being stored. */
  next(waiting: readonly string[]): RelationStep {
    this.now = instantFromMs(this.now + this.#below(this.#chance(0.7) ? 300 : 6000)) as Instant;
    for (;;) {
      const step = this.#step(this.#of(KINDS), waiting);
      if (step !== null) return step;
    }
  }

  put(): RelationStep {
    const { kind, roles } = this.#of(SHAPES);
    const first = this.#below(MARKETS.length);
    const shape = relationOf(kind, roles, kind === 'exactly_one');
    const members = shape.members.map((member, place) => ({
      ...member,
      marketId: MARKETS[(first + place) % MARKETS.length] ?? '',
    }));
    const basis = this.#of(['enforced', 'enforced', 'parsed'] as const);
    const state = this.#of(['proposed', 'approved'] as const);
    return {
      kind: 'put',
      id: this.#of(IDS),
      terms: { ...shape, members, basis, state },
      members: members.map(({ marketId }) => ({
        ...{ marketId, tokenId: marketId, name: marketId, outcomes: ['Yes', 'No'] },
        ...{ feeSchedule: feeOf(0.01), resolved: null },
      })),
      hasOpportunity: this.#chance(0.5),
    };
  }

  #step(kind: (typeof KINDS)[number], waiting: readonly string[]): RelationStep | null {
    switch (kind) {
      case 'books': {
        const tokenIds = Array.from({ length: 1 + this.#below(2) }, () => this.#of(MARKETS));
        for (const tokenId of tokenIds) this.#moveBook(tokenId);
        return { kind, tokenIds };
      }
      case 'put':
        return this.put();
      case 'removed':
        return { kind, id: this.#of(IDS) };
      case 'rules':
        this.rules = this.#anyRules();
        return { kind };
      case 'stored':
        return waiting.length === 0 ? null : { kind, key: this.#of(waiting), outcome: this.#anyOutcome() };
      case 'time':
        return { kind, of: this.#chance(0.7) ? 'touched' : this.#chance(0.5) ? 'paying' : 'none' };
    }
  }

  #anyOutcome(): BasketOutcome {
    const outcomes: BasketOutcome[] = [
      { kind: 'opened', opportunityId: `o${this.#below(99)}` },
      { kind: 'opened', opportunityId: `o${this.#below(99)}` },
      { kind: 'refused', reason: 'too many legs' },
      { kind: 'waits' },
      { kind: 'nothing' },
    ];
    return this.#of(outcomes);
  }

  #anyRules(): DiscoveryRules {
    const isOn = this.#chance(0.8);
    return {
      isEnabled: this.#chance(0.9),
      leastProfit: usdFromNumber(this.#of([0, 0.01, 0.5])),
      kindsOn: { pair: isOn, at_most_one: true, exactly_one: isOn, ladder: true, buckets: true },
    };
  }

  #moveBook(tokenId: string): void {
    const best = 12 + this.#below(45);
    const sizes = [5, 40, 200];
    const asks = Array.from({ length: this.#chance(0.05) ? 0 : 2 }, (_, level) => [
      (best + 2 * level) / 100,
      this.#of(sizes),
    ]) as [number, number][];
    const bids = this.#chance(0.9)
      ? ([[(best - 1 - this.#below(8)) / 100, this.#of(sizes)]] as [number, number][])
      : [];
    this.#books.set(tokenId, { book: bookOf(asks, bids), isStale: this.#chance(0.08) });
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #of<One>(all: readonly One[]): One {
    return all[this.#below(all.length)] as One;
  }
}
