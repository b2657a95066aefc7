import { type Hex, numberToHex, slice } from 'viem';
import { hashId, uuidOf } from '../../catalogue/ids.ts';
import type { Faults } from '../../faults/faults.ts';
import { type Chain, CONFIRMATIONS } from '../chain.ts';
import type { Call } from '../contracts/call.ts';
import { isContract } from '../contracts/contracts.ts';
import { BASE_FEE, BLOCK_GAS_LIMIT, PRIORITY_FEE } from '../keys.ts';
import { type Counted, isMerging, quotaSeconds, rateLimitedSeconds } from './quota.ts';
import { submissionSigner } from './signatures.ts';
import { type SubmitBody, type WalletType, walletOf } from './submission.ts';
import { walletCalls } from './wallet-calls.ts';

/** How long a submission lies before it is sent to the chain. */
const SENT_AFTER_MS = 500;
const KEPT_MAX = 10_000;
const SECOND_MS = 1_000;
/** A Safe's transaction does not expire. */
const NEVER_S = Number.MAX_SAFE_INTEGER;

export type RelayedState =
  | 'STATE_NEW'
  | 'STATE_EXECUTED'
  | 'STATE_MINED'
  | 'STATE_CONFIRMED'
  | 'STATE_FAILED'
  | 'STATE_INVALID';

/** A submission that was taken. */
export interface Relayed extends Counted {
  readonly id: string;
  readonly type: WalletType;
  readonly wallet: Hex;
  readonly to: Hex;
  readonly nonce: number;
  readonly deadlineS: number;
  readonly calls: readonly Call[];
  readonly signature: Hex;
  readonly metadata: string;
  /** Of the transaction that carries it; empty until it is sent. */
  hash: Hex | '';
  /** Its time was over, or its nonce taken, before it was sent. */
  isInvalid: boolean;
  /** Taken and given up, with these words: its nonce stays unused. */
  readonly givenUp?: string;
}

/** Why a submission was not taken. */
export interface Refusal {
  readonly status: 400 | 401 | 429;
  readonly error: string;
}

/** Sends transactions for wallets that are contracts, and pays their gas. */
export class Relayer {
  readonly #chain: Chain;
  readonly #faults: Faults;
  readonly #relayed = new Map<string, Relayed>();
  /** Published of every change, for a journal. */
  onChange: (relayed: Relayed) => void = () => {};

  constructor(chain: Chain, faults: Faults) {
    this.#chain = chain;
    this.#faults = faults;
  }

  get(id: string): Relayed | undefined {
    return this.#relayed.get(id);
  }

