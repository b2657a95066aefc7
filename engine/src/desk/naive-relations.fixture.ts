/** The desk of relations without a screen or an index: after each thing that happens every relation is assessed anew. */
import { givesWay } from '../relation/give-way.ts';
import type { Hit } from '../relation/hits.ts';
import { mayTrade } from '../relation/relation.ts';
import { obstacleOf } from '../relation/why-not-taken.ts';
import type { Looked } from './relation-desk.ts';
import type { RelationStep, RelationWorld } from './relation-world.fixture.ts';
import { type Assessed, assessRelation, profitNow } from './watched-relation.ts';

type Put = Extract<RelationStep, { kind: 'put' }>;
type NaiveRelation = Put & { at: number; isPaying: boolean; isShown: boolean; isTouched: boolean; isKnown: boolean };
type NaiveHit = { direction: string; lastAt: number; says: unknown[]; net: number; profit: number; size: number };
type NaiveBasket = { hit: Hit; at: number; triedAt: number; paidAt: number } & {
  stands: 'busy' | 'stored' | 'refused' | 'nothing';
  opportunityId: string | null;
  before: NaiveBasket | null;
};

export class NaiveRelations {
  readonly all = new Map<string, NaiveRelation>();
  readonly hits = new Map<string, NaiveHit>();
  readonly #baskets = new Map<string, NaiveBasket>();
  /** What is being stored, also of relations that are followed no longer. */
  readonly storing = new Map<string, NaiveBasket>();
  readonly #world: RelationWorld;
  #says: (line: string) => void = () => {};

  constructor(world: RelationWorld) {
    this.#world = world;
  }

  process(step: RelationStep, says: (line: string) => void): void {
    this.#says = says;
    if (step.kind === 'put') {
      const isKnown = this.all.get(step.id)?.isKnown ?? false;
      const fresh = { at: this.#world.now, isPaying: false, isShown: false, isTouched: true, isKnown };
      this.all.set(step.id, { ...step, ...fresh });
      this.#judge(step.members.map(({ marketId }) => marketId));
    }
    if (step.kind === 'books') {
      for (const one of this.all.values()) if (concerns(one, step.tokenIds)) one.isTouched = true;
      this.#judge(step.tokenIds);
    }
    if (step.kind === 'removed') this.#remove(step.id);
    if (step.kind === 'stored') this.#store(step.key, step.outcome);
    if (step.kind === 'time') this.#lookAtAll(step.of);
  }

  #assess({ terms, members }: NaiveRelation): Assessed {
    return assessRelation({ row: terms, members }, this.#world.bookOf);
  }

  #judge(marketIds: readonly string[]): void {
    for (const one of this.all.values()) {
      if (!concerns(one, marketIds)) continue;
      const assessed = this.#assess(one);
      const wasPaying = one.isPaying;
      one.isPaying = assessed.distance !== null && assessed.distance < 0;
      if (one.isPaying && this.#world.rules.isEnabled) this.#pays(one, assessed);
      if (wasPaying && !one.isPaying) {
        one.isShown = false;
        const hit = this.hits.get(one.id);
        if (hit !== undefined) hit.lastAt = this.#world.now;
      }
    }
  }

  #pays(one: NaiveRelation, assessed: Assessed): void {
    if (this.#noteHit(one, assessed)) this.#says(`${one.id} hit`);
    if (!one.isShown) this.#says(`${one.id} pays ${assessed.distance}`);
    one.isShown = true;
    one.isTouched = true;
    if (assessed.found.length > 0) one.isKnown = true;
    for (const hit of assessed.found) this.#noteBasket(one, hit);
  }

  /** @returns whether it is a new one */
  #noteHit({ id, terms }: NaiveRelation, { basket, distance, profit, size }: Assessed): boolean {
    const { now, rules } = this.#world;
    if (!rules.isEnabled || basket === null || distance === null || distance >= 0) return false;
    const before = this.hits.get(id);
    const isNew = before?.direction !== basket.direction;
    if (before !== undefined && isNew) this.#endHit(id, before);
    const hit =
      before === undefined || isNew
        ? { direction: basket.direction, lastAt: 0, says: [], net: 0, profit: 0, size: 0 }
        : before;
    if (profit > hit.profit) Object.assign(hit, { profit, size });
    hit.net = Math.max(hit.net, -distance);
    hit.lastAt = now;
    const open = this.#baskets.get(`${id} ${basket.direction}`);
    const why = obstacleOf(
      terms,
      { profit: hit.profit as typeof profit, leastProfit: rules.leastProfit },
      rules.kindsOn,
    );
    const refused = open?.stands === 'refused' ? 'too many legs' : null;
    hit.says = [why ?? refused, open?.opportunityId ?? (isNew ? null : (hit.says[1] ?? null))];
    this.hits.set(id, hit);
    return isNew;
  }

