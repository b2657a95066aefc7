import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** Dollars that came to an account from outside, below zero left it; or what was paid for shares that were taken. */
export interface AccountMove {
  readonly name: string;
  /** Counts from 1. */
  readonly place: number;
  readonly usd: Usd;
  /** Shares taken, by token; empty for dollars from outside. */
  readonly shares: Readonly<Record<string, Shares>>;
}

/** Moves of accounts other than trades, results and moves between shards, each once by its name. */
export class AccountMoves {
  /** Called with each that is made. */
  onMade: (move: AccountMove) => void = () => {};
  readonly #byName = new Map<string, AccountMove>();

  /** How many there are, and so the place of the last one. */
  get size(): number {
    return this.#byName.size;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Oldest first. */
  after(place: number): AccountMove[] {
    return [...this.#byName.values()].filter((move) => move.place > place);
  }

  add(name: string, usd: Usd, shares: Readonly<Record<string, Shares>> = {}): void {
    const move = { name, place: this.size + 1, usd, shares };
    this.#byName.set(name, move);
    this.onMade(move);
  }

  /** Takes back one from a journal. */
  restore(move: AccountMove): void {
    this.#byName.set(move.name, move);
  }
}
