import type { Instant } from '@dutchbook/units/instant.ts';
import { hashId } from '../catalogue/ids.ts';
import type { Movement } from '../matching/balances.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { TradeRecord, TradeStatus } from '../matching-engine/records.ts';

/** How long a trade takes from one state to the next, on the exchange clock. */
const MINED_AFTER_MS = 1_000;
const CONFIRMED_AFTER_MS = 1_000;

/** What happens to a trade on its way to the chain; a fault may decide otherwise than `confirms`. */
export type SettlementFate = 'confirms' | 'retries and confirms' | 'fails';

/**
 * Sees trades through MATCHED, MINED and CONFIRMED. What a trade bought or earned arrives when it is mined; a trade
 * that fails gives back what it took.
 */
export class Settlement {
  readonly #engine: MatchingEngine;
  readonly #fateOf: (trade: TradeRecord) => SettlementFate;
  readonly #afterCredit: (account: string) => void;

  constructor(
    engine: MatchingEngine,
    fateOf: (trade: TradeRecord) => SettlementFate,
    afterCredit: (account: string) => void,
  ) {
    this.#engine = engine;
    this.#fateOf = fateOf;
    this.#afterCredit = afterCredit;
  }

  begin(trade: TradeRecord): void {
    const fate = this.#fateOf(trade);
    if (fate === 'confirms') this.#mineLater(trade);
    else this.#retryLater(trade, fate);
  }

  /** Takes up a trade of the journal where it was left. */
  resume(trade: TradeRecord): void {
    if (trade.status === 'MATCHED') this.begin(trade);
    else if (trade.status === 'RETRYING') this.#mineLater(trade);
    else if (trade.status === 'MINED') this.#confirmLater(trade);
  }

  #mineLater(trade: TradeRecord): void {
    this.#engine.clock.schedule(MINED_AFTER_MS, () => {
      trade.transactionHash ||= hashId('transaction', trade.id);
      this.#book(trade.transfer.credits);
      this.#advance(trade, 'MINED');
      this.#confirmLater(trade);
    });
  }

  #confirmLater(trade: TradeRecord): void {
    this.#engine.clock.schedule(CONFIRMED_AFTER_MS, () => this.#advance(trade, 'CONFIRMED'));
  }

  #retryLater(trade: TradeRecord, fate: 'retries and confirms' | 'fails'): void {
    this.#engine.clock.schedule(MINED_AFTER_MS, () => {
      this.#advance(trade, 'RETRYING');
      if (fate === 'retries and confirms') this.#mineLater(trade);
      else this.#failLater(trade);
    });
  }

  #failLater(trade: TradeRecord): void {
    this.#engine.clock.schedule(CONFIRMED_AFTER_MS, () => {
      this.#book(trade.transfer.debits);
      this.#advance(trade, 'FAILED');
    });
  }

  #book(movements: readonly Movement[]): void {
    for (const movement of movements) this.#engine.balances.credit(movement);
    for (const account of new Set(movements.map((movement) => movement.account))) {
      this.#afterCredit(account);
      this.#engine.announcer.accountChanged(account);
    }
  }

  #advance(trade: TradeRecord, status: TradeStatus): void {
    trade.status = status;
    trade.updatedAt = this.#engine.clock.now() as Instant;
    this.#engine.announcer.tradeChanged(trade);
  }
}
