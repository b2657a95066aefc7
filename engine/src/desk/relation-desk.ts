/** Watches the books of relations: which pay, for how long, and which basket becomes an opportunity. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Basket, Structure } from '../relation/baskets.ts';
import type { Hit } from '../relation/hits.ts';
import { mayTrade, type Relation, type RelationKind, type RelationState } from '../relation/relation.ts';
import { Screen } from '../relation/screen.ts';
import { obstacleOf } from '../relation/why-not-taken.ts';
import { type BasketOutcome, FoundBaskets, type OpenBasket } from './found-baskets.ts';
import { type RelationHit, RelationHits } from './relation-hits.ts';
import {
  type Assessed,
  assessRelation,
  type BookOf,
  boundsOf,
  profitNow,
  type WatchedMember,
} from './watched-relation.ts';

/** Opportunities that an earlier run left open are paused when they do not pay this long after the start. */
const ACCOUNTED_FOR_AFTER_MS = 30_000;
/** Members assessed before other things have their time, some five milliseconds. */
const MEMBERS_PER_SLICE = 250;
/** Assessing a paying member, with all sizes, takes as long as this many that do not pay. */
const TIMES_AS_LONG_PAYING = 10;
/**
 * Of relations that go on paying while their books move, members assessed in a second, and at once after a quiet time: a venue on
 * which many pay would otherwise take all the time there is, again and again for what is known already.
 */
const MEMBERS_AGAIN_PER_S = 500;
const MEMBERS_AGAIN_AT_ONCE = 50;

/** `least`: what a basket has to make to become an opportunity. */
export type DiscoveryRules = { isEnabled: boolean; leastProfit: Usd; kindsOn: Readonly<Record<RelationKind, boolean>> };

export type RelationTerms = Structure & Pick<Relation, 'basis'> & { state: RelationState };

export type FollowedRelation = {
  readonly id: string;
  readonly terms: RelationTerms;
  readonly members: readonly WatchedMember[];
  readonly followedAt: Instant;
  isPaying: boolean;
  /** A book of it has changed since it was last looked at. */
  isTouched: boolean;
  /** An opportunity of it is, or was, open. */
  hasOpportunity: boolean;
  /** Whether anything that is open of it was found by this run or has been paused by it. */
  isAccountedFor: boolean;
};

export type Looked = 'touched' | 'paying' | 'none';

export type RelationEvent<Item extends FollowedRelation> =
  /** The books of these tokens, or the trust in them, have changed. */
  | { kind: 'books'; tokenIds: readonly TokenId[] }
  /** The relation is followed from now on, in place of its earlier version. */
  | { kind: 'put'; item: Item }
  | { kind: 'removed'; id: string }
  | { kind: 'rules'; rules: DiscoveryRules }
  /** The shell reports whether a found basket was stored. */
  | { kind: 'stored'; open: OpenBasket; outcome: BasketOutcome }
  /** Some seconds have passed: what has changed is looked at, or only what pays, or nothing but what is open and may be over. */
  | { kind: 'time'; of: Looked }
  | { kind: 'left' };

export type RelationEffects<Item extends FollowedRelation> = {
  /** The first relation needs these tokens, or the last one needs them no longer. */
  wanted: (tokenIds: readonly TokenId[]) => void;
  unwanted: (tokenIds: readonly TokenId[]) => void;
  /** The relation began to pay. */
  beganToPay: (item: Item, assessed: Assessed) => void;
  hitOpened: (item: Item, hit: RelationHit) => void;
  hitClosed: (hit: RelationHit) => void;
  /** The assessment by the current books; for relations that pay, and those with a changed book. */
  lookedAt: (item: Item, assessed: Assessed) => void;
  /** The basket is to be stored as an opportunity, in the place of what is open of its direction; answered by `stored`. */
  found: (item: Item, open: OpenBasket) => void;
  /** The open basket of the relation, in this direction or in any, stopped paying. */
  gone: (relationId: string, direction: Basket['direction'] | null) => void;
  /** The slice ended before all relations were assessed: go on by `left` in a later tick. */
  later: () => void;
  /** All due relations are assessed. */
  over: () => void;
};

export class RelationDesk<Item extends FollowedRelation> {
  readonly #screen = new Screen();
  readonly #followed = new Map<string, Item>();
  readonly #usersOf = new Map<string, Set<Item>>();
  /** Maps each token that a relation uses to the member and market that its book quotes. */
  readonly #quoted = new Map<string, { member: WatchedMember; market: number }>();
  readonly #baskets = new FoundBaskets();
  readonly #hits: RelationHits;
  readonly #bookOf: BookOf;
  #rules: DiscoveryRules;
  #effects: RelationEffects<Item>;
  /** Relations to assess; null where there are none. */
  #due: Item[] | null = null;
  /** Relations that go on paying, to be assessed again in the order in which their books have moved. */
  readonly #again = new Set<Item>();
  #mayAssess = { members: MEMBERS_AGAIN_AT_ONCE, at: instantFromMs(0) };

