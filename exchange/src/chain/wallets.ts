import { getAddress, type Hex } from 'viem';
import type { OrderRecord } from '../matching-engine/records.ts';
import type { Register } from '../matching-engine/register.ts';

/** Whose account lies behind an address: a wallet that is a contract holds what its owner's account has. */
export class Wallets {
  readonly #register: Register;
  readonly #owners = new Map<string, string>();
  readonly #nonces = new Map<string, number>();

  constructor(register: Register) {
    this.#register = register;
  }

  /** Remembers that `owner` signs for the wallet. */
  own(wallet: Hex, owner: Hex): void {
    this.#owners.set(wallet.toLowerCase(), owner);
  }

  /** A wallet that has placed an order has shown who signs for it. */
  noteOrder({ makerAddress, account }: Pick<OrderRecord, 'makerAddress' | 'account'>): void {
    const wallet = makerAddress.toLowerCase();
    if (wallet !== account.toLowerCase() && !this.#owners.has(wallet)) this.#owners.set(wallet, account);
  }

  /** Owners and nonces by wallet, for a journal. */
  entries(): [wallet: string, owner: string, nonce: number][] {
    return [...this.#owners].map(([wallet, owner]) => [wallet, owner, this.#nonces.get(wallet) ?? 0]);
  }

  restore(entries: readonly (readonly [string, string, number])[]): void {
    for (const [wallet, owner, nonce] of entries) {
      this.#owners.set(wallet, owner);
      this.#nonces.set(wallet, nonce);
    }
  }

  /** How many batches the wallet has carried out. */
  nonce(wallet: Hex): number {
    return this.#nonces.get(wallet.toLowerCase()) ?? 0;
  }

  setNonce(wallet: Hex, nonce: number): void {
    this.#nonces.set(wallet.toLowerCase(), nonce);
  }

  /** A wallet that the key is known to sign for. */
  of(owner: Hex): Hex | undefined {
    const found = [...this.#owners].find(([, signer]) => signer.toLowerCase() === owner.toLowerCase());
    return found?.[0] as Hex | undefined;
  }

  /** The address that signs for it: of an ordinary key its own. */
  ownerOf(address: Hex): string {
    return getAddress(this.#owners.get(address.toLowerCase()) ?? address);
  }

  /** Whether the wallet has a known owner, who signs for it. */
  isDeployed(wallet: Hex): boolean {
    return this.#owners.has(wallet.toLowerCase());
  }

  accountAt(address: Hex): string {
    const owner = this.ownerOf(address);
    const known = [...this.#register.accounts.values()].find(
      (one) => one.address.toLowerCase() === owner.toLowerCase(),
    );
    return known?.address ?? owner;
  }
}
