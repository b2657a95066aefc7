import type { Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { OutcomeIndex } from '../matching/order.ts';
import { JournalFile } from './journal-file.ts';
import { type Market, type Payouts, payoutsOf } from './market.ts';
import type { MatchingEngine } from './matching-engine.ts';
import type { Account, OrderRecord, TradeRecord } from './records.ts';
import { journaledTrade, type OneMakerTrade } from './trade-of.ts';

/** The latest known value of something with an id. The last record of an id wins. */
type JournalRecord =
  | { readonly kind: 'account'; readonly id: string; readonly value: Account }
  | { readonly kind: 'balance'; readonly id: string; readonly value: Balance }
  | { readonly kind: 'order'; readonly id: string; readonly value: OrderRecord }
  | { readonly kind: 'trade'; readonly id: string; readonly value: TradeRecord | OneMakerTrade }
  | { readonly kind: 'market'; readonly id: string; readonly value: MarketState }
  | { readonly kind: 'chain'; readonly id: string; readonly value: unknown };

interface Balance {
  readonly usd: Usd;
  readonly tokens: readonly (readonly [string, Shares])[];
}

interface MarketState {
  readonly tick: Tick;
  readonly isAccepting: boolean;
  readonly winner: OutcomeIndex | null;
  /** Absent in what earlier versions wrote, whose markets all had a winner. */
  readonly payouts?: Payouts | null;
}

/** Keeps what users own and did in a file, so that a restart or a kill loses nothing that was answered. */
export class Journal {
  readonly #file: JournalFile;
  readonly #engine: MatchingEngine;
  readonly #changed = new Map<string, () => JournalRecord>();

  constructor(path: string, engine: MatchingEngine) {
    this.#file = new JournalFile(path);
    this.#engine = engine;
  }

  /**
   * Restores what the file tells, then writes down every later change.
   * @param resume takes up the settlement of a trade that was under way
   * @param restoreChain takes back what `noteChain` has written, each id's last value
   */
  open(resume: (trade: TradeRecord) => void, restoreChain: (id: string, value: unknown) => void = () => {}): void {
    const latest = new Map<string, JournalRecord>();
    for (const operation of this.#file.open() as JournalRecord[][]) {
      for (const record of operation) latest.set(`${record.kind} ${record.id}`, record);
    }
    for (const record of latest.values()) restoreRecord(record, this.#engine);
    for (const record of latest.values()) if (record.kind === 'chain') restoreChain(record.id, record.value);
    for (const order of this.#engine.register.orders.values()) this.#engine.restore(order);
    for (const trade of this.#engine.register.trades.values()) resume(trade);
    this.#listen();
  }

  /** Writes down something of the chain, as it will be when this operation is over. */
  noteChain(id: string, value: () => unknown): void {
    this.#noteLater('chain', id, () => ({ kind: 'chain', id, value: value() }));
  }

  /** Writes what has changed since the last write. */
  flush(): void {
    if (this.#changed.size === 0) return;
    this.#file.append([...this.#changed.values()].map((record) => record()));
    this.#changed.clear();
  }

  close(): void {
    this.flush();
    this.#file.close();
  }

  #listen(): void {
    const { register, balances } = this.#engine;
    this.#engine.announcer.listen({
      accountChanged: (address) => {
        for (const account of register.accounts.values()) {
          if (account.address === address) {
            this.#note({ kind: 'account', id: account.apiKey, value: account });
          }
        }
        this.#noteLater('balance', address, () => ({
          kind: 'balance',
          id: address,
          value: { usd: balances.cash(address), tokens: [...balances.holdings(address)] },
        }));
      },
      orderChanged: (order) => this.#note({ kind: 'order', id: order.id, value: order }),
      tradeChanged: (trade) => this.#note({ kind: 'trade', id: trade.id, value: trade }),
      marketChanged: (market) => this.#note({ kind: 'market', id: market.listing.conditionId, value: stateOf(market) }),
    });
  }

  #note(record: JournalRecord): void {
    this.#noteLater(record.kind, record.id, () => record);
  }

  /** One operation changes many things in one go: they are written together once it is over. */
  #noteLater(kind: string, id: string, record: () => JournalRecord): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.flush());
    this.#changed.set(`${kind} ${id}`, record);
  }
}

function stateOf(market: Market): MarketState {
  return {
    tick: market.tick,
    isAccepting: market.isAccepting,
    winner: market.winner ?? null,
    payouts: market.payouts ?? null,
  };
}

function restoreRecord(record: JournalRecord, engine: MatchingEngine): void {
  const { register, balances } = engine;
  if (record.kind === 'account') register.addAccount(record.value);
  if (record.kind === 'order') register.orders.set(record.id, record.value);
  if (record.kind === 'trade') register.trades.set(record.id, journaledTrade(record.value));
  if (record.kind === 'balance') {
    balances.setCash(record.id, record.value.usd);
    for (const [tokenId, shares] of record.value.tokens) {
      balances.credit({ account: record.id, usd: USD_ZERO, tokenId, shares });
    }
  }
  const market = record.kind === 'market' ? engine.directory.market(record.id) : undefined;
  if (record.kind === 'market' && market !== undefined) {
    market.tick = record.value.tick;
    market.isAccepting = record.value.isAccepting;
    const { winner, payouts } = record.value;
    market.winner = winner ?? undefined;
    market.payouts = payouts ?? (winner === null ? undefined : payoutsOf(winner));
  }
}