  constructor(
    rules: DiscoveryRules,
    { bookOf, newHitId }: { bookOf: BookOf; newHitId: () => string },
    effects: RelationEffects<Item>,
  ) {
    this.#rules = rules;
    this.#bookOf = bookOf;
    this.#effects = effects;
    this.#hits = new RelationHits(newHitId, (hit) => effects.hitClosed(hit));
  }

  get(id: string): Item | undefined {
    return this.#followed.get(id);
  }

  all(): MapIterator<Item> {
    return this.#followed.values();
  }

  openHits(): MapIterator<RelationHit> {
    return this.#hits.open();
  }

  /** Whether anything that was found is open. */
  get hasOpen(): boolean {
    return this.#baskets.size > 0;
  }

  process(event: RelationEvent<Item>, now: Instant): void {
    switch (event.kind) {
      case 'books':
        // Whole groups of frames: every quote is taken over before any relation is judged.
        for (const tokenId of event.tokenIds) this.#quote(tokenId);
        this.#judge(now);
        return;
      case 'put':
        this.#follow(event.item);
        this.#judge(now);
        return;
      case 'removed':
        this.#drop(event.id);
        this.#hits.leave(event.id);
        this.#baskets.leave(event.id);
        this.#judge(now);
        return;
      case 'rules':
        this.#rules = event.rules;
        return;
      case 'stored':
        this.#baskets.takeOutcome(event.open, event.outcome);
        return;
      case 'time':
        if (this.#due !== null) return;
        this.#due = event.of === 'none' ? [] : [...this.#followed.values()].filter(isLookedAt(event.of)).reverse();
        this.#look(now);
        return;
      case 'left':
        this.#look(now);
    }
  }

  #follow(item: Item): void {
    const { id, terms, members } = item;
    const tokenIds = tokensOf(item);
    const fresh = tokenIds.filter((tokenId) => !this.#usersOf.has(tokenId));
    for (const tokenId of tokenIds) this.#usersOf.set(tokenId, (this.#usersOf.get(tokenId) ?? new Set()).add(item));
    this.#drop(id);
    this.#followed.set(id, item);
    this.#screen.add(id, terms);
    if (fresh.length > 0) this.#effects.wanted(fresh);
    for (const member of members) {
      const market = this.#screen.marketNumber(member.marketId);
      if (market === null) continue;
      if (member.tokenId !== null) this.#quoted.set(member.tokenId, { member, market });
      this.#screenQuote(member, market);
    }
  }

  #drop(id: string): void {
    const item = this.#followed.get(id);
    if (item === undefined) return;
    this.#followed.delete(id);
    this.#again.delete(item);
    this.#screen.remove(id);
    const unused = tokensOf(item).filter((tokenId) => {
      const users = this.#usersOf.get(tokenId);
      users?.delete(item);
      return users?.size === 0 && this.#usersOf.delete(tokenId) && this.#quoted.delete(tokenId);
    });
    if (unused.length > 0) this.#effects.unwanted(unused);
  }

