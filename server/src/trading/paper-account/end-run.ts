/** Ends a run of paper trading at every venue, or at none: each is asked first whether it can. Until one has, the run may be given up ending. */
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { usdToText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { Simulator } from '../../market/simulator/simulator.ts';
import { recordNotification } from '../../people/notifications/record.ts';
import { Refusal } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { isQuiet } from '../ledger/under-way.ts';
import { changeStartOver, endAt, mayBeGivenUp, noteEnd, type StartOverRow } from '../under-way/start-overs.ts';
import { startOvers } from '../under-way/table.ts';
import { ACCOUNT_CALLS, type MovesReader } from '../venue-desk/paper-moves.ts';
import { whyNotAtRest } from './at-rest.ts';

/** An account on paper, and what says how its dollars come and go. */
type PaperAccount = { venue: VenueName; moves: MovesReader };

export type StartOverParts = { runtime: Runtime; accounts: readonly PaperAccount[] };

/** A run that cannot end within this time is given up, with the reason. */
const REST_WITHIN_MS = 600_000;
const BOOKED_SOON = 'The exchange has closed everything: its transactions are booked within minutes.';

/** The exchange ends a run at a venue once, however often it is asked. */
export async function endRun(parts: StartOverParts, row: StartOverRow): Promise<void> {
  const { runtime, accounts } = parts;
  const { db, clock } = runtime;
  const now = clock.now();
  if (row.givenUpBy !== null) return await giveUp(parts, row, `${row.givenUpBy} gave it up.`);
  const isLate = elapsedMs(row.createdAt, now) >= REST_WITHIN_MS;
  const waitFor = async (why: string, last = row) => {
    if (isLate && mayBeGivenUp(last)) return await giveUp(parts, last, why);
    if (row.reason !== why) await changeStartOver(db, row.id, 'recorded', { reason: why });
  };
  const venues = accounts.map(({ venue }) => venue);
  const isAsked = venues.some((venue) => endAt(row, venue).from !== null);
  const notAtRest = (await whyNotAtRest(db, venues, { isAsked })) ?? (await whyNotQuiet(db, venues, now));
  if (notAtRest !== null) return await waitFor(notAtRest);
  const checked = mayBeGivenUp(row) ? await checkAll(parts, row) : { row, refusals: [] };
  if (checked.refusals.length > 0 && mayBeGivenUp(checked.row))
    return await waitFor(checked.refusals.join(' '), checked.row);
  const ended = await endAll(parts, checked.row);
  if (ended.refusals.length > 0) return await waitFor(ended.refusals.join(' '), ended.row);
  runtime.pass('run_ended');
  await changeStartOver(db, row.id, 'recorded', { status: 'ended', markedAt: now, reason: BOOKED_SOON });
  runtime.pass('run_marked');
}

async function whyNotQuiet(db: Db, venues: readonly VenueName[], now: Instant): Promise<string | null> {
  const quiet = await Promise.all(venues.map((venue) => isQuiet(db, venue, now)));
  return quiet.every(Boolean) ? null : 'The last trades are not a minute old.';
}

type Asked = { row: StartOverRow; refusals: readonly string[] };

/** Asks every venue whether it could end the run. One may have ended it before, and its answer was lost. */
async function checkAll(parts: StartOverParts, row: StartOverRow): Promise<Asked> {
  return await eachVenue(parts, row, async (last, account) => await ask(parts, last, account, 'check'));
}

/** Once a run has ended at one venue, the others are asked until they end it too. */
async function endAll(parts: StartOverParts, row: StartOverRow): Promise<Asked> {
  return await eachVenue(parts, row, async (last, account) => {
    const { venue, moves } = account;
    const end = endAt(last, venue);
    // A venue may have been told to keep the run before the other turned out to have ended it.
    const step = mayBeGivenUp(last) ? undefined : 'go_on';
    if (end.from !== null) return await ask(parts, last, account, step);
    const from = (await moves.balances([])).block;
    const noted = await noteEnd(parts.runtime.db, last.id, venue, { ...end, from });
    return noted === null || noted.givenUpBy !== null ? 'It is given up.' : await ask(parts, noted, account, step);
  });
}

async function eachVenue(
  { accounts }: StartOverParts,
  row: StartOverRow,
  asked: (last: StartOverRow, account: PaperAccount) => Promise<StartOverRow | string>,
): Promise<Asked> {
  const refusals: string[] = [];
  let last = row;
  for (const account of accounts) {
    if (endAt(last, account.venue).cameBy !== null) continue;
    const answer = await asked(last, account);
    if (typeof answer === 'string') refusals.push(`${VENUE_LABELS[account.venue]}: ${answer}`);
    else last = answer;
  }
  return { row: last, refusals };
}

const ended = z.object({ in: z.nullable(z.string()), out: z.nullable(z.string()) });

/** @returns the row with what the exchange answered, or why it refuses */
async function ask(
  { runtime }: StartOverParts,
  row: StartOverRow,
  { venue }: PaperAccount,
  step?: 'check' | 'keep' | 'go_on',
): Promise<StartOverRow | string> {
  const { db, config } = runtime;
  const body = { run: row.id, cash: usdToText(row.cash), ...(step && { step }) };
  try {
    const answer = await new Simulator(config.polymarket.clobUrl).post(ACCOUNT_CALLS[venue].endRun, body, 'cash');
    const { in: cameBy, out: leftBy } = ended.parse(answer);
    return cameBy === null ? row : ((await noteEnd(db, row.id, venue, { from: null, cameBy, leftBy })) ?? row);
  } catch (error) {
    if (error instanceof Refusal) return `${error.message}.`;
    throw error;
  }
}

/**
 * The old run goes on as it was: every venue that was asked to end it keeps it, also from an end that is on its way. Where one has ended
 * it already the end goes on.
 */
async function giveUp(parts: StartOverParts, row: StartOverRow, reason: string): Promise<void> {
  const { runtime, accounts } = parts;
  const { db } = runtime;
  const wasAsked = accounts.filter(({ venue }) => endAt(row, venue).from !== null);
  const kept = await eachVenue({ ...parts, accounts: wasAsked }, row, async (last, account) => {
    return await ask(parts, last, account, 'keep');
  });
  if (!mayBeGivenUp(kept.row)) {
    const late = 'It was too late to give it up.';
    await changeStartOver(db, row.id, 'recorded', { givenUpBy: null, reason: late });
    return;
  }
  const [silent] = kept.refusals;
  if (silent !== undefined) {
    if (row.reason !== silent) await changeStartOver(db, row.id, 'recorded', { reason: silent });
    return;
  }
  await db.transaction(async (tx) => {
    const [now] = await tx.select().from(startOvers).where(eq(startOvers.id, row.id)).for('update');
    // Another engine may have asked a venue meanwhile.
    const isAskedSince = accounts.some(({ venue }) => now && endAt(now, venue).from !== endAt(row, venue).from);
    if (now === undefined || isAskedSince) return;
    const set = { status: 'rejected', endedAt: runtime.clock.now(), reason } as const;
    if ((await changeStartOver(tx, row.id, 'recorded', set)) === null) return;
    await notify(tx, runtime, row, `The account did not start over, and nothing was closed: ${reason}`);
  });
}

export async function notify(tx: Db, runtime: Runtime, { id }: StartOverRow, message: string): Promise<void> {
  const data = { start_over_id: id };
  await recordNotification(tx, runtime, { type: 'start_over', opportunityId: null, message, data });
}
