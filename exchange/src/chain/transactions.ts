import type { Hex } from 'viem';
import type { Call } from './contracts/call.ts';
import type { Change } from './contracts/ledger.ts';
import type { EncodedLog } from './contracts/logs.ts';

/** What a key has signed, with its amounts as the wire writes them. */
export interface TransactionFields {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: number;
  readonly gas: number;
  readonly maxFeePerGas: Hex;
  readonly maxPriorityFeePerGas: Hex;
  readonly value: Hex;
  readonly data: Hex;
  readonly type: 'legacy' | 'eip2930' | 'eip1559';
}

/** A transaction that the chain has taken. `gone`: another one had its nonce, or it fell out of the chain. */
export interface ChainTransaction extends TransactionFields {
  /** What it carries out, all or nothing; one call, unless a relayer sends it for a wallet. */
  readonly calls: readonly Call[];
  /** Whose signature the relayer carries: its wallet takes it once, at this nonce and before this time in seconds. */
  readonly wallet?: { readonly address: Hex; readonly nonce: number; readonly deadlineS: number };
  status: 'pending' | 'mined' | 'gone';
  /** Not mined although it could be, until the chain's time in milliseconds; null: until it is replaced. */
  stuckUntilMs?: number | null;
  /** What a fault does to it when it is mined. */
  fate?: TransactionFate;
  mined?: MinedPart;
}

export interface TransactionFate {
  readonly revert?: string;
  readonly outOfGas?: boolean;
  /** All of its calls, or the one at this place, succeed and change nothing. */
  readonly noEffect?: 'all' | number;
  /** The part of the dollars that contracts pay. */
  readonly paidPart?: number;
  readonly reorg?: 'mined again' | 'gone';
}

export interface MinedPart {
  readonly height: number;
  readonly index: number;
  readonly isSuccess: boolean;
  readonly gasUsed: number;
  readonly revertData: Hex;
  readonly logs: readonly EncodedLog[];
  readonly changes: readonly Change[];
}