  #quote(tokenId: TokenId): void {
    const users = this.#usersOf.get(tokenId);
    if (users === undefined) return;
    for (const item of users) item.isTouched = true;
    const known = this.#quoted.get(tokenId);
    if (known !== undefined) this.#screenQuote(known.member, known.market);
  }

  #screenQuote(member: WatchedMember, market: number): void {
    const { low, high } = boundsOf(member, this.#bookOf);
    this.#screen.set(market, low, high);
  }

  #judge(now: Instant): void {
    if (this.#screen.waiting > 0)
      this.#screen.judge({ onPaying: (id) => this.#notePaying(id, now), onGone: (id) => this.#noteGone(id, now) });
    this.#assessAgain(now);
  }

  #noteGone(id: string, now: Instant): void {
    const item = this.#followed.get(id);
    if (item !== undefined) {
      item.isPaying = false;
      this.#again.delete(item);
    }
    this.#hits.gone(id, now);
  }

  #notePaying(id: string, now: Instant): void {
    const item = this.#followed.get(id);
    if (item === undefined || !this.#rules.isEnabled) return;
    if (item.isPaying) this.#again.add(item);
    else this.#assessPaying(item, now);
  }

  #assessAgain(now: Instant): void {
    if (this.#again.size === 0) return;
    const earned = (elapsedMs(this.#mayAssess.at, now) * MEMBERS_AGAIN_PER_S) / 1000;
    let members = Math.min(MEMBERS_AGAIN_AT_ONCE, this.#mayAssess.members + earned);
    for (const item of this.#again) {
      if (members <= 0) break;
      this.#again.delete(item);
      this.#assessPaying(item, now);
      members -= item.members.length;
    }
    this.#mayAssess = { members, at: now };
  }

  #assessPaying(item: Item, now: Instant): void {
    const assessed = this.#assess(item);
    // Resolved members may contradict a relation: then there is neither a state price nor a basket.
    if (assessed.distance === null || assessed.distance >= 0) return;
    const hit = this.#noteHit(item, assessed, now);
    if (hit !== null) this.#effects.hitOpened(item, hit);
    const began = !item.isPaying;
    item.isPaying = true;
    item.isTouched = true;
    if (began) this.#effects.beganToPay(item, assessed);
    if (assessed.found.length > 0) item.isAccountedFor = true;
    this.#noteBaskets(item, assessed.found, now);
  }

  /** @returns the hit that has begun with this, where one has */
  #noteHit({ id, terms }: Item, { basket, distance, profit, size }: Assessed, now: Instant): RelationHit | null {
    const { isEnabled, leastProfit, kindsOn } = this.#rules;
    if (!isEnabled || basket === null || distance === null || distance >= 0) return null;
    const { direction } = basket;
    const { hit, isNew } = this.#hits.pays(id, { direction, net: -distance as Usd, profit, size }, now);
    const open = this.#baskets.get(id, direction);
    hit.obstacle = obstacleOf(terms, { profit: hit.profit, leastProfit }, kindsOn) ?? open?.refused ?? null;
    hit.opportunityId = open?.opportunityId ?? hit.opportunityId;
    return isNew ? hit : null;
  }

  #noteBaskets(item: Item, found: readonly Hit[], now: Instant): void {
    const { isEnabled, leastProfit, kindsOn } = this.#rules;
    if (!isEnabled || !mayTrade(item.terms, kindsOn)) return;
    const terms = { now, leastProfit, profitNow: (basket: Basket) => profitNow(item, basket, this.#bookOf) };
    for (const hit of found) {
      const open = this.#baskets.note(item.id, hit, terms);
      if (open !== null) this.#effects.found(item, open);
    }
  }

  #assess({ terms, members }: Item): Assessed {
    return assessRelation({ row: terms, members }, this.#bookOf);
  }

  #look(now: Instant): void {
    const due = this.#due;
    if (due === null) return;
    let members = 0;
    for (let item = due.pop(); item !== undefined; item = due.pop()) {
      // Some may have been removed, or taken over anew, meanwhile.
      if (this.#followed.get(item.id) === item) members += this.#lookAt(item, now);
      if (members >= MEMBERS_PER_SLICE) break;
    }
    if (due.length > 0) {
      this.#effects.later();
      return;
    }
    this.#due = null;
    for (const { relationId, basket } of this.#baskets.sweep(now, (open) => this.#isFound(open)))
      this.#effects.gone(relationId, basket.direction);
    this.#hits.sweep(now, (id) => this.#rules.isEnabled && this.#followed.get(id)?.isPaying === true);
    this.#effects.over();
  }

  /** @returns how many members were assessed, in the time of those that do not pay */
  #lookAt(item: Item, now: Instant): number {
    const { isAccountedFor, isPaying, followedAt, hasOpportunity } = item;
    if (!isAccountedFor && !isPaying && hasOpportunity && now - followedAt >= ACCOUNTED_FOR_AFTER_MS) {
      item.isAccountedFor = true;
      this.#effects.gone(item.id, null);
    }
    if (!item.isTouched && !item.isPaying) return 0;
    item.isTouched = false;
    this.#again.delete(item);
    const assessed = this.#assess(item);
    if (item.isPaying) {
      this.#noteHit(item, assessed, now);
      this.#noteBaskets(item, assessed.found, now);
    }
    this.#effects.lookedAt(item, assessed);
    return item.members.length * (item.isPaying ? TIMES_AS_LONG_PAYING : 1);
  }

  #isFound({ relationId, basket }: OpenBasket): boolean {
    const item = this.#followed.get(relationId);
    const { isEnabled, kindsOn } = this.#rules;
    if (item === undefined || !isEnabled || !mayTrade(item.terms, kindsOn)) return false;
    return profitNow(item, basket, this.#bookOf) > 0;
  }
}

function isLookedAt(of: Looked): (item: FollowedRelation) => boolean {
  return ({ isPaying }) => isPaying || of === 'touched';
}

function tokensOf({ members }: FollowedRelation): string[] {
  return [...new Set(members.flatMap(({ tokenId }) => tokenId ?? []))];
}
