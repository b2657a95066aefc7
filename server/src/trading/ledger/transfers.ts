/** Dollars that come and go, entered by themselves, once each, as the chain proves them and by who sent them. */
import { linesFromOutside, linesOfArrival } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { venueOfCash } from '@dutchbook/units/ledger-kinds.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { CashTransfer, TakenShares, VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { sql } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
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
 * Enters transfers by their sender. The venue's payouts are booked with the shares that it took, not here. Runs last in its transaction.
 * @returns the sum of those that may still be undone, and are not entered
 */
export async function postTransfers(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'log' | 'random' | 'pubsub'>,
  venue: VenueName,
  read: readonly CashTransfer[],
): Promise<Allowance> {
  const transfers = read.filter(({ source }) => source !== 'payout');
  const final = transfers.filter(({ isFinal }) => isFinal);
  const at = runtime.clock.now();
  const entries = final.map(({ hash, amount, source, party }) => ({
    ...{ at, transactionHash: hash, ...kindOf(source, amount, venue) },
    sender: amount > 0 ? party : null,
  }));
  if (entries.length > 0) await enter(tx, runtime, entries);
  const open = transfers.filter(({ isFinal }) => !isFinal).map(({ amount }) => amount);
  return {
    least: open.filter((amount) => amount < 0).reduce(addUsd, USD_ZERO),
    most: open.filter((amount) => amount > 0).reduce(addUsd, USD_ZERO),
  };
}

function kindOf(source: CashTransfer['source'], amount: Usd, venue: VenueName) {
  if (amount < 0) return { kind: 'withdrawal' as const, lines: linesFromOutside([{ unit: USD_UNIT, amount }], venue) };
  const kind = source === null || source === 'payout' ? 'unknown' : source;
  return { kind, lines: linesOfArrival(kind, amount, venue) };
}

type NewEntry = typeof ledgerEntries.$inferInsert;

/** @returns their ids, in order */
async function enter(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'log' | 'random' | 'pubsub'>,
  entries: readonly NewEntry[],
): Promise<number[]> {
  const rows = await tx
    .insert(ledgerEntries)
    .values([...entries])
    .returning({ id: ledgerEntries.id });
  runtime.log.info(
    { transactions: entries.map((entry) => entry.transactionHash) },
    'transfers entered into the ledger',
  );
  for (const [place, { kind, lines, sender, transactionHash }] of entries.entries()) {
    const usd = lines.find(({ account }) => venueOfCash(account) !== null)?.amount ?? 0;
    if (kind !== 'unknown') continue;
    const message = `${formatUsd(usd as Usd)} came to the account from ${sender ?? 'several addresses'}, which is neither a deposit nor known to be the venue's. A superuser says on the Ledger page what they are.`;
    const data = {
      entry_id: rows[place]?.id ?? null,
      usd: usdToNumber(usd as Usd),
      sender: sender ?? null,
      transaction_hash: transactionHash ?? null,
    };
    await recordNotification(tx, runtime, { type: 'unknown_dollars', opportunityId: null, message, data });
  }
  return rows.map(({ id }) => id);
}

/** Dollars of a contract of the venue that no shares have explained for so long are entered as unknown. */
const STRAY_AFTER_MS = 360_000;

/** Only as much as the venue has more than the ledger: what was entered otherwise is not entered again. */
export async function postStrayPayouts(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'log' | 'random' | 'pubsub'>,
  venue: VenueName,
  beyondLedger: number,
): Promise<void> {
  const at = runtime.clock.now();
  const until = new Date(at - STRAY_AFTER_MS).toISOString();
  // A bare table name: the reader of these moves imports this folder.
  const { rows } = (await tx.execute(sql`select hash, cash::text, sender from venue_moves
    where venue = ${venue} and submission_id is null and entry_id is null and shares = '{}' and cash > 0 and seen_at <= ${until}
      and not exists (select from ledger_entries e where e.transaction_hash = venue_moves.hash)
    order by block, hash limit 100`)) as unknown as { rows: { hash: string; cash: string; sender: string | null }[] };
  let left = beyondLedger;
  for (const { hash, cash, sender } of rows) {
    if (Number(cash) > left) continue;
    left -= Number(cash);
    const lines = linesOfArrival('unknown', Number(cash), venue);
    const [id] = await enter(tx, runtime, [{ at, kind: 'unknown', lines, transactionHash: hash, sender }]);
    await tx.execute(sql`update venue_moves set entry_id = ${id} where hash = ${hash}`);
  }
}
