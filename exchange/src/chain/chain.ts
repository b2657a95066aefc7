import { type Hex, hexToBigInt, numberToHex } from 'viem';
import { hashId } from '../catalogue/ids.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { Blocks } from './blocks.ts';
import type { Call } from './contracts/call.ts';
import { Conditions } from './contracts/conditions.ts';
import { type Executed, type ExecutionParts, execute } from './contracts/execution.ts';
import { book, type ChainLedger, Revert } from './contracts/ledger.ts';
import { BASE_FEE, Keys } from './keys.ts';
import { Mempool } from './mempool.ts';
import type { ChainTransaction, MinedPart, TransactionFate, TransactionFields } from './transactions.ts';
import { Wallets } from './wallets.ts';

/** What the fault switches decide about a transaction that was just taken. */
export interface TakenTransactionFault {
  readonly fate: TransactionFate;
  /** Undefined: not stuck; null: until it is replaced. */
  readonly stuckMs: number | null | undefined;
  /** Another transaction with its nonce and a higher fee takes its place. */
  readonly isReplaced: boolean;
}

export interface ChainParts {
  readonly engine: MatchingEngine;
  readonly faultOf: () => TakenTransactionFault;
}

/** What a journal keeps of the chain. */
export interface ChainListener {
  transactionChanged(transaction: ChainTransaction): void;
  stateChanged(): void;
}

/** How many blocks more it takes until a mined transaction is beyond a reorganisation. */
export const CONFIRMATIONS = 2;
const RECORDED_GAS = 100_000;
const WORTH_MORE = 2n;
const SECOND_MS = 1_000;

/** The chain over the exchange's ledger: takes transactions, mines them in blocks on the exchange's clock. */
export class Chain {
  readonly engine: MatchingEngine;
  readonly blocks: Blocks;
  readonly conditions: Conditions;
  readonly wallets: Wallets;
  readonly keys = new Keys();
  readonly pool = new Mempool();
  readonly #faultOf: () => TakenTransactionFault;
  readonly #listeners: ChainListener[] = [];
  #scheduledFor = 0;

  constructor({ engine, faultOf }: ChainParts) {
    this.engine = engine;
    this.#faultOf = faultOf;
    this.blocks = new Blocks(engine.clock);
    this.conditions = new Conditions(engine);
    this.wallets = new Wallets(engine.register);
    engine.announcer.listen({ orderChanged: (order) => this.wallets.noteOrder(order) });
  }

  get parts(): ExecutionParts {
    return this;
  }

  listen(listener: ChainListener): void {
    this.#listeners.push(listener);
  }

  /** Takes a transaction of a key. @throws RpcError when a node would refuse it */
  submit(fields: TransactionFields): void {
    this.keys.check(fields, this.pool);
    const calls = fields.to === null ? [] : [{ from: fields.from, to: fields.to, data: fields.data }];
    const { fate, stuckMs, isReplaced } = this.#faultOf();
    const stuckUntilMs = typeof stuckMs === 'number' ? this.engine.clock.now() + stuckMs : stuckMs;
    const stuck = stuckUntilMs === undefined ? {} : { stuckUntilMs };
    this.#take({ ...fields, calls, status: 'pending', fate, ...stuck });
    if (isReplaced) this.#take(dearer(fields));
  }

  /** Takes what a relayer sends for a wallet under a nonce of its own. */
  relay(fields: TransactionFields, calls: readonly Call[], wallet: NonNullable<ChainTransaction['wallet']>): void {
    const { fate, stuckMs } = this.#faultOf();
    const stuckUntilMs = typeof stuckMs === 'number' ? this.engine.clock.now() + stuckMs : stuckMs;
    const stuck = stuckUntilMs === undefined ? {} : { stuckUntilMs };
    this.#take({ ...fields, calls, wallet, status: 'pending', fate, ...stuck });
  }

