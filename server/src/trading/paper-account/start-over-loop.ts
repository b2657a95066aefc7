/** Ends a run of paper trading once, and begins the next when all that the exchange did for it is in the books. One engine of all does. */
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { isOfOurDollars } from '@dutchbook/units/ledger-kinds.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { inArray } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { unbookedSubmissions } from '../chain-steps/store.ts';
import { type Balance, readBalances } from '../ledger/balances.ts';
import { lastCheck } from '../ledger/compare.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { changeStartOver, endAt, openStartOver, type StartOverRow } from '../under-way/start-overs.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { readVenueMoves } from '../venue-moves/moves.ts';
import { bookClosed } from './book-closed.ts';
import { endRun, notify, type StartOverParts } from './end-run.ts';

const FOLLOW_EVERY_MS = 2_000;

type StartedParts = {
  runtime: Runtime;
  desks: readonly Pick<VenueDesk, 'name' | 'moves'>[];
  partitions: Pick<Partitions, 'held' | 'onChange'>;
};

/** @returns what stops it */
export function startStartingOver({ runtime, desks, partitions }: StartedParts): () => Promise<void> {
  const { paper, roles } = runtime.config;
  const accounts = desks.flatMap(({ name: venue, moves }) => (moves === null ? [] : [{ venue, moves }]));
  if (paper === null || accounts.length === 0 || !roles.has('engine')) return async () => {};
  const failures = openFailureLog(runtime.log, 'warn', 'start over not followed, repeated');
  const follow = openStartOverLoop({ runtime, accounts });
  const work = oneAtATime(async () => {
    if (!isLeader(partitions)) return;
    try {
      await follow();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stops = [runtime.timers.every(FOLLOW_EVERY_MS, work), partitions.onChange(() => void work())];
  return async () => {
    for (const stop of stops) stop();
    await work.ended();
  };
}

/** @returns what does all that is due once. Throws VenueUnavailable. */
export function openStartOverLoop(parts: StartOverParts): () => Promise<void> {
  return async () => {
    const row = await openStartOver(parts.runtime.db);
    if (row?.status === 'recorded') await endRun(parts, row);
    else if (row?.status === 'ended') await bookEnd(parts, row);
  };
}

async function bookEnd({ runtime, accounts }: StartOverParts, row: StartOverRow): Promise<void> {
  const venues = accounts.map(({ venue }) => venue);
  for (const { venue, moves } of accounts) {
    await readVenueMoves(runtime, venue, moves);
    await bookClosed(runtime, venue, endAt(row, venue).from ?? 0);
  }
  const hasBegun = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    const balances = await readBalances(tx);
    if (!(await isAllBooked(tx, row, venues, balances))) return false;
    const paidIn = -sumOf(balances, ({ account }) => account === 'outside' || account === 'unnamed');
    const earnedBefore = (sumOf(balances, ({ account }) => isOfOurDollars(account)) - paidIn) as Usd;
    const set = { status: 'done', endedAt: runtime.clock.now(), reason: null, earnedBefore } as const;
    if ((await changeStartOver(tx, row.id, 'ended', set)) === null) return false;
    await notify(
      tx,
      runtime,
      row,
      `A new run has begun with ${formatUsd(row.cash)}${accounts.length > 1 ? ' at each venue' : ''}. Trading is disarmed.`,
    );
    return true;
  });
  if (hasBegun) runtime.pass('run_begun');
}

/** Shares and dollars have left the books, the new dollars are in them, and they equal the exchange. */
async function isAllBooked(
  db: Db,
  row: StartOverRow,
  venues: readonly VenueName[],
  balances: readonly Balance[],
): Promise<boolean> {
  if (balances.some(({ account, amount }) => account === 'shares' && amount > 0)) return false;
  let venueCash = 0;
  for (const venue of venues) {
    if ((await unbookedSubmissions(db, venue)).length > 0) return false;
    const { cameBy, leftBy } = endAt(row, venue);
    const hashes = [cameBy, leftBy].filter((hash) => hash !== null);
    if ((await db.$count(ledgerEntries, inArray(ledgerEntries.transactionHash, hashes))) < hashes.length) return false;
    const check = await lastCheck(db, venue);
    if (check === null || check.differences.length > 0) return false;
    venueCash += check.venueCash;
  }
  return venueCash === sumOf(balances, ({ account }) => isOfOurDollars(account));
}

function sumOf(balances: readonly Balance[], isMeant: (balance: Balance) => boolean): number {
  return balances
    .filter((balance) => balance.unit === USD_UNIT && isMeant(balance))
    .reduce((sum, { amount }) => sum + amount, 0);
}
