/** Runs the desk of relations and the naive one through the same things, and says where they first differ. */
import type { OpenBasket } from './found-baskets.ts';
import { NaiveRelations } from './naive-relations.fixture.ts';
import { type FollowedRelation, RelationDesk, type RelationEvent } from './relation-desk.ts';
import { type RelationStep, RelationWorld } from './relation-world.fixture.ts';

const STEPS = 40;

class Driven {
  said: string[] = [];
  readonly storing = new Map<string, OpenBasket>();
  readonly wanted = new Set<string>();
  readonly desk: RelationDesk<FollowedRelation>;
  readonly #world: RelationWorld;
  #isLeft = false;

  constructor(world: RelationWorld) {
    this.#world = world;
    const needed = { bookOf: world.bookOf, newHitId: () => '' };
    this.desk = new RelationDesk<FollowedRelation>(world.rules, needed, {
      wanted: (tokenIds) => tokenIds.forEach((id) => void this.wanted.add(id)),
      unwanted: (tokenIds) => tokenIds.forEach((id) => void this.wanted.delete(id)),
      beganToPay: ({ id }, { distance }) => void this.said.push(`${id} pays ${distance}`),
      hitOpened: ({ id }) => void this.said.push(`${id} hit`),
      hitClosed: ({ relationId, direction, net, profit, endedAt }) =>
        void this.said.push(`${relationId} over ${direction} ${net} ${profit} ${endedAt}`),
      lookedAt: ({ id }, { distance }) => void this.said.push(`${id} is at ${distance}`),
      found: ({ id }, open) => {
        const { direction, legs, cost } = open.basket;
        this.storing.set(`${id} ${direction}`, open);
        this.said.push(`${id} found ${direction} ${legs.length} ${cost}`);
      },
      gone: (id, direction) => void this.said.push(direction === null ? `${id} gone` : `${id} gone ${direction}`),
      later: () => {
        this.#isLeft = true;
      },
      over: () => {},
    });
  }

  process(step: RelationStep): void {
    const event = this.#eventOf(step);
    if (event === null) return;
    this.desk.process(event, this.#world.now);
    while (this.#isLeft) {
      this.#isLeft = false;
      this.desk.process({ kind: 'left' }, this.#world.now);
    }
  }

  #eventOf(step: RelationStep): RelationEvent<FollowedRelation> | null {
    if (step.kind === 'rules') return { kind: 'rules', rules: this.#world.rules };
    if (step.kind === 'put') {
      const { id, terms, members, hasOpportunity } = step;
      const isAccountedFor = this.desk.get(id)?.isAccountedFor ?? false;
      const fresh = { followedAt: this.#world.now, isPaying: false, isTouched: true };
      return { kind: 'put', item: { id, terms, members, hasOpportunity, isAccountedFor, ...fresh } };
    }
    if (step.kind !== 'stored') return step;
    const open = this.storing.get(step.key);
    this.storing.delete(step.key);
    return open === undefined ? null : { kind: 'stored', open, outcome: step.outcome };
  }
}

/** @returns after which step of this seed the two differ, and in what; null where they never do */
export function differenceOf(seed: number): string | null {
  const world = new RelationWorld(seed);
  const driven = new Driven(world);
  const naive = new NaiveRelations(world);
  for (let count = 0; count < STEPS; count += 1) {
    const step = count < 2 ? world.put() : world.next([...naive.storing.keys()]);
    driven.said = [];
    const said: string[] = [];
    driven.process(step);
    naive.process(step, (line) => void said.push(line));
    const [one, other] = [stood(driven, driven.said), stoodNaively(naive, said)];
    if (one !== other)
      return `seed ${seed}, step ${count} (${step.kind}): the desk says\n${one}\nand the naive one\n${other}`;
  }
  return null;
}

/** What is said of each relation, in the order in which it was; and how those that are followed stand. */
function stood({ desk, wanted }: Driven, said: readonly string[]): string {
  const hits = [...desk.openHits()].map(
    ({ relationId, direction, net, profit, size, lastAt, obstacle, opportunityId }) =>
      [relationId, direction, net, profit, size, lastAt, obstacle, opportunityId].join(' '),
  );
  const paying = [...desk.all()].map(({ id, isPaying }) => `${id} ${isPaying}`);
  return inOrder(said, [...hits, ...paying, ...wanted]);
}

function stoodNaively({ hits, all }: NaiveRelations, said: readonly string[]): string {
  const open = [...hits].map(([id, { direction, net, profit, size, lastAt, says }]) =>
    [id, direction, net, profit, size, lastAt, ...says].join(' '),
  );
  const paying = [...all.values()].map(({ id, isShown }) => `${id} ${isShown}`);
  const tokens = new Set([...all.values()].flatMap(({ members }) => members.map(({ marketId }) => marketId)));
  return inOrder(said, [...open, ...paying, ...tokens]);
}

function inOrder(said: readonly string[], standing: readonly string[]): string {
  const byRelation = [...said].sort((one, other) => one.slice(0, 2).localeCompare(other.slice(0, 2)));
  return [...byRelation, ...[...standing].sort()].join('\n');
}
