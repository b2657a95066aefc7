/** Ends a run of paper trading once, and begins the next when all that the exchange did for it is in the books. One engine of all does. */
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import { isOfOurDollars } from '@dutchbook/units/ledger-kinds.ts';
import { formatUsd, type Usd, usdToText } from '@dutchbook/units/usd.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { inArray, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { Simulator } from '../../market/simulator/simulator.ts';
import { recordNotification } from '../../people/notifications/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { Conflict, Refusal } from '../../platform/http/errors.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { unbookedSubmissions } from '../chain-steps/store.ts';
import { type Balance, readBalances } from '../ledger/balances.ts';
import { lastCheck } from '../ledger/compare.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { isQuiet } from '../ledger/under-way.ts';
import { changeStartOver, openStartOver, type StartOverRow } from '../under-way/start-overs.ts';
import { startOvers } from '../under-way/table.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { readVenueMoves } from '../venue-moves/moves.ts';
import { PAPER_VENUE, whyNotAtRest } from './at-rest.ts';
import { bookClosed } from './book-closed.ts';

const FOLLOW_EVERY_MS = 2_000;
/** What has not come to rest by then, or is out of reach, is no matter of moments. */
const REST_WITHIN_MS = 600_000;

export type StartOverParts = {
  runtime: Runtime;
  chain: Pick<VenueChain, 'balances' | 'transfers'>;
};

type StartedParts = {
  runtime: Runtime;
  desk: Pick<VenueDesk, 'name' | 'chain'>;
  partitions: Pick<Partitions, 'held' | 'onChange'>;
};

/** @returns what stops it */
export function startStartingOver({ runtime, desk, partitions }: StartedParts): () => Promise<void> {
  const { chain } = desk;
  const { paper, roles } = runtime.config;
  if (paper === null || chain === null || !roles.has('engine')) return async () => {};
  const failures = openFailureLog(runtime.log, 'warn', 'start over not followed, repeated');
  const follow = openStartOverLoop({ runtime, chain });
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

const ended = z.object({ in: z.string(), out: z.nullable(z.string()) });

/** The exchange ends a run once, however often it is asked. */
async function endRun({ runtime, chain }: StartOverParts, row: StartOverRow): Promise<void> {
  const { db, clock, config } = runtime;
  const now = clock.now();
  const isAsked = row.fromBlock !== null;
  const isLate = elapsedMs(row.createdAt, now) >= REST_WITHIN_MS;
  const isQuietNow = await isQuiet(db, PAPER_VENUE, now);
  const why = (await whyNotAtRest(db, { isAsked })) ?? (isQuietNow ? null : 'The last trades are not a minute old.');
  // Once the exchange was asked it may have closed everything, whether or not its answer came.
  if (why !== null) return await wait(runtime, row, why, isLate && !isAsked);
  if (!isAsked) {
    const { block } = await chain.balances([]);
    // An engine that led before may have asked meanwhile.
    const fromBlock = sql<number>`coalesce(${startOvers.fromBlock}, ${block})`;
    await changeStartOver(db, row.id, 'recorded', { fromBlock });
  }
  const answer = await askedFor(config.polymarket.clobUrl, { run: row.id, cash: usdToText(row.cash) });
  if ('refusal' in answer) return await wait(runtime, row, answer.refusal, isLate && answer.isProven);
  runtime.pass('run_ended');
  const set = { status: 'ended', cameBy: answer.in, leftBy: answer.out, markedAt: now, reason: BOOKED_SOON } as const;
  await changeStartOver(db, row.id, 'recorded', set);
  runtime.pass('run_marked');
}

const BOOKED_SOON = 'The exchange has closed everything: its transactions are booked within minutes.';

/** `isProven`: the exchange has said that it closed nothing, now or before. */
type Refused = { refusal: string; isProven: boolean };

async function askedFor(url: string, body: object): Promise<z.output<typeof ended> | Refused> {
  try {
    return ended.parse(await new Simulator(url).post('end_run', body, 'cash'));
  } catch (error) {
    if (error instanceof Refusal) return { refusal: `${error.message}.`, isProven: error instanceof Conflict };
    throw error;
  }
}

/** One that waits for long, and of which nothing was closed, ends: trading cannot be armed before. */
async function wait(runtime: Runtime, row: StartOverRow, reason: string, isOver: boolean): Promise<void> {
  if (!isOver) {
    if (row.reason !== reason) await changeStartOver(runtime.db, row.id, 'recorded', { reason });
    return;
  }
  await runtime.db.transaction(async (tx) => {
    const set = { status: 'rejected', endedAt: runtime.clock.now(), reason } as const;
    if ((await changeStartOver(tx, row.id, 'recorded', set)) === null) return;
    await notify(tx, runtime, row, `The account did not start over, and nothing was closed: ${reason}`);
  });
}

async function bookEnd({ runtime, chain }: StartOverParts, row: StartOverRow): Promise<void> {
  await readVenueMoves(runtime, PAPER_VENUE, chain);
  await bookClosed(runtime, PAPER_VENUE, row.fromBlock ?? 0);
  const hasBegun = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    const balances = await readBalances(tx);
    if (!(await isAllBooked(tx, row, balances))) return false;
    const paidIn = -sumOf(balances, ({ account }) => account === 'outside' || account === 'unnamed');
    const earnedBefore = (sumOf(balances, ({ account }) => isOfOurDollars(account)) - paidIn) as Usd;
    const set = { status: 'done', endedAt: runtime.clock.now(), reason: null, earnedBefore } as const;
    if ((await changeStartOver(tx, row.id, 'ended', set)) === null) return false;
    await notify(tx, runtime, row, `A new run has begun with ${formatUsd(row.cash)}. Trading is disarmed.`);
    return true;
  });
  if (hasBegun) runtime.pass('run_begun');
}

/** Shares and dollars have left the books, the new dollars are in them, and they equal the exchange. */
async function isAllBooked(db: Db, { cameBy, leftBy }: StartOverRow, balances: readonly Balance[]): Promise<boolean> {
  if (balances.some(({ account, amount }) => account === 'shares' && amount > 0)) return false;
  if ((await unbookedSubmissions(db, PAPER_VENUE)).length > 0) return false;
  const hashes = [cameBy, leftBy].filter((hash) => hash !== null);
  if ((await db.$count(ledgerEntries, inArray(ledgerEntries.transactionHash, hashes))) < hashes.length) return false;
  const check = await lastCheck(db, PAPER_VENUE);
  const cash = sumOf(balances, ({ account }) => isOfOurDollars(account));
  return check !== null && check.differences.length === 0 && check.venueCash === cash;
}

function sumOf(balances: readonly Balance[], isMeant: (balance: Balance) => boolean): number {
  return balances
    .filter((balance) => balance.unit === USD_UNIT && isMeant(balance))
    .reduce((sum, { amount }) => sum + amount, 0);
}

async function notify(tx: Db, runtime: Runtime, { id }: StartOverRow, message: string): Promise<void> {
  const data = { start_over_id: id };
  await recordNotification(tx, runtime, { type: 'start_over', opportunityId: null, message, data });
}
