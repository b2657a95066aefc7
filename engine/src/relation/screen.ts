/**
 * Which relations pay, found out at almost no cost: each keeps a state price, one value for every member that the relation
 * allows and that lies within the member's bounds. While there is such a point nothing pays, at any size; a quote matters
 * only where it has moved past its value. Then a new point is looked for, and where there is none a basket pays.
 *
 * Every kind is one chain from the hardest member to the easiest. `sum` is what has come true so far: an outcome or bucket
 * adds its own value, a threshold is the sum at its place, and of exhaustive members the sum at the end is one dollar.
 *
 * With many markets the time goes into waiting for memory. So a quote touches one record, which has beside the market's bounds
 * the least and the most of its values in all relations; a relation that is looked at again lies together with its members.
 * Bounds and values are whole micro-dollars: between whole bounds there is a whole value.
 */
import type { MarketId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { Relation } from './relation.ts';
import { isExhaustive } from './worlds.ts';

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete'>;

export type Judgement = {
  /** Called when a relation begins to pay, and after each group of frames that touches it while it pays. */
  onPaying: (relationId: string) => void;
  /** Called when a relation stops paying. */
  onGone: (relationId: string) => void;
};

const RECORDS_AT_FIRST = 1024;
/** A record has four numbers, a quarter of a cache line, and is named by its first index. */
const RECORD = 4;
/** Fields of a market's record; LEAST and MOST bound its state prices. */
const [LOW, HIGH, LEAST, MOST] = [0, 1, 2, 3] as const;
/** The head of a relation, which its members follow. */
const [PLACE, COUNT, SHAPE, FLAGS] = [0, 1, 2, 3] as const;
/** Fields of a member's record. MARKET is twice the market's number, plus one for a threshold; NEXT the next member of that market, in a ring. */
const [MARKET, STATE, HEAD, NEXT] = [0, 1, 2, 3] as const;
const [PAIR, LADDER, EXHAUSTIVE, OPEN] = [0, 1, 2, 3] as const;
const [MARKED, PAYING] = [1, 2] as const;
const NOTHING = -1;
/** Below every quote, so that any quote changes it. */
const NO_STATE = -(2 ** 31);
/** Above every quote: the least value of a market that no relation has, which no quote changes. */
const NO_VALUE = 2 ** 31 - 1;

export class Screen {
  readonly #placeOf = new Map<string, number>();
  /** Id and head of each relation, by its place. */
  readonly #ids: string[] = [];
  readonly #heads: number[] = [];
  readonly #freePlaces: number[] = [];
  /** One record for each relation, and one for each of its members. */
  #records = new Int32Array(RECORDS_AT_FIRST * RECORD);
  #used = 0;
  #unused = 0;
  readonly #numberOf = new Map<string, number>();
  /** Id, record and one member of each market, by its number. */
  readonly #marketIds: MarketId[] = [];
  #markets = new Int32Array(RECORDS_AT_FIRST * RECORD);
  #memberOf = new Int32Array(RECORDS_AT_FIRST);
  readonly #freeNumbers: number[] = [];
  /** Places: the first `#waiting` are to be judged, what stands behind them is kept for the next ones. */
  readonly #marked: number[] = [];
  #waiting = 0;
  /** Bounds of the sum before each member of the relation that is judged. */
  #sumLow = new Float64Array(64);
  #sumHigh = new Float64Array(64);

  /** A market that no other relation has is unquoted until it is set. */
  add(id: string, relation: Structure): void {
    this.remove(id);
    const { members } = relation;
    this.#grow(members.length + 1);
    const place = this.#freePlaces.pop() ?? this.#ids.length;
    const head = this.#used;
    this.#placeOf.set(id, place);
    this.#ids[place] = id;
    this.#heads[place] = head;
    this.#records.set([place, members.length, shapeOf(relation), 0], head);
    this.#used = this.#endOf(head);
    for (const [index, { marketId, role }] of members.entries()) {
      const member = head + (index + 1) * RECORD;
      const market = this.#numbered(marketId) * 2 + (role === 'threshold' ? 1 : 0);
      this.#records.set([market, NO_STATE, head, member], member);
      this.#link(member);
      this.#place(member, NO_STATE);
    }
    this.#mark(head);
  }

  remove(id: string): void {
    const place = this.#placeOf.get(id);
    if (place === undefined) return;
    const head = this.#heads[place] as number;
    const end = this.#endOf(head);
    this.#placeOf.delete(id);
    this.#freePlaces.push(place);
    this.#heads[place] = NOTHING;
    this.#records[head + PLACE] = NOTHING;
    for (let member = head + RECORD; member < end; member += RECORD) this.#unlink(member);
    this.#unused += end - head;
    if (this.#unused > this.#used / 2 && this.#used > RECORDS_AT_FIRST * RECORD) this.#compact();
  }

  /** The number by which `set` knows a market while a relation uses it; null where none does. */
  marketNumber(marketId: MarketId): number | null {
    return this.#numberOf.get(marketId) ?? null;
  }

  /** Sets the bounds of a market's first outcome; relations are judged by all bounds set so far. */
  set(market: number, lowest: number, highest: number): void {
    const markets = this.#markets;
    const at = market * RECORD;
    // No value is below nothing or above a dollar, whatever is on offer.
    const low = Math.max(lowest, 0);
    const high = Math.min(highest, PRICE_ONE);
    markets[at + LOW] = low;
    markets[at + HIGH] = high;
    if (low > (markets[at + LEAST] as number) || high < (markets[at + MOST] as number))
      this.#markPassed(market, low, high);
  }

  /** How many relations `judge` would look at now; every other one is as it was. */
  get waiting(): number {
    return this.#waiting;
  }

  /** After a whole group of frames. What the callbacks set, add or remove counts as well. */
  judge({ onPaying, onGone }: Judgement): void {
    for (let index = 0; index < this.#waiting; index++) {
      const place = this.#marked[index] as number;
      const head = this.#heads[place] as number;
      const flags = head === NOTHING ? 0 : (this.#records[head + FLAGS] as number);
      if ((flags & MARKED) === 0) continue;
      const isPaying = !this.#repair(head);
      this.#records[head + FLAGS] = isPaying ? PAYING : 0;
      if (isPaying) this.#leaveWithoutState(head);
      if (isPaying) onPaying(this.#ids[place] as string);
      else if ((flags & PAYING) !== 0) onGone(this.#ids[place] as string);
    }
    this.#waiting = 0;
  }

  /** The relations in which a quote has moved past the market's value. */
  #markPassed(market: number, low: number, high: number): void {
    const first = this.#memberOf[market] as number;
    let member = first;
    do {
      const state = this.#records[member + STATE] as number;
      if (state < low || state > high) this.#mark(this.#records[member + HEAD] as number);
      member = this.#records[member + NEXT] as number;
    } while (member !== first);
  }

  #mark(head: number): void {
    const flags = this.#records[head + FLAGS] as number;
    if ((flags & MARKED) !== 0) return;
    this.#records[head + FLAGS] = flags | MARKED;
    this.#marked[this.#waiting] = this.#records[head + PLACE] as number;
    this.#waiting += 1;
  }

  #leaveWithoutState(head: number): void {
    const end = this.#endOf(head);
    for (let member = head + RECORD; member < end; member += RECORD) this.#place(member, NO_STATE);
  }

  #endOf(head: number): number {
    return head + ((this.#records[head + COUNT] as number) + 1) * RECORD;
  }

  #numbered(marketId: MarketId): number {
    const known = this.#numberOf.get(marketId);
    if (known !== undefined) return known;
    const market = this.#freeNumbers.pop() ?? this.#marketIds.length;
    this.#numberOf.set(marketId, market);
    this.#marketIds[market] = marketId;
    this.#memberOf = grown(this.#memberOf, market + 1);
    this.#memberOf[market] = NOTHING;
    this.#markets = grown(this.#markets, (market + 1) * RECORD);
    this.#markets.set([0, PRICE_ONE], market * RECORD);
    return market;
  }

  #marketOf(member: number): number {
    return (this.#records[member + MARKET] as number) >> 1;
  }

  /** Puts it into the ring of its market's members. */
  #link(member: number): void {
    const market = this.#marketOf(member);
    const before = this.#memberOf[market] === NOTHING ? member : (this.#memberOf[market] as number);
    const next = before === member ? member : (this.#records[before + NEXT] as number);
    this.#records[before + NEXT] = member;
    this.#records[member + NEXT] = next;
    this.#memberOf[market] = member;
  }

  #unlink(member: number): void {
    const records = this.#records;
    const market = this.#marketOf(member);
    let before = member;
    while (records[before + NEXT] !== member) before = records[before + NEXT] as number;
    if (before === member) {
      this.#numberOf.delete(this.#marketIds[market] as string);
      this.#freeNumbers.push(market);
      this.#markets.set([NO_VALUE, -NO_VALUE], market * RECORD + LEAST);
      return;
    }
    records[before + NEXT] = records[member + NEXT] as number;
    this.#memberOf[market] = before;
    this.#place(before, records[before + STATE] as number);
  }

  /** Looks for a new state price. @returns whether there is one */
  #repair(head: number): boolean {
    const count = this.#records[head + COUNT] as number;
    const shape = this.#records[head + SHAPE] as number;
    const first = head + RECORD;
    if (shape === PAIR) return this.#repairPair(first);
    if (!this.#boundSums(first, count, shape)) return false;
    if (shape === LADDER) this.#placeOnLadder(first, count);
    else if (shape === EXHAUSTIVE) this.#placeByShare(first, count);
    else this.#placeBelowOne(first, count);
    return true;
  }

  #repairPair(member: number): boolean {
    const low = this.#lowOf(member);
    const high = this.#highOf(member);
    this.#place(member, Math.floor((low + high) / 2));
    return low <= high;
  }

  /** How small and how large the sum can be before and after each member. @returns whether every threshold, and the end, allow that */
  #boundSums(first: number, count: number, shape: number): boolean {
    let low = 0;
    let high = 0;
    for (let index = 0; index < count; index++) {
      this.#sumLow[index] = low;
      this.#sumHigh[index] = high;
      const member = first + index * RECORD;
      const memberLow = this.#lowOf(member);
      const memberHigh = this.#highOf(member);
      // An unlisted outcome may have come true.
      if (shape !== EXHAUSTIVE) high = PRICE_ONE;
      if (this.#isThreshold(member)) {
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
    return low <= PRICE_ONE && (shape !== EXHAUSTIVE || high >= PRICE_ONE);
  }

  /** Halfway between what the harder ones bring and what the easier ones cost: both rise from rung to rung. */
  #placeOnLadder(first: number, count: number): void {
    let cap = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      const member = first + index * RECORD;
      cap = Math.min(cap, this.#highOf(member));
      this.#place(member, Math.floor(((this.#sumLow[index + 1] as number) + cap) / 2));
    }
  }

  /** Each member as far from its low to its high as the sum is at its place. */
  #placeByShare(first: number, count: number): void {
    let sum = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      const member = first + index * RECORD;
      if (this.#isThreshold(member)) {
        this.#place(member, sum);
        continue;
      }
      const low = Math.max(0, this.#lowOf(member));
      const high = this.#highOf(member);
      const sumLow = this.#sumLow[index] as number;
      const sumHigh = this.#sumHigh[index] as number;
      const room = high + sumHigh - low - sumLow;
      const share = room > 0 ? (sum - low - sumLow) / room : 0;
      const wanted = Math.floor(low + share * (high - low));
      const value = Math.min(Math.max(wanted, sum - sumHigh, low), sum - sumLow, high);
      this.#place(member, value);
      sum -= value;
    }
  }

  /** Each member takes half of the room that is left, so that the others can move as well. */
  #placeBelowOne(first: number, count: number): void {
    let cap = PRICE_ONE as number;
    for (let index = count - 1; index >= 0; index--) {
      const member = first + index * RECORD;
      const sumLow = this.#sumLow[index + 1] as number;
      if (this.#isThreshold(member)) {
        cap = Math.floor((sumLow + Math.min(cap, this.#highOf(member))) / 2);
        this.#place(member, cap);
        continue;
      }
      const low = Math.max(0, this.#lowOf(member));
      const high = this.#highOf(member);
      const value = low + Math.floor(Math.min(Math.max(0, high - low), (cap - sumLow) / 2));
      this.#place(member, value);
      cap -= value;
    }
  }

  #isThreshold(member: number): boolean {
    return ((this.#records[member + MARKET] as number) & 1) === 1;
  }

  #lowOf(member: number): number {
    return this.#markets[this.#marketOf(member) * RECORD + LOW] as number;
  }

  #highOf(member: number): number {
    return this.#markets[this.#marketOf(member) * RECORD + HIGH] as number;
  }

  /** Gives it this value, and its market the least and the most of all its values. */
  #place(member: number, value: number): void {
    const records = this.#records;
    records[member + STATE] = value;
    let least = value;
    let most = value;
    for (let other = records[member + NEXT] as number; other !== member; other = records[other + NEXT] as number) {
      least = Math.min(least, records[other + STATE] as number);
      most = Math.max(most, records[other + STATE] as number);
    }
    const at = this.#marketOf(member) * RECORD;
    this.#markets[at + LEAST] = least;
    this.#markets[at + MOST] = most;
  }

  /** Makes room for that many records. */
  #grow(count: number): void {
    this.#records = grown(this.#records, this.#used + count * RECORD);
    if (count <= this.#sumLow.length) return;
    this.#sumLow = new Float64Array(count);
    this.#sumHigh = new Float64Array(count);
  }

  /** Moves all relations together, in place: each moves towards the beginning. */
  #compact(): void {
    const records = this.#records;
    const end = this.#used;
    this.#memberOf.fill(NOTHING);
    this.#used = 0;
    this.#unused = 0;
    for (let from = 0, next = 0; from < end; from = next) {
      next = this.#endOf(from);
      const place = records[from + PLACE] as number;
      if (place === NOTHING) continue;
      const head = this.#used;
      records.copyWithin(head, from, next);
      this.#heads[place] = head;
      this.#used += next - from;
      for (let member = head + RECORD; member < this.#used; member += RECORD) {
        records[member + HEAD] = head;
        this.#link(member);
      }
    }
  }
}

/** `numbers`, or a larger copy with room for `count`. */
function grown(numbers: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> {
  if (count <= numbers.length) return numbers;
  const larger = new Int32Array(Math.max(count, numbers.length * 2));
  larger.set(numbers);
  return larger;
}

function shapeOf(relation: Structure): number {
  const { kind } = relation;
  if (kind === 'pair') return PAIR;
  if (kind === 'ladder') return LADDER;
  return isExhaustive(relation) ? EXHAUSTIVE : OPEN;
}