  #endHit(id: string, { direction, net, profit, lastAt }: NaiveHit): void {
    this.hits.delete(id);
    this.#says(`${id} over ${direction} ${net} ${profit} ${lastAt}`);
  }

  #noteBasket({ id, terms, members }: NaiveRelation, hit: Hit): void {
    const { now, rules, bookOf } = this.#world;
    if (!rules.isEnabled || !mayTrade(terms, rules.kindsOn) || hit.profit < rules.leastProfit) return;
    const key = `${id} ${hit.basket.direction}`;
    const before = this.#baskets.get(key);
    if (before !== undefined) {
      const makes = before.opportunityId === null ? 0 : profitNow({ members }, before.hit.basket, bookOf);
      if (before.stands === 'busy' || makes > 0) before.paidAt = now;
      const isAgain = before.stands === 'refused' && JSON.stringify(legsOf(hit)) === JSON.stringify(legsOf(before.hit));
      const waits = (before.opportunityId === null || before.triedAt > before.at) && now - before.triedAt < 2000;
      if (before.stands === 'busy' || isAgain || waits) return;
      const openProfit = makes as typeof hit.profit;
      if (!givesWay({ openProfit, openForMs: now - before.at, profit: hit.profit, leastGain: rules.leastProfit }))
        return;
    }
    const next: NaiveBasket = {
      ...{ hit, at: now, triedAt: now, paidAt: now, stands: 'busy', opportunityId: null },
      before: before ?? null,
    };
    this.#baskets.set(key, next);
    this.storing.set(key, next);
    this.#says(`${id} found ${hit.basket.direction} ${hit.basket.legs.length} ${hit.basket.cost}`);
  }

  #store(key: string, outcome: Extract<RelationStep, { kind: 'stored' }>['outcome']): void {
    const basket = this.storing.get(key);
    if (basket === undefined) return;
    this.storing.delete(key);
    basket.stands = outcome.kind === 'opened' ? 'stored' : outcome.kind === 'refused' ? 'refused' : 'nothing';
    if (outcome.kind === 'opened') basket.opportunityId = outcome.opportunityId;
    if (outcome.kind === 'waits' && basket.before !== null && this.#baskets.get(key) === basket)
      this.#baskets.set(key, { ...basket.before, triedAt: basket.triedAt });
  }

  #remove(id: string): void {
    this.all.delete(id);
    const hit = this.hits.get(id);
    if (hit !== undefined) this.#endHit(id, hit);
    for (const key of [...this.#baskets.keys()]) if (key.startsWith(`${id} `)) this.#baskets.delete(key);
  }

  #lookAtAll(of: Looked): void {
    const { now } = this.#world;
    for (const one of this.all.values()) {
      if (of === 'none' || (of === 'paying' && !one.isShown)) continue;
      if (!one.isKnown && !one.isShown && one.hasOpportunity && now - one.at >= 30_000) {
        one.isKnown = true;
        this.#says(`${one.id} gone`);
      }
      if (!one.isTouched && !one.isShown) continue;
      one.isTouched = false;
      const assessed = this.#assess(one);
      if (one.isShown) {
        this.#noteHit(one, assessed);
        for (const hit of assessed.found) this.#noteBasket(one, hit);
      }
      this.#says(`${one.id} is at ${assessed.distance}`);
    }
    this.#sweep();
  }

  #sweep(): void {
    const { now, rules, bookOf } = this.#world;
    for (const [key, basket] of this.#baskets) {
      const [id = '', direction] = key.split(' ');
      const one = this.all.get(id);
      const isTraded = one !== undefined && rules.isEnabled && mayTrade(one.terms, rules.kindsOn);
      if (basket.stands === 'busy' || (isTraded && profitNow(one, basket.hit.basket, bookOf) > 0)) basket.paidAt = now;
      if (now - basket.paidAt < 5000) continue;
      this.#baskets.delete(key);
      this.#says(`${id} gone ${direction}`);
    }
    for (const [id, hit] of this.hits) {
      if (rules.isEnabled && this.all.get(id)?.isShown) hit.lastAt = now;
      if (now - hit.lastAt >= 5000) this.#endHit(id, hit);
    }
  }
}

function concerns({ members }: NaiveRelation, marketIds: readonly string[]): boolean {
  return members.some(({ marketId }) => marketIds.includes(marketId));
}

function legsOf({ basket: { payout, legs } }: Hit): unknown {
  return [payout, legs.map(({ member, outcome }) => [member, outcome])];
}
