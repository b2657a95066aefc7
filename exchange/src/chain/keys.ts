import { type Hex, hexToBigInt } from 'viem';
import type { Mempool } from './mempool.ts';
import { RpcError } from './rpc/error.ts';
import type { ChainTransaction, TransactionFields } from './transactions.ts';

const GWEI = 1_000_000_000n;
export const BASE_FEE = 30n * GWEI;
export const PRIORITY_FEE = 30n * GWEI;
/** Gas money of a new key: 100 POL. */
const STARTING_WEI = 100n * 10n ** 18n;
export const BLOCK_GAS_LIMIT = 30_000_000;
const INTRINSIC_GAS = 21_000;
/** A pending transaction is replaced by one that pays a tenth more. */
const BUMP = { of: 10n, is: 11n } as const;
const PENDING_MAX = 64;

/** The nonces of keys, and what they pay gas with. */
export class Keys {
  readonly #nonces = new Map<string, number>();
  readonly #wei = new Map<string, bigint>();

  /** Nonces and wei by key, for a journal. */
  entries(): [key: string, nonce: number, wei: string | null][] {
    const keys = new Set([...this.#nonces.keys(), ...this.#wei.keys()]);
    return [...keys].map((key) => [key, this.#nonces.get(key) ?? 0, this.#wei.get(key)?.toString() ?? null]);
  }

  restore(entries: readonly (readonly [string, number, string | null])[]): void {
    for (const [key, nonce, wei] of entries) {
      this.#nonces.set(key, nonce);
      if (wei !== null) this.#wei.set(key, BigInt(wei));
    }
  }

  nonce(key: Hex): number {
    return this.#nonces.get(key.toLowerCase()) ?? 0;
  }

  /** The nonce behind the transactions that wait without a gap. */
  pendingNonce(key: Hex, pool: Mempool): number {
    const waiting = new Set(pool.pending().flatMap(({ from, nonce }) => (isSame(from, key) ? [nonce] : [])));
    let next = this.nonce(key);
    while (waiting.has(next)) next += 1;
    return next;
  }

  count(key: Hex): void {
    this.#nonces.set(key.toLowerCase(), this.nonce(key) + 1);
  }

  uncount(key: Hex): void {
    this.#nonces.set(key.toLowerCase(), this.nonce(key) - 1);
  }

  wei(key: Hex): bigint {
    return this.#wei.get(key.toLowerCase()) ?? STARTING_WEI;
  }

  setWei(key: Hex, wei: bigint): void {
    this.#wei.set(key.toLowerCase(), wei);
  }

  payGas({ from, ...fees }: TransactionFields, gasUsed: number): void {
    this.setWei(from, this.wei(from) - BigInt(gasUsed) * gasPriceOf(fees));
  }

  paysBaseFee({ maxFeePerGas }: ChainTransaction): boolean {
    return hexToBigInt(maxFeePerGas) >= BASE_FEE;
  }

  /** @throws RpcError when a node would not take it */
  check(fields: TransactionFields, pool: Mempool): void {
    const refuse = (message: string) => {
      throw new RpcError(-32_000, message);
    };
    const known = pool.get(fields.hash);
    if (known !== undefined && known.status !== 'gone') refuse('already known');
    if (fields.nonce < this.nonce(fields.from)) refuse('nonce too low');
    if (fields.gas < INTRINSIC_GAS) refuse('intrinsic gas too low');
    if (fields.gas > BLOCK_GAS_LIMIT) refuse('exceeds block gas limit');
    const own = pool.pending().filter(({ from }) => isSame(from, fields.from));
    if (own.length >= PENDING_MAX) refuse('txpool is full');
    const cost = BigInt(fields.gas) * hexToBigInt(fields.maxFeePerGas) + hexToBigInt(fields.value);
    if (this.wei(fields.from) < cost) refuse('insufficient funds for gas * price + value');
    const replaced = own.find(({ nonce }) => nonce === fields.nonce);
    if (replaced !== undefined && !isDearer(fields, replaced)) refuse('replacement transaction underpriced');
  }
}

/** What a unit of gas costs a transaction that is mined. */
export function gasPriceOf(fees: Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): bigint {
  const asked = BASE_FEE + hexToBigInt(fees.maxPriorityFeePerGas);
  const most = hexToBigInt(fees.maxFeePerGas);
  return asked < most ? asked : most;
}

function isDearer(fields: TransactionFields, replaced: TransactionFields): boolean {
  return (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
    (name) => hexToBigInt(fields[name]) * BUMP.of >= hexToBigInt(replaced[name]) * BUMP.is,
  );
}

function isSame(a: Hex, b: Hex): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
