import type { Hex } from 'viem';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { Wallets } from '../wallets.ts';
import type { Call } from './call.ts';
import type { Conditions } from './conditions.ts';
import { carryOut } from './contracts.ts';
import { ChainLedger, Revert } from './ledger.ts';

const BASE_GAS = 21_000;
const GAS_OF_CALL = 80_000;
const GAS_OF_LOG = 12_000;
const GAS_OF_BYTE = 16;

export interface ExecutionParts {
  readonly engine: MatchingEngine;
  readonly conditions: Conditions;
  readonly wallets: Wallets;
}

export interface Executed {
  readonly ledger: ChainLedger;
  readonly gasUsed: number;
  /** What the last call returned. */
  readonly returned: Hex;
  /** Why all of it was taken back; undefined when it was done. */
  readonly revert: Revert | undefined;
}

/**
 * Carries out the calls one after the other, all of them or none. The caller commits, or rolls the ledger back.
 * @param paidPart of the dollars that contracts pay
 */
export function execute(
  calls: readonly Call[],
  { engine, conditions, wallets }: ExecutionParts,
  paidPart = 1,
): Executed {
  const ledger = new ChainLedger(engine, wallets, paidPart);
  let returned: Hex = '0x';
  try {
    for (const call of calls) returned = carryOut(call, { ledger, conditions });
    return { ledger, returned, gasUsed: gasOf(calls, ledger.logs.length), revert: undefined };
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    const gasUsed = gasOf(calls, ledger.logs.length);
    ledger.rollBack();
    return { ledger, returned: '0x', gasUsed, revert: error };
  }
}

function gasOf(calls: readonly Call[], logs: number): number {
  const bytes = calls.reduce((sum, { data }) => sum + data.length / 2 - 1, 0);
  return BASE_GAS + calls.length * GAS_OF_CALL + logs * GAS_OF_LOG + bytes * GAS_OF_BYTE;
}
