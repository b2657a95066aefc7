import { hashId, uuidOf } from '../catalogue/ids.ts';
import type { Floor } from './floor.ts';
import type { Account } from './records.ts';

/** A chain of heartbeats that is not continued within this time is broken. */
const PATIENCE_MS = 10_000;

/** A heartbeat that starts a chain carries no id. */
const FIRST_ID = '';

/**
 * The dead-man switch of API keys: once a key has sent a heartbeat, it must go on, or its orders are canceled. Chains
 * are kept in memory only. Orders belong to wallets, so those that another key of the same wallet placed go as well.
 */
export class Heartbeats {
  readonly #floor: Floor;
  readonly #expectedIds = new Map<string, string>();
  #sent = 0;

  constructor(floor: Floor) {
    this.#floor = floor;
  }

  /** Takes a heartbeat that carries the expected id; `id` is the one to send next, or instead. */
  beat(account: Account, sentId: string): { readonly isTaken: boolean; readonly id: string } {
    const expectedId = this.#expectedIds.get(account.apiKey) ?? FIRST_ID;
    if (sentId !== expectedId) return { isTaken: false, id: expectedId };
    const id = uuidOf(hashId('heartbeat', account.apiKey, this.#floor.clock.now(), ++this.#sent));
    this.#expectedIds.set(account.apiKey, id);
    this.#floor.clock.schedule(PATIENCE_MS, () => {
      if (this.#expectedIds.get(account.apiKey) === id) this.#breakOff(account);
    });
    return { isTaken: true, id };
  }

  #breakOff(account: Account): void {
    this.#expectedIds.delete(account.apiKey);
    for (const order of this.#floor.register.openOrders()) {
      if (order.account === account.address) this.#floor.cancel(order.id);
    }
  }
}
