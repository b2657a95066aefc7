/** What discovery would have found: relations as they stood, judged by the books of the moment, for either run by its own settings. */
import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import type { Basket } from '@dutchbook/engine/relation/baskets.ts';
import { givesWay } from '@dutchbook/engine/relation/give-way.ts';
import type { Hit } from '@dutchbook/engine/relation/hits.ts';
import { mayTrade, type Relation, type RelationState } from '@dutchbook/engine/relation/relation.ts';
import { Screen } from '@dutchbook/engine/relation/screen.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type {
  JournaledMember,
  JournaledOpportunity,
  JournaledRelation,
} from '../../market/decision-journal/journaled.ts';
import { GONE_AFTER_MS } from '../../market/discovery/found.ts';
import { assessRelation, type BookOf, boundsOf, profitNow } from '../../market/discovery/watched.ts';
import type { VirtualAgenda } from './virtual-agenda.ts';
import { bookOf, type VirtualBook, type VirtualBooks } from './virtual-books.ts';

/** As often as discovery looks whether what was found still pays. */
const SWEEP_MS = 2000;

/** A basket that a run has open: when it took its place, and when it was last seen to pay. */
type Found = { relationId: string; basket: Basket; openedAt: Instant; paidAt: Instant };

/** `found`: by the run of that place; null: it is gone. */
export type OnFound = (place: 0 | 1, key: string, found: JournaledOpportunity | null, relationId: string) => void;

export class VirtualDiscovery {
  readonly #books: VirtualBooks;
  readonly #agenda: VirtualAgenda;
  readonly #onFound: OnFound;
  readonly #screen = new Screen();
  readonly #relations = new Map<string, JournaledRelation>();
  readonly #memberOf = new Map<string, JournaledMember>();
  readonly #open: readonly [Map<string, Found>, Map<string, Found>] = [new Map(), new Map()];
  #forms: readonly [DiscoverySettingsForm, DiscoverySettingsForm] | null = null;
  #isSweeping = false;
  #isOver = false;

  constructor(books: VirtualBooks, agenda: VirtualAgenda, onFound: OnFound) {
    this.#books = books;
    this.#agenda = agenda;
    this.#onFound = onFound;
  }

  takeForms(present: DiscoverySettingsForm, proposed: DiscoverySettingsForm): void {
    this.#forms = [present, proposed];
  }

  take(id: string, journaled: JournaledRelation | null): void {
    this.#screen.remove(id);
    this.#relations.delete(id);
    if (journaled === null) return;
    this.#relations.set(id, journaled);
    this.#screen.add(id, journaled);
    for (const member of journaled.members) {
      if (member.tokenId !== null) this.#memberOf.set(member.tokenId, member);
      this.#quote(member);
    }
  }

  /** Of these something has changed. */
  judge(changed: Iterable<VirtualBook>, now: Instant): void {
    for (const { tokenId } of changed) {
      const member = this.#memberOf.get(tokenId);
      if (member !== undefined) this.#quote(member);
    }
    this.#screen.judge({
      onPaying: (id) => this.#note(id, now),
      onGone: () => {},
    });
  }

  /** Nothing is found any more. */
  close(): void {
    this.#isOver = true;
  }

  #quote(member: JournaledMember): void {
    const market = this.#screen.marketNumber(member.marketId);
    if (market === null) return;
    const { low, high } = boundsOf(member, this.#bookOf);
    this.#screen.set(market, low, high);
  }

  #note(id: string, now: Instant): void {
    const journaled = this.#relations.get(id);
    if (journaled === undefined || this.#forms === null) return;
    const assessed = assessRelation({ row: journaled, members: journaled.members }, this.#bookOf);
    if (assessed.distance === null || assessed.distance >= 0) return;
    for (const place of [0, 1] as const) {
      const form = this.#forms[place];
      if (!form.enabled || !isTraded(journaled, form)) continue;
      for (const hit of assessed.found) {
        if (hit.profit >= form.min_profit_usd) this.#find(place, id, hit, now);
      }
    }
  }

  #find(place: 0 | 1, relationId: string, { basket, profit }: Hit, now: Instant): void {
    const journaled = this.#relations.get(relationId);
    const leastGain = this.#forms?.[place].min_profit_usd;
    if (journaled === undefined || leastGain === undefined) return;
    const key = `${relationId} ${basket.direction}`;
    const open = this.#open[place].get(key);
    if (open !== undefined) {
      const openProfit = profitNow(journaled, open.basket, this.#bookOf);
      if (openProfit > 0) open.paidAt = now;
      if (!givesWay({ openProfit, openForMs: now - open.openedAt, profit, leastGain })) return;
    }
    this.#open[place].set(key, { relationId, basket, openedAt: now, paidAt: now });
    this.#onFound(place, key, opportunityOf(relationId, journaled, basket), relationId);
    this.#sweepLater(now);
  }

  /** As long as anything is open. */
  #sweepLater(now: Instant): void {
    if (this.#isSweeping || this.#isOver || this.#open.every(({ size }) => size === 0)) return;
    this.#isSweeping = true;
    const at = instantFromMs(now + SWEEP_MS);
    this.#agenda.add(at, () => {
      this.#isSweeping = false;
      this.#sweep(at);
      this.#sweepLater(at);
    });
  }

  #sweep(now: Instant): void {
    for (const place of [0, 1] as const) {
      const form = this.#forms?.[place];
      for (const [key, open] of this.#open[place]) {
        const journaled = this.#relations.get(open.relationId);
        const isFound = journaled !== undefined && form?.enabled === true && isTraded(journaled, form);
        if (isFound && profitNow(journaled, open.basket, this.#bookOf) > 0) open.paidAt = now;
        if (now - open.paidAt < GONE_AFTER_MS) continue;
        this.#open[place].delete(key);
        this.#onFound(place, key, null, open.relationId);
      }
    }
  }

  readonly #bookOf: BookOf = (tokenId) => {
    const held = this.#books.of(tokenId);
    const book = bookOf(held);
    return book === undefined || held.trust === 'stale' ? undefined : { book, ageMs: 0 };
  };
}

function isTraded({ kind, basis, state }: JournaledRelation, form: DiscoverySettingsForm): boolean {
  return mayTrade({ kind, basis: basis as Relation['basis'], state: state as RelationState }, form);
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
