/** Deposits and withdrawals, entered by themselves, once each, as the chain proves them. */
import { linesFromOutside } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { CashTransfer, TakenShares, VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { ledgerEntries } from './table.ts';
import type { Allowance } from './under-way.ts';

/**
 * `after`: the block up to which transfers were entered before; null where that was not known, and `cash` is then what the chain
 * has at `through`, so that they can be entered from there on once all agree.
 */
export type ChainReading = {
  after: number | null;
  through: number;
  transfers: readonly CashTransfer[];
  taken: readonly TakenShares[];
  cash: Usd | null;
};

/** Null where there is no chain, or it does not answer. */
export async function readChain(
  chain: Pick<VenueChain, 'balances' | 'transfers'> | null,
  after: number | null,
  log: Runtime['log'],
): Promise<ChainReading | null> {
  if (chain === null) return null;
  try {
    if (after !== null) return { after, ...(await chain.transfers(after)), cash: null };
    const { block, cash } = await chain.balances([]);
    return { after, through: block, transfers: [], taken: [], cash };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    log.warn({ reason: error.message }, 'transfers not read, the chain did not answer');
    return null;
  }
}

/**
 * What the venue pays is booked with the shares that it took, and not here.
 * @returns what those come to that may still be undone, and are not entered
 */
export async function postTransfers(
  tx: Db,
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
  read: readonly CashTransfer[],
): Promise<Allowance> {
  const transfers = read.filter(({ source }) => source !== 'payout');
  const settled = transfers.filter(({ isSettled }) => isSettled);
  const at = clock.now();
  const entries = settled.map(({ hash, amount }) => ({
    at,
    kind: amount > 0 ? ('deposit' as const) : ('withdrawal' as const),
    lines: linesFromOutside([{ unit: USD_UNIT, amount }]),
    transactionHash: hash,
  }));
  if (entries.length > 0) {
    await tx.insert(ledgerEntries).values(entries);
    log.info({ transactions: settled.map(({ hash }) => hash) }, 'transfers entered into the ledger');
  }
  const open = transfers.filter(({ isSettled }) => !isSettled).map(({ amount }) => amount);
  return {
    least: open.filter((amount) => amount < 0).reduce(addUsd, USD_ZERO),
    most: open.filter((amount) => amount > 0).reduce(addUsd, USD_ZERO),
  };
}
