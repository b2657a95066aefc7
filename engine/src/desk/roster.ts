import type { MarketId } from '@dutchbook/units/ids.ts';
import type { OpportunityRow, Tracked } from './tracked.ts';

const NONE: ReadonlySet<never> = new Set<never>();

/** Tracked opportunities, found by id and by the markets that move them. */
export class Roster<Item extends Tracked<OpportunityRow>> {
  readonly #byId = new Map<string, Item>();
  readonly #byMarket = new Map<string, Set<Item>>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Item | undefined {
    return this.#byId.get(id);
  }

  all(): MapIterator<Item> {
    return this.#byId.values();
  }

  add(item: Item): void {
    this.#byId.set(item.row.id, item);
    for (const { marketId } of item.positions) {
      const others = this.#byMarket.get(marketId);
      if (others === undefined) this.#byMarket.set(marketId, new Set([item]));
      else others.add(item);
    }
  }

  remove(item: Item): void {
    this.#byId.delete(item.row.id);
    for (const { marketId } of item.positions) {
      const others = this.#byMarket.get(marketId);
      others?.delete(item);
      if (others?.size === 0) this.#byMarket.delete(marketId);
    }
  }

  /** Each once. */
  affectedBy(marketIds: ReadonlySet<MarketId>): ReadonlySet<Item> {
    const [only] = marketIds;
    if (only === undefined) return NONE;
    if (marketIds.size === 1) return this.#byMarket.get(only) ?? NONE;
    const affected = new Set<Item>();
    for (const id of marketIds) for (const item of this.#byMarket.get(id) ?? []) affected.add(item);
    return affected;
  }
}
