/** Missing approvals on the chain that orders need: the venue itself reports only those of its exchange contracts. */
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { ChainApproval, VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

const READ_EVERY_MS = 30_000;

/** Names of contracts; none while that is not known. */
export type MissingApprovals = { current: () => readonly string[]; stop: () => void };

export function followApprovals(
  { timers, log }: Pick<Runtime, 'timers' | 'log'>,
  chain: Pick<VenueChain, 'approvals'> | null,
): MissingApprovals {
  if (chain === null) return { current: () => [], stop: () => {} };
  let missing: readonly string[] = [];
  const failures = openFailureLog(log, 'warn', 'approvals on chain not read');
  const read = async () => {
    try {
      missing = missingOf(await chain.approvals());
      failures.succeeded();
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      failures.failed(error);
    }
  };
  // Nothing waits for it: what is not known refuses no order.
  void read();
  return { current: () => missing, stop: timers.every(READ_EVERY_MS, read) };
}

/** Exchanges move shares as well, and are looked at for each order by what it takes. */
function missingOf(approvals: readonly ChainApproval[]): string[] {
  const trading = approvals.filter(({ purpose }) => purpose === 'trade');
  const exchanges = new Set(trading.filter(({ asset }) => asset === 'shares').map(({ contract }) => contract));
  return trading.filter(({ contract, amount }) => amount === 0 && !exchanges.has(contract)).map(({ name }) => name);
}
