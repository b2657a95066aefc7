/** Which opportunities a change has valued again, and when: what takes long is done in slices, and misses no edge. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Position } from '../opportunity/position.ts';
import type { GateQuote } from '../risk/context.ts';
import type { Roster } from './roster.ts';
import type { OpportunityRow, Tracked } from './tracked.ts';

/** `frozen`: what is known of positions with the books of these markets as they are now, whenever it is asked. */
export type RevaluedQuotes = {
  current: (positions: readonly Position[]) => GateQuote[];
  frozen: (marketIds: ReadonlySet<MarketId>) => (positions: readonly Position[]) => GateQuote[];
};

/**
 * `positionsPerSlice`: valued before the process does anything else. `alwaysAtOnce`: so few opportunities are within a slice, however
 * many positions they have. `waitingMax`: where as many changes wait, the last of them are valued together. `frozenMarketsMax`: as many
 * markets change together only where all their books are begun anew.
 */
export type Slices = {
  positionsPerSlice: number;
  alwaysAtOnce: number;
  waitingMax: number;
  frozenMarketsMax: number;
};

export const SLICES: Slices = { positionsPerSlice: 2000, alwaysAtOnce: 40, waitingMax: 20, frozenMarketsMax: 200 };

/** `marketIds` is null where everything is valued; `quotesOf` answers null where that is left to a later change. */
type Pass = {
  change: number;
  marketIds: ReadonlySet<MarketId> | null;
  quotesOf: (positions: readonly Position[]) => GateQuote[] | null;
};

/** `later`: work is left for `next`. `overrun`: changes come faster than they are valued. */
type Needed<Item> = {
  evaluate: (item: Item, quotes: GateQuote[]) => void;
  later: () => void;
  overrun: () => void;
};

/**
 * A change that concerns more than fits into a slice is valued in slices, by the books of its markets as they were when it
 * came: they may fall and rise again before the last opportunity is valued. Changes that concern many wait for each
 * other; one that concerns few is valued at once, and those few are passed over by what waited.
 */
export class Revaluations<Item extends Tracked<OpportunityRow>> {
  readonly #roster: Roster<Item>;
  readonly #quotes: RevaluedQuotes;
  readonly #slices: Slices;
  /** The first is under way. */
  readonly #passes: Pass[] = [];
  /** The rest of the running pass. */
  #due: Iterator<Item> | null = null;
  #duePass: Pass | null = null;
  #lastChange = 0;
  #isOverrun = false;

  constructor(roster: Roster<Item>, quotes: RevaluedQuotes, slices: Slices) {
    this.#roster = roster;
    this.#quotes = quotes;
    this.#slices = slices;
  }

  /** The number of the last change. */
  get lastChange(): number {
    return this.#lastChange;
  }

  ofMarkets(marketIds: ReadonlySet<MarketId>, needed: Needed<Item>): void {
    this.#lastChange += 1;
    const affected = this.#roster.affectedBy(marketIds);
    if (affected.size <= this.#slices.alwaysAtOnce) {
      for (const item of affected) this.#value(item, this.#live(item.positions), this.#lastChange, needed);
      return;
    }
    if (this.#passes.length > 0) {
      this.#wait(marketIds, needed);
      return;
    }
    const due = affected.values();
    if (this.#valueSlice(due, { change: this.#lastChange, marketIds, quotesOf: this.#live }, needed)) return;
    this.#wait(marketIds, needed);
    this.#goOnLater(due, needed);
  }

  /** Revalues everything, after settings have changed; earlier waiting changes are dropped. */
  ofAll(needed: Needed<Item>): void {
    this.#lastChange += 1;
    const isUnderWay = this.#passes.length > 0;
    const pass = { change: this.#lastChange, marketIds: null, quotesOf: this.#live };
    const due = this.#roster.all();
    this.#passes.splice(0);
    if (!isUnderWay && this.#valueSlice(due, pass, needed)) return;
    this.#passes.push(pass);
    if (!isUnderWay) this.#goOnLater(due, needed);
  }

  /** Values the next slice of what waits. */
  next(needed: Needed<Item>): void {
    const [pass] = this.#passes;
    if (pass === undefined) return;
    const due =
      this.#due !== null && this.#duePass === pass ? this.#due : this.#affectedBy(pass.marketIds)[Symbol.iterator]();
    this.#due = due;
    this.#duePass = pass;
    if (this.#valueSlice(due, pass, needed) && this.#passes[0] === pass) this.#passes.shift();
    if (this.#passes.length > 0) needed.later();
    else this.#isOverrun = false;
  }

  #goOnLater(due: Iterator<Item>, needed: Needed<Item>): void {
    this.#due = due;
    this.#duePass = this.#passes[0] ?? null;
    needed.later();
  }

  readonly #live = (positions: readonly Position[]): GateQuote[] => this.#quotes.current(positions);

  #frozen(marketIds: ReadonlySet<MarketId>, change: number): Pass['quotesOf'] {
    if (marketIds.size > this.#slices.frozenMarketsMax) return this.#live;
    const quotesThen = this.#quotes.frozen(marketIds);
    const isLater = (marketId: MarketId) =>
      !marketIds.has(marketId) && this.#passes.some((pass) => pass.change > change && pass.marketIds?.has(marketId));
    return (positions) => (positions.some(({ marketId }) => isLater(marketId)) ? null : quotesThen(positions));
  }

  #affectedBy(marketIds: Pass['marketIds']): Iterable<Item> {
    return marketIds === null ? this.#roster.all() : this.#roster.affectedBy(marketIds);
  }

  #value(item: Item, quotes: GateQuote[], change: number, { evaluate }: Needed<Item>): void {
    item.valuedBy = change;
    evaluate(item, quotes);
  }

  /** @returns whether that were all */
  #valueSlice(due: Iterator<Item>, { change, quotesOf }: Pass, needed: Needed<Item>): boolean {
    for (let positions = 0; positions < this.#slices.positionsPerSlice; ) {
      const { value: item, done } = due.next();
      if (done) return true;
      positions += item.positions.length;
      const isOutdated = this.#roster.get(item.row.id) !== item || item.valuedBy > change;
      const known = isOutdated ? null : quotesOf(item.positions);
      if (known !== null) this.#value(item, known, change, needed);
    }
    return false;
  }

  #wait(marketIds: ReadonlySet<MarketId>, needed: Needed<Item>): void {
    const last = this.#passes.length < this.#slices.waitingMax ? undefined : this.#passes.pop();
    if (last !== undefined && !this.#isOverrun) needed.overrun();
    this.#isOverrun ||= last !== undefined;
    const together = new Set([...(last?.marketIds ?? []), ...marketIds]);
    this.#passes.push({
      change: this.#lastChange,
      marketIds: together,
      quotesOf: this.#frozen(together, this.#lastChange),
    });
  }
}
