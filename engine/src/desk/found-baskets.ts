/** Which baskets of relations are open as opportunities, and when one takes the place of another or has gone. */
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Basket } from '../relation/baskets.ts';
import { givesWay } from '../relation/give-way.ts';
import type { Hit } from '../relation/hits.ts';

/** An edge that comes back within this time has not been gone. */
export const GONE_AFTER_MS = 5_000;
/** Retry delay for a basket that could not be stored, or that a buying batch kept from replacing the open one. */
const AGAIN_AFTER_MS = 2_000;

/**
 * Result of storing a basket. `waits`: a batch is buying the open basket that it would replace. `nothing`: it could not be
 * stored now.
 */
export type BasketOutcome =
  | { kind: 'opened'; opportunityId: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'waits' }
  | { kind: 'nothing' };

/**
 * `openedAt`: when this basket took its place. `triedAt`: when one was last to be stored in it. `replaces`: what it is to take the place
 * of, while it is being stored.
 */
export type OpenBasket = {
  readonly relationId: string;
  readonly basket: Basket;
  openedAt: Instant;
  triedAt: Instant;
  paidAt: Instant;
  isBusy: boolean;
  opportunityId: string | null;
  refused: string | null;
  replaces: OpenBasket | null;
};

export class FoundBaskets {
  readonly #open = new Map<string, OpenBasket>();

  /** The open basket: found last, and still paying or paying a moment ago. */
  get(relationId: string, direction: Basket['direction']): OpenBasket | undefined {
    return this.#open.get(keyOf(relationId, direction));
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * What pays of the relation now. `profitNow`: what a basket that was found before makes by now.
   * @returns what is to be stored, where that is not open already
   */
  note(
    relationId: string,
    { basket, profit }: Hit,
    { now, leastProfit, profitNow }: { now: Instant; leastProfit: Usd; profitNow: (basket: Basket) => Usd },
  ): OpenBasket | null {
    if (profit < leastProfit) return null;
    const key = keyOf(relationId, basket.direction);
    const before = this.#open.get(key);
    if (before !== undefined) {
      const openProfit = before.opportunityId === null ? USD_ZERO : profitNow(before.basket);
      if (before.isBusy || openProfit > 0) before.paidAt = now;
      if (!mayTakePlace(basket, before, now)) return null;
      const contest = { openProfit, openForMs: elapsedMs(before.openedAt, now), profit };
      if (!givesWay({ ...contest, leastGain: leastProfit })) return null;
    }
    const next: OpenBasket = {
      ...{ relationId, basket, openedAt: now, triedAt: now, paidAt: now, isBusy: true },
      ...{ opportunityId: null, refused: null, replaces: before ?? null },
    };
    this.#open.set(key, next);
    return next;
  }

  takeOutcome(open: OpenBasket, outcome: BasketOutcome): void {
    open.isBusy = false;
    const { replaces } = open;
    open.replaces = null;
    if (outcome.kind === 'opened') open.opportunityId = outcome.opportunityId;
    if (outcome.kind === 'refused') open.refused = outcome.reason;
    const key = keyOf(open.relationId, open.basket.direction);
    if (outcome.kind === 'waits' && replaces !== null && this.#open.get(key) === open)
      this.#open.set(key, { ...replaces, triedAt: open.triedAt });
  }

  /** @returns what has not paid for a while, which is not open any longer */
  sweep(now: Instant, pays: (open: OpenBasket) => boolean): OpenBasket[] {
    const gone: OpenBasket[] = [];
    for (const [key, open] of this.#open) {
      if (open.isBusy || pays(open)) open.paidAt = now;
      if (now - open.paidAt < GONE_AFTER_MS) continue;
      this.#open.delete(key);
      gone.push(open);
    }
    return gone;
  }

  /** The relation is not followed here any more. */
  leave(relationId: string): void {
    for (const [key, open] of this.#open) if (open.relationId === relationId) this.#open.delete(key);
  }
}

function mayTakePlace(basket: Basket, before: OpenBasket, now: Instant): boolean {
  if (before.isBusy || (before.refused !== null && isSame(basket, before.basket))) return false;
  // Nothing was stored, or nothing could be replaced: again, but not with every frame.
  const wasTried = before.opportunityId === null || before.triedAt > before.openedAt;
  return !wasTried || elapsedMs(before.triedAt, now) >= AGAIN_AFTER_MS;
}

function isSame(one: Basket, other: Basket): boolean {
  return (
    one.payout === other.payout &&
    one.legs.length === other.legs.length &&
    one.legs.every(({ member, outcome }, place) => {
      const leg = other.legs[place];
      return leg?.member === member && leg.outcome === outcome;
    })
  );
}

function keyOf(relationId: string, direction: Basket['direction']): string {
  return `${relationId} ${direction}`;
}
