/**
 * Which relations pay, found out at almost no cost: each keeps a state price, one value for every member that the relation
 * allows and that lies within the member's bounds. While there is such a point nothing pays, at any size; a quote matters
 * only where it has moved past its value. Then a new point is looked for, and where there is none a basket pays.
 *
 * Every kind is one chain from the hardest member to the easiest. `sum` is what has come true so far: an outcome or bucket
 * adds its own value, a threshold is the sum at its place, and of exhaustive members the sum at the end is one dollar.
 */
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { Relation } from './relation.ts';

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete'>;

export type Judgement = {
  /** It pays: called when it begins to, and after each group of frames that has touched it while it does. */
  onPaying: (relationId: string) => void;
  /** It has paid before and does not any more. */
  onGone: (relationId: string) => void;
};

type Shape = 'pair' | 'exhaustive' | 'open' | 'ladder';
type Row = { id: string; start: number; count: number; shape: Shape; isPaying: boolean; isMarked: boolean };

const SLOTS_AT_FIRST = 1024;

/** One slot for each member of each relation. */
export class Screen {
  readonly #rows = new Map<string, Row>();
  readonly #slotsOf = new Map<string, number[]>();
  #low = new Float64Array(SLOTS_AT_FIRST);
  #high = new Float64Array(SLOTS_AT_FIRST);
  #state = new Float64Array(SLOTS_AT_FIRST);
  #isThreshold = new Uint8Array(SLOTS_AT_FIRST);
  #rowOf: (Row | undefined)[] = [];
  #marketOf: string[] = [];
  #used = 0;
  #unused = 0;
  #marked: Row[] = [];
  /** Bounds of the sum before each member of the row that is judged. */
  #sumLow = new Float64Array(64);
  #sumHigh = new Float64Array(64);

  /** Its members are unquoted until they are set. */
  add(id: string, relation: Structure): void {
    this.remove(id);
    const { members } = relation;
    this.#grow(members.length);
    const row: Row = {
      id,
      start: this.#used,
      count: members.length,
      shape: shapeOf(relation),
      isPaying: false,
      isMarked: false,
    };
    this.#rows.set(id, row);
    for (const { marketId, role } of members) {
      const slot = this.#used;
      this.#used += 1;
      this.#low[slot] = 0;
      this.#high[slot] = PRICE_ONE;
      this.#isThreshold[slot] = role === 'threshold' ? 1 : 0;
      this.#rowOf[slot] = row;
      this.#marketOf[slot] = marketId;
      const slots = this.#slotsOf.get(marketId);
      if (slots === undefined) this.#slotsOf.set(marketId, [slot]);
      else slots.push(slot);
    }
    this.#mark(row);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    row.isPaying = false;
    for (let slot = row.start; slot < row.start + row.count; slot++) {
      const marketId = this.#marketOf[slot] ?? '';
      const slots = this.#slotsOf.get(marketId)?.filter((other) => other !== slot) ?? [];
      if (slots.length === 0) this.#slotsOf.delete(marketId);
      else this.#slotsOf.set(marketId, slots);
      this.#rowOf[slot] = undefined;
    }
    this.#unused += row.count;
    if (this.#unused > this.#used / 2 && this.#used > SLOTS_AT_FIRST) this.#compact();
  }

  /** What a member's first outcome costs and brings now, as `Bounds` has it; a relation is judged by all that was set before. */
  set(marketId: string, low: number, high: number): void {
    const slots = this.#slotsOf.get(marketId);
    if (slots === undefined) return;
    for (const slot of slots) {
      this.#low[slot] = low;
      this.#high[slot] = high;
      const state = this.#state[slot] as number;
      const row = this.#rowOf[slot];
      if (row !== undefined && (low > state || high < state || row.isPaying)) this.#mark(row);
    }
  }

  /** After a whole group of frames. */
  judge({ onPaying, onGone }: Judgement): void {
    if (this.#marked.length === 0) return;
    const marked = this.#marked;
    this.#marked = [];
    for (const row of marked) {
      row.isMarked = false;
      if (this.#rows.get(row.id) !== row) continue;
      const wasPaying = row.isPaying;
      row.isPaying = !this.#repair(row);
      if (row.isPaying) onPaying(row.id);
      else if (wasPaying) onGone(row.id);
    }
  }

  #mark(row: Row): void {
    if (row.isMarked) return;
    row.isMarked = true;
    this.#marked.push(row);
  }

  /** Looks for a new state price. @returns whether there is one */
  #repair(row: Row): boolean {
    if (row.shape === 'pair') return this.#repairPair(row);
    if (!this.#boundSums(row)) return false;
    if (row.shape === 'ladder') this.#placeOnLadder(row);
    else if (row.shape === 'exhaustive') this.#placeByShare(row);
    else this.#placeBelowOne(row);
    return true;
  }

  #repairPair({ start }: Row): boolean {
    const low = this.#low[start] as number;
    const high = this.#high[start] as number;
    this.#state[start] = (low + high) / 2;
    return low <= high;
  }

  /** How small and how large the sum can be before and after each member. @returns whether every threshold, and the end, allow that */
  #boundSums({ start, count, shape }: Row): boolean {
    let low = 0;
    let high = 0;
    for (let index = 0; index < count; index++) {
      this.#sumLow[index] = low;
      this.#sumHigh[index] = high;
      const slot = start + index;
      const memberLow = this.#low[slot] as number;
      const memberHigh = this.#high[slot] as number;
      // What is not listed may have come true anywhere.
      if (shape !== 'exhaustive') high = PRICE_ONE;
      if (this.#isThreshold[slot] === 1) {
        if (low > memberHigh || memberLow > high) return false;
        low = Math.max(low, memberLow);
        high = Math.min(high, memberHigh);
      } else {
        low += Math.max(0, memberLow);
        high += memberHigh;
      }
    }
    this.#sumLow[count] = low;
    this.#sumHigh[count] = high;
    return low <= PRICE_ONE && (shape !== 'exhaustive' || high >= PRICE_ONE);
  }