  /** Writes a transaction of the venue's own into the newest block; what it changes is booked already. */
  record(from: Hex, to: Hex, { changes, logs }: Pick<MinedPart, 'changes' | 'logs'>): void {
    const height = this.blocks.height();
    const index = this.pool.mined().filter(({ mined }) => mined?.height === height).length;
    const nonce = this.keys.nonce(from);
    const fees = { maxFeePerGas: numberToHex(BASE_FEE), maxPriorityFeePerGas: numberToHex(0) } as const;
    const transaction: ChainTransaction = {
      ...{ hash: hashId('recorded', from, nonce), from, to, nonce, gas: RECORDED_GAS, value: '0x0', data: '0x' },
      ...{ ...fees, type: 'eip1559', calls: [], status: 'mined' },
      mined: { height, index, isSuccess: true, gasUsed: RECORDED_GAS, revertData: '0x', changes, logs },
    };
    this.keys.count(from);
    this.pool.add(transaction);
    this.#changed(transaction);
  }

  /** Takes the nonce of a key without its knowledge. */
  burnNonce(key: Hex): void {
    this.keys.count(key);
    this.stateChanged();
  }

  /** Tries calls out: nothing of it stays. */
  tryOut(calls: readonly Call[]): Executed {
    const executed = execute(calls, this.parts);
    if (executed.revert === undefined) {
      const logs = [...executed.ledger.logs];
      executed.ledger.rollBack();
      executed.ledger.logs.push(...logs);
    }
    return executed;
  }

  /** Lets go what a fault had stuck. */
  unstick(): void {
    for (const transaction of this.pool.pending()) delete transaction.stuckUntilMs;
    this.#scheduleBlock();
  }

  /** To be called when nonces, allowances, wallets or the time of blocks were changed by hand. */
  stateChanged(): void {
    for (const listener of this.#listeners) listener.stateChanged();
  }

  /** Goes on with what was pending in the journal. */
  resume(): void {
    for (const order of this.engine.register.orders.values()) this.wallets.noteOrder(order);
    this.blocks.restore(this.pool.highestBlock());
    this.#scheduleBlock();
  }

  #take(transaction: ChainTransaction): void {
    for (const other of this.pool.pending()) {
      if (other.from === transaction.from && other.nonce === transaction.nonce) this.#become(other, 'gone');
    }
    this.pool.add(transaction);
    this.#changed(transaction);
    this.#scheduleBlock();
  }

  #scheduleBlock(): void {
    const next = this.blocks.height() + 1;
    if (this.#scheduledFor >= next || this.pool.pending().length === 0) return;
    this.#scheduledFor = next;
    this.engine.clock.schedule(this.blocks.untilNextMs(), () => {
      this.#scheduledFor = 0;
      this.#mineBlock();
      this.#scheduleBlock();
    });
  }

