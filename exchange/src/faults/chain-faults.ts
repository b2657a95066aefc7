import type { TakenTransactionFault } from '../chain/chain.ts';
import type { Faults } from './faults.ts';

const PAID_PART = 0.5;

/** What the fault switches decide about a transaction that the chain has taken. */
export function chainFaults(faults: Faults): () => TakenTransactionFault {
  return () => {
    const reverts = faults.strike('chain_revert');
    const stuck = faults.strike('chain_stuck');
    const reorg = faults.strike('chain_reorg');
    const without = faults.strike('chain_no_effect');
    const less = faults.strike('chain_pays_less');
    return {
      fate: {
        ...(reverts === undefined ? {} : { revert: reverts.reason ?? '' }),
        ...(faults.strike('chain_out_of_gas') === undefined ? {} : { outOfGas: true }),
        ...(without === undefined ? {} : { noEffect: without.call ?? ('all' as const) }),
        ...(less === undefined ? {} : { paidPart: less.fraction ?? PAID_PART }),
        ...(reorg === undefined
          ? {}
          : { reorg: reorg.recover === true ? ('mined again' as const) : ('gone' as const) }),
      },
      stuckMs: stuck === undefined ? undefined : (stuck.ms ?? null),
      isReplaced: faults.strike('chain_replaced') !== undefined,
    };
  };
}