  /** Halfway between what the harder ones bring and what the easier ones cost: both rise from rung to rung. */
  #placeOnLadder({ start, count }: Row): void {
    let cap = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      cap = Math.min(cap, this.#high[start + index] as number);
      this.#state[start + index] = ((this.#sumLow[index + 1] as number) + cap) / 2;
    }
  }

  /** Each member as far from its low to its high as the sum is at its place. */
  #placeByShare({ start, count }: Row): void {
    let sum = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      const slot = start + index;
      if (this.#isThreshold[slot] === 1) {
        this.#state[slot] = sum;
        continue;
      }
      const low = Math.max(0, this.#low[slot] as number);
      const high = this.#high[slot] as number;
      const sumLow = this.#sumLow[index] as number;
      const sumHigh = this.#sumHigh[index] as number;
      const room = high + sumHigh - low - sumLow;
      const share = room > 0 ? (sum - low - sumLow) / room : 0;
      const value = Math.min(Math.max(low + share * (high - low), sum - sumHigh, low), sum - sumLow, high);
      this.#state[slot] = value;
      sum -= value;
    }
  }

  /** Each member takes half of the room that is left, so that the others can move as well. */
  #placeBelowOne({ start, count }: Row): void {
    let cap = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      const slot = start + index;
      const sumLow = this.#sumLow[index + 1] as number;
      if (this.#isThreshold[slot] === 1) {
        cap = (sumLow + Math.min(cap, this.#high[slot] as number)) / 2;
        this.#state[slot] = cap;
        continue;
      }
      const low = Math.max(0, this.#low[slot] as number);
      const high = this.#high[slot] as number;
      const value = low + Math.min(Math.max(0, high - low), (cap - sumLow) / 2);
      this.#state[slot] = value;
      cap -= value;
    }
  }

  #grow(count: number): void {
    if (count + 1 > this.#sumLow.length) {
      this.#sumLow = new Float64Array(count + 1);
      this.#sumHigh = new Float64Array(count + 1);
    }
    let size = this.#low.length;
    while (this.#used + count > size) size *= 2;
    if (size === this.#low.length) return;
    const larger = <Values extends Float64Array | Uint8Array>(before: Values, after: Values): Values => {
      after.set(before);
      return after;
    };
    this.#low = larger(this.#low, new Float64Array(size));
    this.#high = larger(this.#high, new Float64Array(size));
    this.#state = larger(this.#state, new Float64Array(size));
    this.#isThreshold = larger(this.#isThreshold, new Uint8Array(size));
  }

  /** Moves all rows together, in place: each moves towards the beginning. */
  #compact(): void {
    this.#slotsOf.clear();
    let used = 0;
    for (const row of this.#rows.values()) {
      for (let index = 0; index < row.count; index++) {
        const from = row.start + index;
        const to = used + index;
        this.#low[to] = this.#low[from] as number;
        this.#high[to] = this.#high[from] as number;
        this.#state[to] = this.#state[from] as number;
        this.#isThreshold[to] = this.#isThreshold[from] as number;
        this.#rowOf[to] = row;
        const marketId = this.#marketOf[from] ?? '';
        this.#marketOf[to] = marketId;
        const slots = this.#slotsOf.get(marketId);
        if (slots === undefined) this.#slotsOf.set(marketId, [to]);
        else slots.push(to);
      }
      row.start = used;
      used += row.count;
    }
    this.#rowOf.length = used;
    this.#marketOf.length = used;
    this.#used = used;
    this.#unused = 0;
  }
}

function shapeOf({ kind, isComplete }: Structure): Shape {
  if (kind === 'pair' || kind === 'ladder') return kind;
  return kind === 'exactly_one' || (kind === 'buckets' && isComplete) ? 'exhaustive' : 'open';
}
