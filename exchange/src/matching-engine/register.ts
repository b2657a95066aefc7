import { type Account, accountsIn, isStanding, type OrderRecord, type TradeRecord } from './records.ts';

/** Everything that users did: API accounts, their orders, and the trades that a user took part in. */
export class Register {
  /** Accounts by API key; several keys of one wallet trade on one account. */
  readonly accounts = new Map<string, Account>();
  readonly orders = new Map<string, OrderRecord>();
  readonly trades = new Map<string, TradeRecord>();

  addAccount(account: Account): void {
    this.accounts.set(account.apiKey, account);
  }

  hasAddress(address: string): boolean {
    return [...this.accounts.values()].some((account) => account.address === address);
  }

  /** The account that was created first: the one that `/_control` means by default. */
  firstAccount(): Account | undefined {
    return this.accounts.values().next().value;
  }

  /** The account's orders that its owner may read: all that were not forgotten. */
  ordersOf(address: string): OrderRecord[] {
    return [...this.orders.values()].filter((order) => order.account === address && order.isForgotten !== true);
  }

  openOrders(): OrderRecord[] {
    return [...this.orders.values()].filter(isStanding);
  }

  tradesOf(address: string): TradeRecord[] {
    return [...this.trades.values()].filter((trade) => accountsIn(trade).has(address));
  }
}
