/** What discovery would have found: the desk of relations as they stood, over the books of the moment, for either run by its own settings. */

import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { type FollowedRelation, RelationDesk, type RelationEvent } from '@dutchbook/engine/desk/relation-desk.ts';
import type { BookOf } from '@dutchbook/engine/desk/watched-relation.ts';
import type { Basket } from '@dutchbook/engine/relation/baskets.ts';
import type { Relation, RelationState } from '@dutchbook/engine/relation/relation.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import type { JournaledOpportunity, JournaledRelation } from '../../market/decision-journal/journaled.ts';
import { rulesOf } from '../../market/discovery/settings.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBooks } from './virtual-books.ts';

/** As often as discovery looks whether what was found still pays. */
const SWEEP_MS = 2000;

const NO_RULES = {
  isEnabled: false,
  leastProfit: USD_ZERO,
  kindsOn: { pair: false, at_most_one: false, exactly_one: false, ladder: false, buckets: false },
};

/** `found`: by the run of that place; null: it is gone. */
export type OnFound = (place: 0 | 1, key: string, found: JournaledOpportunity | null, relationId: string) => void;

type JournaledItem = FollowedRelation & { journaled: JournaledRelation };

export class VirtualDiscovery {
  readonly #books: VirtualBooks;
  readonly #shared: Pick<SharedState, 'now' | 'agenda'>;
  readonly #onFound: OnFound;
  readonly #desks: readonly [RelationDesk<JournaledItem>, RelationDesk<JournaledItem>];
  /** What each run has found, by relation. */
  readonly #open: readonly [Map<string, Set<string>>, Map<string, Set<string>>] = [new Map(), new Map()];
  #isSweeping = false;
  #isOver = false;

  constructor(books: VirtualBooks, shared: Pick<SharedState, 'now' | 'agenda'>, onFound: OnFound) {
    this.#books = books;
    this.#shared = shared;
    this.#onFound = onFound;
    this.#desks = [this.#openDesk(0), this.#openDesk(1)];
  }

  takeForms(present: DiscoverySettingsForm, proposed: DiscoverySettingsForm): void {
    this.#process(0, { kind: 'rules', rules: rulesOf(present) });
    this.#process(1, { kind: 'rules', rules: rulesOf(proposed) });
  }

  take(id: string, journaled: JournaledRelation | null): void {
    for (const place of [0, 1] as const) {
      if (journaled === null) {
        this.#process(place, { kind: 'removed', id });
        for (const key of this.#open[place].get(id) ?? []) this.#onFound(place, key, null, id);
        this.#open[place].delete(id);
      } else this.#process(place, { kind: 'put', item: itemOf(id, journaled, this.#shared.now) });
    }
  }

  /** The books of these tokens have changed. */
  takeBooks(tokenIds: readonly TokenId[]): void {
    for (const place of [0, 1] as const) this.#process(place, { kind: 'books', tokenIds });
  }

  /** Nothing is found any more. */
  close(): void {
    this.#isOver = true;
  }

  #process(place: 0 | 1, event: RelationEvent<JournaledItem>): void {
    if (!this.#isOver) this.#desks[place].process(event, this.#shared.now);
  }

  #openDesk(place: 0 | 1): RelationDesk<JournaledItem> {
    const nothing = () => {};
    return new RelationDesk<JournaledItem>(
      NO_RULES,
      { bookOf: this.#bookOf, newHitId: () => '' },
      {
        ...{ wanted: nothing, unwanted: nothing, beganToPay: nothing, lookedAt: nothing, over: nothing },
        ...{ hitOpened: nothing, hitClosed: nothing },
        later: () => this.#process(place, { kind: 'left' }),
        found: ({ id, journaled }, open) => {
          const key = keyOf(id, open.basket.direction);
          this.#open[place].set(id, (this.#open[place].get(id) ?? new Set()).add(key));
          this.#process(place, { kind: 'stored', open, outcome: { kind: 'opened', opportunityId: key } });
          this.#onFound(place, key, opportunityOf(id, journaled, open.basket), id);
          this.#sweepLater();
        },
        gone: (id, direction) => {
          if (direction === null) return;
          const key = keyOf(id, direction);
          this.#open[place].get(id)?.delete(key);
          this.#onFound(place, key, null, id);
        },
      },
    );
  }

  /** As long as anything is open. */
  #sweepLater(): void {
    if (this.#isSweeping || this.#isOver || !this.#desks.some(({ hasOpen }) => hasOpen)) return;
    this.#isSweeping = true;
    this.#shared.agenda.add(instantFromMs(this.#shared.now + SWEEP_MS), () => {
      this.#isSweeping = false;
      for (const place of [0, 1] as const) this.#process(place, { kind: 'time', of: 'paying' });
      this.#sweepLater();
    });
  }

  readonly #bookOf: BookOf = (tokenId) => {
    const held = this.#books.of(tokenId);
    const book = bookOf(held);
    return book === undefined || held.trust === 'stale' ? undefined : { book, ageMs: 0 };
  };
}

function keyOf(relationId: string, direction: Basket['direction']): string {
  return `${relationId} ${direction}`;
}

function itemOf(id: string, journaled: JournaledRelation, now: Instant): JournaledItem {
  const basis = journaled.basis as Relation['basis'];
  const state = journaled.state as RelationState;
  return {
    ...{ id, journaled, terms: { ...journaled, basis, state }, members: journaled.members, followedAt: now },
    ...{ isPaying: false, isTouched: true, hasOpportunity: false, isAccountedFor: false },
  };
}

function opportunityOf(
  relationId: string,
  { title, basis, members }: JournaledRelation,
  { legs, payout }: Basket,
): JournaledOpportunity {
  const positions = legs.map(({ member, outcome }, index) => ({
    leg: index + 1,
    marketId: members[member]?.marketId ?? '',
    outcome: members[member]?.outcomes[outcome] ?? '',
  }));
  return {
    targetPrice: payout,
    positions,
    relationId,
    basis: basis as Relation['basis'],
    title,
    aboveTrigger: false,
    rises: 0,
  };
}
