import type { OrderRequest } from './order-request.ts';

export type AllowedAsset = 'COLLATERAL' | 'CONDITIONAL';

const UNLIMITED = 2n ** 256n - 1n;

/** What each exchange contract may move of an account's cash, and of its tokens, in base units. */
export class Allowances {
  /** Whether an account that has said nothing has approved everything, or nothing. */
  areGiven = true;
  readonly #given = new Map<string, bigint>();

  set(account: string, contract: string, asset: AllowedAsset, amount: bigint): void {
    this.#given.set(keyOf(account, contract, asset), amount);
  }

  of(account: string, contract: string, asset: AllowedAsset): bigint {
    return this.#given.get(keyOf(account, contract, asset)) ?? (this.areGiven ? UNLIMITED : 0n);
  }

  /** The set allowances, for a journal; base units as text. */
  entries(): [string, string][] {
    return [...this.#given].map(([key, amount]) => [key, String(amount)]);
  }

  restore(entries: readonly (readonly [string, string])[]): void {
    for (const [key, amount] of entries) this.#given.set(key, BigInt(amount));
  }

  /** Whether an order's dollars, or its shares, may be moved. */
  covers({ account, side, shares, limit }: OrderRequest, contract: string): boolean {
    if (side === 'SELL') return this.of(account, contract, 'CONDITIONAL') >= BigInt(shares);
    return this.of(account, contract, 'COLLATERAL') * 1_000_000n >= BigInt(shares) * BigInt(limit);
  }
}

function keyOf(account: string, contract: string, asset: AllowedAsset): string {
  return `${account.toLowerCase()} ${contract.toLowerCase()} ${asset}`;
}
