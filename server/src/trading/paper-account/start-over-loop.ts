/** Ends a run of paper trading once, and begins the next when all that the exchange did for it is in the books. One engine of all does. */
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { isOfOurDollars } from '@dutchbook/units/ledger-kinds.ts';
import { formatUsd, type Usd, usdToText } from '@dutchbook/units/usd.ts';
import { inArray } from 'drizzle-orm';
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
import { changeStartOver, endAt, noteEnd, openStartOver, type StartOverRow } from '../under-way/start-overs.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { ACCOUNT_CALLS, type MovesReader } from '../venue-desk/paper-moves.ts';
import { readVenueMoves } from '../venue-moves/moves.ts';
import { whyNotAtRest } from './at-rest.ts';
import { bookClosed } from './book-closed.ts';

const FOLLOW_EVERY_MS = 2_000;
/** What has not come to rest by then, or is out of reach, is no matter of moments. */
const REST_WITHIN_MS = 600_000;

/** An account on paper, and what says how its dollars come and go. */
type PaperAccount = { venue: VenueName; moves: MovesReader };

export type StartOverParts = { runtime: Runtime; accounts: readonly PaperAccount[] };

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

const ended = z.object({ in: z.string(), out: z.nullable(z.string()) });

/** The exchange ends a run at a venue once, however often it is asked. */
async function endRun({ runtime, accounts }: StartOverParts, row: StartOverRow): Promise<void> {
  const { db, clock } = runtime;
  const now = clock.now();
  const venues = accounts.map(({ venue }) => venue);
  const isAsked = venues.some((venue) => endAt(row, venue).from !== null);
  const isLate = elapsedMs(row.createdAt, now) >= REST_WITHIN_MS;
  const why = (await whyNotAtRest(db, venues, { isAsked })) ?? (await whyNotQuiet(db, venues, now));
  // Once the exchange was asked it may have closed everything, whether or not its answer came.
  if (why !== null) return await wait(runtime, row, why, isLate && !isAsked);
  const refusals: Refused[] = [];
  let last = row;
  for (const account of accounts) {
    if (endAt(last, account.venue).cameBy !== null) continue;
    const asked = await endAtVenue(runtime, last, account);
    if ('refusal' in asked) refusals.push(asked);
    else last = asked;
  }
  const [refused] = refusals;
  // What has ended at one venue ends at the others, however long they refuse it.
  const isProven = refusals.length === accounts.length && refusals.every((each) => each.isProven);
  if (refused !== undefined) return await wait(runtime, last, refused.refusal, isLate && isProven);
  runtime.pass('run_ended');
  await changeStartOver(db, row.id, 'recorded', { status: 'ended', markedAt: now, reason: BOOKED_SOON });
  runtime.pass('run_marked');
}

async function whyNotQuiet(db: Db, venues: readonly VenueName[], now: Instant): Promise<string | null> {
  const quiet = await Promise.all(venues.map((venue) => isQuiet(db, venue, now)));
  return quiet.every(Boolean) ? null : 'The last trades are not a minute old.';
}

/** @returns the row with what the exchange answered */
async function endAtVenue(
  runtime: Runtime,
  row: StartOverRow,
  { venue, moves }: PaperAccount,
): Promise<StartOverRow | Refused> {
  const { db, config } = runtime;
  const end = endAt(row, venue);
  if (end.from === null) await noteEnd(db, row.id, venue, { ...end, from: (await moves.balances([])).block });
  const { endRun: name } = ACCOUNT_CALLS[venue];
  const answer = await askedFor(config.polymarket.clobUrl, name, { run: row.id, cash: usdToText(row.cash) });
  if ('refusal' in answer) return answer;
  return (await noteEnd(db, row.id, venue, { from: null, cameBy: answer.in, leftBy: answer.out })) ?? row;
}

const BOOKED_SOON = 'The exchange has closed everything: its transactions are booked within minutes.';

/** `isProven`: the exchange has said that it closed nothing, now or before. */
type Refused = { refusal: string; isProven: boolean };

async function askedFor(url: string, name: string, body: object): Promise<z.output<typeof ended> | Refused> {
  try {
    return ended.parse(await new Simulator(url).post(name, body, 'cash'));
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

async function notify(tx: Db, runtime: Runtime, { id }: StartOverRow, message: string): Promise<void> {
  const data = { start_over_id: id };
  await recordNotification(tx, runtime, { type: 'start_over', opportunityId: null, message, data });
}
