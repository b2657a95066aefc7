/** How long relations pay, how much at best, and what keeps them from being bought. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Basket } from '../relation/baskets.ts';
import { GONE_AFTER_MS } from './found-baskets.ts';

/** A time in which a relation pays. `net`, `profit` and `size`: the most of it. `obstacle`: why nothing is bought, if that is known. */
export type RelationHit = {
  readonly id: string;
  readonly relationId: string;
  readonly direction: Basket['direction'];
  readonly firstAt: Instant;
  lastAt: Instant;
  endedAt: Instant | null;
  net: Usd;
  profit: Usd;
  size: Shares;
  obstacle: string | null;
  opportunityId: string | null;
};

/** What a relation pays now. */
export type Payment = { direction: Basket['direction']; net: Usd; profit: Usd; size: Shares };

export class RelationHits {
  readonly #open = new Map<string, RelationHit>();
  readonly #newId: () => string;
  readonly #onClosed: (hit: RelationHit) => void;

  constructor(newId: () => string, onClosed: (hit: RelationHit) => void) {
    this.#newId = newId;
    this.#onClosed = onClosed;
  }

  open(): MapIterator<RelationHit> {
    return this.#open.values();
  }

  /** A relation pays now. @returns its hit, and whether that has begun with this */
  pays(
    relationId: string,
    { direction, net, profit, size }: Payment,
    now: Instant,
  ): { hit: RelationHit; isNew: boolean } {
    const before = this.#open.get(relationId);
    const goesOn = before?.direction === direction;
    if (before !== undefined && !goesOn) this.#close(before);
    const hit = before !== undefined && goesOn ? before : this.#begin(relationId, direction, now);
    hit.lastAt = now;
    hit.net = Math.max(hit.net, net) as Usd;
    if (profit > hit.profit) Object.assign(hit, { profit, size });
    return { hit, isNew: !goesOn };
  }

  /** The relation stopped paying; if it pays again at once, the hit goes on. */
  gone(relationId: string, now: Instant): void {
    const hit = this.#open.get(relationId);
    if (hit !== undefined) hit.lastAt = now;
  }

  /** The relation is no longer followed. */
  leave(relationId: string): void {
    const hit = this.#open.get(relationId);
    if (hit !== undefined) this.#close(hit);
  }

  /** Ends those that have not paid for a while; one whose books are quiet pays on. */
  sweep(now: Instant, pays: (relationId: string) => boolean): void {
    for (const hit of [...this.#open.values()]) {
      if (pays(hit.relationId)) hit.lastAt = now;
      if (now - hit.lastAt >= GONE_AFTER_MS) this.#close(hit);
    }
  }

  #begin(relationId: string, direction: Basket['direction'], now: Instant): RelationHit {
    const hit: RelationHit = {
      ...{ id: this.#newId(), relationId, direction, firstAt: now, lastAt: now, endedAt: null },
      ...{ net: USD_ZERO, profit: USD_ZERO, size: SHARES_ZERO, obstacle: null, opportunityId: null },
    };
    this.#open.set(relationId, hit);
    return hit;
  }

  #close(hit: RelationHit): void {
    this.#open.delete(hit.relationId);
    hit.endedAt = hit.lastAt;
    this.#onClosed(hit);
  }
}
