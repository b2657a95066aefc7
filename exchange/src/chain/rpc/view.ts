import type { Hex } from 'viem';
import type { Chain } from '../chain.ts';
import { book } from '../contracts/ledger.ts';
import type { ChainTransaction, MinedPart } from '../transactions.ts';

export type MinedTransaction = ChainTransaction & { readonly mined: MinedPart };

/** The chain as a node sees it that does not know of the newest blocks yet. */
export class ChainView {
  readonly #chain: Chain;
  readonly #behind: number;

  constructor(chain: Chain, behind: number) {
    this.#chain = chain;
    this.#behind = behind;
  }

  height(): number {
    return this.#chain.blocks.height() - this.#behind;
  }

  /** Undefined until the transaction is mined in a block that the node has. */
  mined(hash: Hex): MinedTransaction | undefined {
    return this.#shown(this.#chain.pool.get(hash));
  }

  /** Undefined for a transaction that the node does not know, or whose nonce another one has used. */
  transaction(hash: Hex): ChainTransaction | undefined {
    const transaction = this.#chain.pool.get(hash);
    return transaction?.status === 'gone' ? undefined : transaction;
  }

  /** In the order of the chain. */
  minedBetween(from: number, to: number): MinedTransaction[] {
    return this.#chain.pool
      .mined()
      .flatMap((one) => this.#shown(one) ?? [])
      .filter(({ mined }) => mined.height >= from && mined.height <= to);
  }

  /** How many transactions of a key are in the blocks up to this one. */
  nonceAt(key: Hex, height: number): number {
    const later = this.#later(height).filter(({ from }) => from.toLowerCase() === key.toLowerCase());
    return this.#chain.keys.nonce(key) - later.length;
  }

  /** Looks at the ledger as it was at this block, as far as transactions have changed it since. */
  at<T>(height: number, look: () => T): T {
    const later = this.#later(height).flatMap(({ mined }) => mined?.changes ?? []);
    const { engine } = this.#chain;
    for (const change of later.toReversed()) book(engine, { ...change, micro: -change.micro });
    try {
      return look();
    } finally {
      for (const change of later) book(engine, change);
    }
  }

  #later(height: number): ChainTransaction[] {
    return this.#chain.pool.mined().filter(({ mined }) => (mined?.height ?? 0) > height);
  }

  #shown(transaction: ChainTransaction | undefined): MinedTransaction | undefined {
    const { mined, status } = transaction ?? {};
    if (transaction === undefined || mined === undefined || status !== 'mined') return undefined;
    return mined.height > this.height() ? undefined : { ...transaction, mined };
  }
}
