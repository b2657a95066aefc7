import type { Shares } from '@dutchbook/units/shares.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { encodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { AllowedAsset } from '../../matching-engine/allowances.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { FEE_VAULT } from '../../settlement/fee-vault.ts';
import type { Moves } from '../../settlement/moves.ts';
import type { Wallets } from '../wallets.ts';
import type { EncodedLog } from './logs.ts';

const ERROR_ABI = parseAbi(['error Error(string reason)']);

/** A reason that is one capitalised word is an error that the contract has declared, without arguments. */
const DECLARED = /^[A-Z][A-Za-z]+$/;

/** A call that a contract refuses. `data` is what the contract answers: an error of its own, an `Error(string)`, or nothing. */
export class Revert extends Error {
  override readonly name = 'Revert';
  readonly data: Hex;

  constructor(reason: string) {
    super(reason);
    this.data = revertData(reason);
  }
}

function revertData(reason: string): Hex {
  if (reason === '') return '0x';
  if (DECLARED.test(reason)) return toFunctionSelector(`function ${reason}()`);
  return encodeErrorResult({ abi: ERROR_ABI, args: [reason] });
}

/** One change of an account: of its cash where `tokenId` is empty. */
export interface Change {
  readonly account: string;
  readonly tokenId: string;
  readonly micro: number;
}

/** What one transaction does to the exchange's ledger: all of it, or nothing. */
export class ChainLedger {
  readonly changes: Change[] = [];
  readonly logs: EncodedLog[] = [];
  readonly engine: MatchingEngine;
  readonly #wallets: Wallets;
  readonly #undo: (() => void)[] = [];

  readonly #paidPart: number;

  constructor(engine: MatchingEngine, wallets: Wallets, paidPart = 1) {
    this.engine = engine;
    this.#wallets = wallets;
    this.#paidPart = paidPart;
  }

  /** What a contract pays of what it should. */
  paid({ usd, tokens }: Moves): Moves {
    return { usd: usd > 0 ? Math.floor(usd * this.#paidPart) : usd, tokens };
  }

  /** The account that what lies at an address is booked on. */
  accountAt(address: Hex): string {
    return this.#wallets.accountAt(address);
  }

  /** Undefined where no wallet is known to be. */
  walletNonce(address: Hex): number | undefined {
    return this.#wallets.isDeployed(address) ? this.#wallets.nonce(address) : undefined;
  }

  /** How much was relayed for the wallet that a key signs for. */
  nonceOfSigner(key: Hex): number {
    const wallet = this.#wallets.of(key);
    return wallet === undefined ? 0 : this.#wallets.nonce(wallet);
  }

  cashOf(address: Hex): number {
    return this.engine.balances.cash(this.accountAt(address));
  }

  tokensOf(address: Hex, tokenId: string): number {
    return this.engine.balances.tokens(this.accountAt(address), tokenId);
  }

  /** @throws Revert when the account has not enough of something that is free */
  move(address: Hex, { usd, tokens }: Moves): void {
    const account = this.accountAt(address);
    const { balances } = this.engine;
    if (usd < 0 && balances.freeCash(account) < -usd) throw new Revert('ERC20: transfer amount exceeds balance');
    for (const [tokenId, micro] of tokens) {
      if (micro >= 0) continue;
      const isHeld = balances.tokens(account, tokenId) >= -micro;
      if (!isHeld) throw new Revert('SafeMath: subtraction overflow');
      if (balances.freeTokens(account, tokenId) < -micro) throw new Revert('tokens are reserved by open orders');
      this.#book({ account, tokenId, micro });
    }
    for (const [tokenId, micro] of tokens) if (micro > 0) this.#book({ account, tokenId, micro });
    if (usd !== 0) this.#book({ account, tokenId: '', micro: usd });
  }

  /** What a conversion keeps back. */
  moveToVault(moves: Moves): void {
    this.move(FEE_VAULT, moves);
  }

  /** @throws Revert when the contract may not move so much of what the address holds */
  needAllowance(owner: Hex, contract: Hex, asset: AllowedAsset, micro: number): void {
    const given = this.engine.allowances.of(this.accountAt(owner), contract, asset);
    if (asset === 'COLLATERAL' && given < BigInt(micro)) throw new Revert('ERC20: transfer amount exceeds allowance');
    if (asset === 'CONDITIONAL' && given === 0n)
      throw new Revert('ERC1155: need operator approval for 3rd party transfers.');
  }

  allow(owner: Hex, contract: Hex, asset: AllowedAsset, amount: bigint): void {
    const account = this.accountAt(owner);
    const { allowances } = this.engine;
    const before = allowances.of(account, contract, asset);
    allowances.set(account, contract, asset, amount);
    this.#undo.push(() => allowances.set(account, contract, asset, before));
  }

  /** What an allowance loses by being used; an unlimited one stays so. */
  spendAllowance(owner: Hex, contract: Hex, micro: number): void {
    const given = this.engine.allowances.of(this.accountAt(owner), contract, 'COLLATERAL');
    if (given < 2n ** 255n) this.allow(owner, contract, 'COLLATERAL', given - BigInt(micro));
  }

  /** Takes back everything since the ledger was made. */
  rollBack(): void {
    for (const undo of this.#undo.toReversed()) undo();
    this.#undo.length = 0;
    this.changes.length = 0;
    this.logs.length = 0;
  }

  #book(change: Change): void {
    book(this.engine, change);
    this.changes.push(change);
    this.#undo.push(() => book(this.engine, { ...change, micro: -change.micro }));
  }
}

/** Books a change, whatever the account has. */
export function book(engine: MatchingEngine, { account, tokenId, micro }: Change): void {
  const isCash = tokenId === '';
  engine.balances.credit({
    account,
    usd: isCash ? (micro as Usd) : USD_ZERO,
    tokenId,
    shares: isCash ? SHARES_ZERO : (micro as Shares),
  });
}
