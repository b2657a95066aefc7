import { type Abi, type DecodeFunctionDataReturnType, decodeFunctionData, encodeFunctionResult, type Hex } from 'viem';
import type { Conditions } from './conditions.ts';
import { type ChainLedger, Revert } from './ledger.ts';

/** A call of one contract by a key or a wallet. */
export interface Call {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
}

export interface CallWorld {
  readonly ledger: ChainLedger;
  readonly conditions: Conditions;
}

/** Answers a call, with what it returns; undefined for a selector that it has not. */
export type Contract = (call: Call, world: CallWorld) => Hex | undefined;

/** The call's function and arguments under an ABI; undefined for another selector. @throws Revert for calldata cut short */
export function decodeCall<const A extends Abi>(abi: A, data: Hex): DecodeFunctionDataReturnType<A> | undefined {
  const selectorUnknown = 'AbiFunctionSignatureNotFoundError';
  try {
    return decodeFunctionData({ abi, data });
  } catch (error) {
    if (error instanceof Error && error.name === selectorUnknown) return undefined;
    throw new Revert('');
  }
}

/** A returned value as the ABI lays it out. */
export function returned(abi: Abi, functionName: string, result: unknown): Hex {
  return encodeFunctionResult({ abi, functionName, result } as never);
}

const HIGHEST_MICRO = BigInt(Number.MAX_SAFE_INTEGER);

/** An amount in millionths that a wallet could hold. @throws Revert for more than any wallet has */
export function microOf(amount: bigint): number {
  if (amount > HIGHEST_MICRO) throw new Revert('SafeMath: subtraction overflow');
  return Number(amount);
}