  #mineBlock(): void {
    const height = this.blocks.height();
    let index = 0;
    for (let next = this.#nextReady(); next !== undefined; next = this.#nextReady()) {
      this.#mine(next, height, index);
      index += 1;
    }
  }

  #nextReady(): ChainTransaction | undefined {
    const now = this.engine.clock.now();
    return this.pool.pending().find((one) => {
      const isStuck = one.stuckUntilMs === null || (one.stuckUntilMs ?? 0) > now;
      return !isStuck && one.nonce === this.keys.nonce(one.from) && this.keys.paysBaseFee(one);
    });
  }

  #mine(transaction: ChainTransaction, height: number, index: number): void {
    const { fate = {}, wallet } = transaction;
    const refusal = fate.revert === undefined ? this.#walletRefusal(transaction) : new Revert(fate.revert);
    const calls = transaction.calls.filter((_, place) => fate.noEffect !== 'all' && fate.noEffect !== place);
    const executed = execute(refusal === undefined ? calls : [], this.parts, fate.paidPart);
    const reason = refusal ?? executed.revert;
    const isShort = fate.outOfGas === true || executed.gasUsed > transaction.gas;
    const isSuccess = reason === undefined && !isShort;
    if (!isSuccess && executed.revert === undefined) executed.ledger.rollBack();
    const gasUsed = isShort ? transaction.gas : executed.gasUsed;
    const { changes, logs } = executed.ledger;
    const revertData = isShort ? '0x' : (reason?.data ?? '0x');
    transaction.mined = { height, index, isSuccess, gasUsed, revertData, logs: [...logs], changes: [...changes] };
    this.keys.count(transaction.from);
    this.keys.payGas(transaction, gasUsed);
    if (isSuccess && wallet !== undefined) this.wallets.setNonce(wallet.address, wallet.nonce + 1);
    this.#become(transaction, 'mined');
    this.#announce(executed.ledger);
    if (fate.reorg !== undefined) this.#reorganiseLater(transaction, transaction.mined, fate.reorg);
  }

  #walletRefusal({ wallet }: ChainTransaction): Revert | undefined {
    if (wallet === undefined) return undefined;
    if (wallet.nonce !== this.wallets.nonce(wallet.address)) return new Revert('InvalidNonce');
    const isLate = wallet.deadlineS <= Math.floor(this.engine.clock.now() / SECOND_MS);
    return isLate ? new Revert('DeadlinePassed') : undefined;
  }

  #announce({ changes }: ChainLedger): void {
    for (const { account, tokenId, micro } of changes) this.engine.balances.hide(account, tokenId, micro);
    for (const account of new Set(changes.map((change) => change.account)))
      this.engine.announcer.accountChanged(account);
  }

  /** Whether its key, or its wallet, has gone on since. */
  #isFollowed({ from, nonce, wallet }: ChainTransaction): boolean {
    if (wallet !== undefined && this.wallets.nonce(wallet.address) > wallet.nonce + 1) return true;
    return this.keys.nonce(from) !== nonce + 1;
  }

  /** One block later the chain has another history, if nothing of what the transaction gave has been used since. */
  #reorganiseLater(transaction: ChainTransaction, mined: MinedPart, after: 'mined again' | 'gone'): void {
    this.engine.clock.schedule(this.blocks.untilNextMs(), () => {
      const { balances } = this.engine;
      const isUsed = mined.changes.some(({ account, tokenId, micro }) => {
        const free = tokenId === '' ? balances.freeCash(account) : balances.freeTokens(account, tokenId);
        return micro > 0 && free < micro;
      });
      if (isUsed || this.#isFollowed(transaction)) return;
      this.blocks.fork(mined.height);
      for (const change of mined.changes) {
        book(this.engine, { ...change, micro: -change.micro });
        balances.hide(change.account, change.tokenId, -change.micro);
      }
      delete transaction.mined;
      delete transaction.fate;
      this.keys.uncount(transaction.from);
      if (mined.isSuccess && transaction.wallet !== undefined) {
        this.wallets.setNonce(transaction.wallet.address, transaction.wallet.nonce);
      }
      this.#become(transaction, after === 'gone' ? 'gone' : 'pending');
      if (after !== 'gone') this.pool.add(transaction);
      for (const { account } of mined.changes) this.engine.announcer.accountChanged(account);
      this.#scheduleBlock();
    });
  }

  #become(transaction: ChainTransaction, status: ChainTransaction['status']): void {
    transaction.status = status;
    this.#changed(transaction);
  }

  #changed(transaction: ChainTransaction): void {
    for (const listener of this.#listeners) listener.transactionChanged(transaction);
  }
}

/** An empty transaction in the place of another, which pays twice as much. */
function dearer(fields: TransactionFields): ChainTransaction {
  const fee = (price: Hex): Hex => `0x${(hexToBigInt(price) * WORTH_MORE).toString(16)}`;
  return {
    ...fields,
    hash: `0x${fields.hash.slice(2).split('').toReversed().join('')}`,
    to: fields.from,
    data: '0x',
    maxFeePerGas: fee(fields.maxFeePerGas),
    maxPriorityFeePerGas: fee(fields.maxPriorityFeePerGas),
    calls: [],
    status: 'pending',
  };
}
