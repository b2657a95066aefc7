import type { Hex } from 'viem';
import type { ChainTransaction } from './transactions.ts';

/** How many transactions the chain remembers; the oldest that are done go first. */
const KEPT_MAX = 10_000;

/** All transactions, by hash, in the order in which they came. */
export class Mempool {
  readonly #byHash = new Map<Hex, ChainTransaction>();
  readonly #pending = new Set<ChainTransaction>();

  add(transaction: ChainTransaction): void {
    this.#byHash.set(transaction.hash, transaction);
    this.#pending.add(transaction);
    for (const [hash, { status }] of this.#byHash) {
      if (this.#byHash.size <= KEPT_MAX) break;
      if (status !== 'pending') this.#byHash.delete(hash);
    }
  }

  all(): ChainTransaction[] {
    return [...this.#byHash.values()];
  }

  /** Whether there has ever been a transaction. */
  get isUsed(): boolean {
    return this.#byHash.size > 0;
  }

  get(hash: Hex): ChainTransaction | undefined {
    return this.#byHash.get(hash);
  }

  pending(): ChainTransaction[] {
    for (const one of this.#pending) if (one.status !== 'pending') this.#pending.delete(one);
    return [...this.#pending];
  }

  /** In the order of the chain. */
  mined(): ChainTransaction[] {
    const mined = [...this.#byHash.values()].filter(({ status }) => status === 'mined');
    return mined.sort((a, b) => placeOf(a) - placeOf(b));
  }

  highestBlock(): number {
    return this.mined().reduce((highest, { mined }) => Math.max(highest, mined?.height ?? 0), 0);
  }
}

const IN_A_BLOCK_MAX = 10_000;

function placeOf({ mined }: ChainTransaction): number {
  return (mined?.height ?? 0) * IN_A_BLOCK_MAX + (mined?.index ?? 0);
}
