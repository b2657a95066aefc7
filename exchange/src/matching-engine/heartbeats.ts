import { hashId, uuidOf } from '../catalogue/ids.ts';
import type { MatchingEngine } from './matching-engine.ts';
import type { Account } from './records.ts';

/** A chain of heartbeats that is not continued within this time is broken. */
const PATIENCE_MS = 10_000;

/** A heartbeat that starts a chain carries no id. */
const FIRST_ID = '';

type Chain = { readonly id: string; dueMs: number };

/**
 * The dead-man switch of API keys: once a key has sent a heartbeat, it must go on, or its orders are canceled. Chains
 * are kept in memory only. Orders belong to wallets, so those that another key of the same wallet placed go as well.
 */
export class Heartbeats {
  readonly #engine: MatchingEngine;
  readonly #chains = new Map<string, Chain>();
  #sent = 0;

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    engine.clock.onAdvance((ms) => this.#forgiveJump(ms));
  }

  /** Takes a heartbeat that carries the expected id; `id` is the one to send next, or instead. */
  beat(account: Account, sentId: string): { readonly isTaken: boolean; readonly id: string } {
    const expectedId = this.#chains.get(account.apiKey)?.id ?? FIRST_ID;
    if (sentId !== expectedId) return { isTaken: false, id: expectedId };
    const now = this.#engine.clock.now();
    const id = uuidOf(hashId('heartbeat', account.apiKey, now, ++this.#sent));
    const chain = { id, dueMs: now + PATIENCE_MS };
    this.#chains.set(account.apiKey, chain);
    this.#await(account, chain);
    return { isTaken: true, id };
  }

  #await(account: Account, chain: Chain): void {
    const { clock } = this.#engine;
    clock.schedule(chain.dueMs - clock.now(), () => {
      if (this.#chains.get(account.apiKey) !== chain) return;
      if (clock.now() < chain.dueMs) this.#await(account, chain);
      else this.#breakOff(account);
    });
  }

  /** No client could have sent a heartbeat while the clock is moved by more than a chain waits. */
  #forgiveJump(ms: number): void {
    if (ms > PATIENCE_MS) for (const chain of this.#chains.values()) chain.dueMs += ms;
  }

  #breakOff(account: Account): void {
    this.#chains.delete(account.apiKey);
    for (const order of this.#engine.register.openOrders()) {
      if (order.account === account.address) this.#engine.cancel(order.id);
    }
  }
}