  /** Newest first. */
  of(owner: string): Relayed[] {
    return [...this.#relayed.values()].filter(({ from }) => from === owner.toLowerCase()).reverse();
  }

  /** How many transactions the wallet has carried out. */
  nonce(wallet: Hex): number {
    return this.#chain.wallets.nonce(wallet);
  }

  /** The owner's wallet of a type, if one has been seen. */
  walletOf(owner: Hex, type: string): Hex | undefined {
    return this.of(owner).find((one) => one.type === type)?.wallet ?? this.#chain.wallets.of(owner);
  }

  submit(body: SubmitBody): Relayed | Refusal {
    const signer = submissionSigner(body);
    if (signer?.toLowerCase() !== body.from.toLowerCase()) return { status: 400, error: 'invalid signature' };
    const calls = walletCalls(body);
    if (calls === undefined) return { status: 400, error: 'invalid calldata' };
    const relayed = this.#relayedOf(body, calls);
    const refusal = this.#refusalOf(relayed);
    if (refusal !== undefined) return refusal;
    this.#chain.wallets.own(relayed.wallet, body.from);
    const givesUp = this.#faults.strike('relayer_gives_up');
    if (givesUp !== undefined) {
      const givenUp = { ...relayed, givenUp: givesUp.reason ?? '' };
      this.#keep(givenUp);
      return givenUp;
    }
    this.#keep(relayed);
    this.#sendLater(relayed, SENT_AFTER_MS);
    return relayed;
  }

  stateOf({ isInvalid, hash, givenUp }: Relayed): RelayedState {
    if (givenUp !== undefined) return 'STATE_FAILED';
    if (isInvalid) return 'STATE_INVALID';
    if (hash === '') return 'STATE_NEW';
    const transaction = this.#chain.pool.get(hash);
    if (transaction === undefined || transaction.status === 'gone') return 'STATE_FAILED';
    const { mined } = transaction;
    if (mined === undefined) return 'STATE_EXECUTED';
    if (!mined.isSuccess) return 'STATE_FAILED';
    return this.#chain.blocks.height() >= mined.height + CONFIRMATIONS ? 'STATE_CONFIRMED' : 'STATE_MINED';
  }

  /** Takes back a submission of the journal. */
  restore(relayed: Relayed): void {
    this.#relayed.set(relayed.id, relayed);
    if (relayed.hash === '' && !relayed.isInvalid && relayed.givenUp === undefined) this.#sendLater(relayed, 0);
  }

  #relayedOf(body: SubmitBody, calls: readonly Call[]): Relayed {
    const atMs = this.#chain.engine.clock.now();
    return {
      id: uuidOf(hashId('relayed', body.signature, atMs, this.#relayed.size)),
      type: body.type,
      from: body.from.toLowerCase(),
      wallet: walletOf(body),
      to: body.to,
      nonce: Number(body.nonce),
      deadlineS: body.type === 'WALLET' ? Number(body.depositWalletParams.deadline) : NEVER_S,
      calls,
      signature: body.signature,
      metadata: body.metadata,
      atMs,
      isMerge: isMerging(calls),
      hash: '',
      isInvalid: false,
    };
  }

  #refusalOf({ from, wallet, nonce, deadlineS, calls, isMerge, atMs }: Relayed): Refusal | undefined {
    const counted = [...this.#relayed.values()];
    const waitS = rateLimitedSeconds(from, atMs, counted);
    if (waitS !== undefined) return { status: 429, error: `rate limit exceeded: resets in ${waitS} seconds` };
    const quotaS = this.#faultyQuota() ?? (isMerge ? quotaSeconds(from, atMs, counted) : undefined);
    if (quotaS !== undefined)
      return { status: 429, error: `quota exceeded: 0 units remaining, resets in ${quotaS} seconds` };
    const blocked =
      this.#faults.strike('relayer_call_blocked') === undefined ? calls.find(({ to }) => !isContract(to)) : calls[0];
    if (blocked !== undefined) return { status: 400, error: `call blocked: call to ${blocked.to} is not allowed` };
    const owner = this.#chain.wallets.ownerOf(wallet).toLowerCase();
    if (owner !== from && this.#chain.wallets.isDeployed(wallet))
      return { status: 400, error: 'wallet is not owned by signer' };
    if (deadlineS * SECOND_MS <= atMs) return { status: 400, error: 'deadline has passed' };
    const waiting = counted.filter(
      (one) => one.wallet === wallet && ['STATE_NEW', 'STATE_EXECUTED'].includes(this.stateOf(one)),
    );
    const current = this.nonce(wallet);
    if (nonce >= current && nonce <= current + waiting.length) return undefined;
    return { status: 400, error: `invalid nonce: expected ${current}, got ${nonce}` };
  }

  #faultyQuota(): number | undefined {
    const fault = this.#faults.strike('relayer_quota');
    return fault && Math.ceil((fault.ms ?? SECOND_MS) / SECOND_MS);
  }

  #sendLater(relayed: Relayed, delayMs: number): void {
    this.#chain.engine.clock.schedule(delayMs, () => {
      const { wallet, nonce, deadlineS, calls, signature, to } = relayed;
      relayed.isInvalid = deadlineS * SECOND_MS <= this.#chain.engine.clock.now() || nonce < this.nonce(wallet);
      if (!relayed.isInvalid) {
        // A key for each wallet, so that one whose transaction is stuck holds up no other.
        const from = slice(hashId('relayer', wallet), 12);
        relayed.hash = hashId('relayed', relayed.id);
        const fees = { maxFeePerGas: numberToHex(BASE_FEE * 2n), maxPriorityFeePerGas: numberToHex(PRIORITY_FEE) };
        const nonceOfKey = this.#chain.keys.pendingNonce(from, this.#chain.pool);
        const fields = {
          hash: relayed.hash,
          from,
          to,
          nonce: nonceOfKey,
          gas: BLOCK_GAS_LIMIT,
          value: '0x0',
          ...fees,
        } as const;
        this.#chain.relay({ ...fields, data: signature, type: 'eip1559' }, calls, {
          address: wallet,
          nonce,
          deadlineS,
        });
      }
      this.onChange(relayed);
    });
  }

  #keep(relayed: Relayed): void {
    this.#relayed.set(relayed.id, relayed);
    const [oldest] = this.#relayed.keys();
    if (this.#relayed.size > KEPT_MAX && oldest !== undefined) this.#relayed.delete(oldest);
    this.onChange(relayed);
  }
}
