import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { MARKET_MAKER } from './order.ts';

/** Raised when a booking would leave an account with less than nothing: a broken invariant, never a refusal. */
class NegativeBalance extends Error {
  override readonly name = 'NegativeBalance';
}

/** Dollars and tokens that one account gives or receives; `tokenId` and `shares` go together. */
export interface Movement {
  readonly account: string;
  readonly usd: Usd;
  readonly tokenId: string;
  readonly shares: Shares;
}

/** Cash, tokens and what open orders hold back, per account, in micro units. Only the market maker may owe. */
export class Balances {
  /** Called with each account whose cash, or what is held back of it, has changed. */
  onCash: (account: string) => void = () => {};
  readonly #cash = new Map<string, Usd>();
  readonly #tokens = new Map<string, Map<string, Shares>>();
  readonly #reservedCash = new Map<string, Usd>();
  readonly #reservedTokens = new Map<string, Map<string, Shares>>();
  readonly #hidden = new Map<string, Map<string, number>>();

  accounts(): string[] {
    return [...new Set([...this.#cash.keys(), ...this.#tokens.keys()])];
  }

  cash(account: string): Usd {
    return this.#cash.get(account) ?? USD_ZERO;
  }

  tokens(account: string, tokenId: string): Shares {
    return this.#tokens.get(account)?.get(tokenId) ?? SHARES_ZERO;
  }

  /** Every token the account holds, by token id. */
  holdings(account: string): ReadonlyMap<string, Shares> {
    return this.#tokens.get(account) ?? new Map();
  }

  freeCash(account: string): Usd {
    return subtractUsd(this.cash(account), this.#reservedCash.get(account) ?? USD_ZERO);
  }

  freeTokens(account: string, tokenId: string): Shares {
    const reserved = this.#reservedTokens.get(account)?.get(tokenId) ?? SHARES_ZERO;
    return (this.tokens(account, tokenId) - reserved) as Shares;
  }

  /** Hides a change on the chain from the check of orders until the next update; cash where `tokenId` is empty. */
  hide(account: string, tokenId: string, micro: number): void {
    const hidden = this.#hidden.get(account) ?? new Map<string, number>();
    this.#hidden.set(account, hidden.set(tokenId, (hidden.get(tokenId) ?? 0) + micro));
  }

  /** Looks at the chain again: for the cash, or for one token. */
  look(account: string, tokenId: string): void {
    this.#hidden.get(account)?.delete(tokenId);
  }

  /** The hidden change. */
  hidden(account: string, tokenId: string): number {
    return this.#hidden.get(account)?.get(tokenId) ?? 0;
  }

  /** Everything hidden, for a journal. */
  allHidden(): [account: string, tokenId: string, micro: number][] {
    return [...this.#hidden].flatMap(([account, of]) =>
      [...of].map(([tokenId, micro]): [string, string, number] => [account, tokenId, micro]),
    );
  }

  setCash(account: string, usd: Usd): void {
    this.#cash.set(account, usd);
    this.onCash(account);
  }

  credit(movement: Movement): void {
    if (movement.usd !== 0) this.setCash(movement.account, addUsd(this.cash(movement.account), movement.usd));
    if (movement.shares !== 0) this.#addTokens(this.#tokens, movement.account, movement.tokenId, movement.shares);
  }

  /** @throws NegativeBalance when an account other than the market maker would owe. */
  debit(movement: Movement): void {
    const cash = subtractUsd(this.cash(movement.account), movement.usd);
    const tokens = this.tokens(movement.account, movement.tokenId) - movement.shares;
    if (movement.account !== MARKET_MAKER && (cash < 0 || tokens < 0)) {
      throw new NegativeBalance(`${movement.account} would hold ${cash} micro-dollars and ${tokens} micro-shares`);
    }
    if (movement.usd !== 0) this.setCash(movement.account, cash);
    if (movement.shares !== 0) {
      this.#addTokens(this.#tokens, movement.account, movement.tokenId, -movement.shares as Shares);
    }
  }

  /** Holds back (positive) or frees again (negative) what an open order may need. */
  reserve(movement: Movement): void {
    if (movement.account === MARKET_MAKER) return;
    const cash = addUsd(this.#reservedCash.get(movement.account) ?? USD_ZERO, movement.usd);
    this.#reservedCash.set(movement.account, cash);
    this.onCash(movement.account);
    if (movement.shares !== 0) {
      this.#addTokens(this.#reservedTokens, movement.account, movement.tokenId, movement.shares);
    }
  }

  #addTokens(book: Map<string, Map<string, Shares>>, account: string, tokenId: string, shares: Shares): void {
    let held = book.get(account);
    if (held === undefined) {
      held = new Map();
      book.set(account, held);
    }
    const total = addShares(held.get(tokenId) ?? SHARES_ZERO, shares);
    if (total === 0) held.delete(tokenId);
    else held.set(tokenId, total);
  }
}
