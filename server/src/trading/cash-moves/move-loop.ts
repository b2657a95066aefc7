/** Sends what was asked to be moved between pockets, each move once, and follows it until what both hold has proven it. One engine of all does. */
import {
  CALLED_WITHIN_MS,
  judgeCashMove,
  type PocketsOfMove,
  SENT_WITHIN_MS,
  whyNotMoved,
} from '@dutchbook/engine/ledger/cash-move.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Pocket } from '@dutchbook/venues/venue-pockets.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { spendableCash } from '../under-way/spendable.ts';
import type { Account } from '../venue-desk/account.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { endMove, type MoveRow, markSent, markTaken, noteReason, openMove } from './store.ts';

const FOLLOW_EVERY_MS = 1_000;
/** Orders that were on their way when the move was recorded have arrived by then, and those after it are held back. */
const SEND_AFTER_MS = 2_000;
/** Greatest age of the reading that later ones are compared with; one kept for want of an answer is older. */
const READ_WITHIN_MS = 1_000;
/** Greatest age of the cash by state of the move; an unknown move needs no extra reads. */
const CASH_AGE_MS = { recorded: 0, sent: 500, unknown: 5_000 };

export type MoveParts = {
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'pubsub' | 'log' | 'pass'>;
  desk: Pick<VenueDesk, 'name'> & {
    trading: Pick<VenueTrading, 'pockets'>;
    account: Pick<Account, 'refresh'>;
  };
};

type StartedParts = {
  runtime: Runtime;
  desk: Pick<VenueDesk, 'name' | 'trading' | 'account'>;
  partitions: Pick<Partitions, 'held' | 'onChange'>;
};

/** @returns what ends it */
export function startMovingCash({ runtime, desk, partitions }: StartedParts): () => Promise<void> {
  const { trading, name, account } = desk;
  if (trading?.pockets === undefined || !runtime.config.roles.has('engine')) return async () => {};
  const failures = openFailureLog(runtime.log, 'warn', 'cash moves not followed, repeated');
  const follow = openMoveLoop({ runtime, desk: { name, trading, account } });
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
export function openMoveLoop(parts: MoveParts): () => Promise<void> {
  const isShown = openIsShown(parts);
  return async () => {
    const move = await openMove(parts.runtime.db, parts.desk.name);
    if (move === null) return;
    if (move.status === 'recorded') await send(parts, move);
    else await follow(parts, move, await isShown(move));
  };
}

/** @returns whether what the venue says of the cash has passed the sending of a move; asked until it has. */
function openIsShown({ desk, runtime }: MoveParts): (move: MoveRow) => Promise<boolean> {
  let shownId: string | null = null;
  return async ({ id, sentAt }) => {
    if (id === shownId || sentAt === null) return sentAt !== null;
    if (await hasPassed(desk.trading, runtime, sentAt)) shownId = id;
    return id === shownId;
  };
}

async function hasPassed(
  { pockets }: Pick<VenueTrading, 'pockets'>,
  { log }: Pick<Runtime, 'log'>,
  at: Instant,
): Promise<boolean> {
  try {
    return (await pockets?.hasPassed(at)) ?? false;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    log.warn({ reason: error.message }, 'how far reads of cash are behind was not read');
    return false;
  }
}

async function send({ runtime, desk }: MoveParts, move: MoveRow): Promise<void> {
  const { db, clock } = runtime;
  const { pockets } = desk.trading;
  const startedAt = clock.now();
  const ageMs = elapsedMs(move.createdAt, startedAt);
  if (ageMs < SEND_AFTER_MS) return;
  // Another engine may have sent it meanwhile: what this one finds against it ends it only while it is not sent.
  const refuse = (reason: string) => end(runtime, move, { status: 'rejected', reason }, ['recorded']);
  if (ageMs >= SENT_WITHIN_MS) return await refuse('it could not be sent within two minutes: ask for it again');
  // Readings from then on include what earlier orders cost.
  if (!(await hasPassed(desk.trading, runtime, instantFromMs(move.createdAt + SEND_AFTER_MS)))) return;
  const [listed, reading] = await Promise.all([pockets?.list() ?? [], desk.account.refresh(CASH_AGE_MS.recorded)]);
  if (reading === null || elapsedMs(reading.at, startedAt) > READ_WITHIN_MS)
    throw new VenueUnavailable('the cash is not known');
  const spendable = await spendableCash(db, reading, { venue: move.venue });
  if (spendable === null || pockets?.move === undefined) return await refuse('there is no key that may move cash');
  // Dollars that running batches may still take stay in their pocket.
  const free = lessIn(reading, move.fromPocket, spendable);
  const [from, to] = [move.fromPocket, move.toPocket].map((name) => pocketBefore(name, listed, free));
  const why = whyNotMoved(move.amount, from, to);
  const before = pocketsIn(reading, move);
  if (why !== null || before === null) return await refuse(why ?? 'the cash of both shards is not known');
  const sentAt = clock.now();
  if (!(await markSent(db, move.id, sentAt, before))) return;
  runtime.pass('move_marked');
  // A person may have looked it up at the venue by now, and have asked for another.
  if (elapsedMs(sentAt, clock.now()) > CALLED_WITHIN_MS)
    return await end(runtime, move, { status: 'rejected', reason: 'it was not sent in time: ask for it again' }, SENT);
  const { fromPocket, toPocket, amount } = move;
  const outcome = await pockets.move({ from: fromPocket, to: toPocket, amount });
  runtime.pass('move_answered');
  if (outcome.kind === 'rejected') await end(runtime, move, { status: 'rejected', reason: outcome.reason }, SENT);
  else if (outcome.kind === 'taken') await markTaken(db, move.id);
  else await noteReason(db, move.id, outcome.reason);
}

/** An answer may come after it was judged. */
const SENT = ['sent', 'unknown'] as const;

function lessIn({ cash, pockets }: CashReading, name: string, spendable: CashReading['cash']): CashReading['pockets'] {
  const held = pockets?.get(name);
  return held === undefined ? pockets : new Map(pockets).set(name, addUsd(held, subtractUsd(spendable, cash)));
}

function pocketBefore(name: string, listed: readonly Pocket[], cash: CashReading['pockets']) {
  const pocket = listed.find((each) => each.name === name);
  return pocket && { name, takesMoves: pocket.takesMoves, cash: cash?.get(name) };
}

/** Null where the venue does not say what both hold. */
function pocketsIn({ pockets }: CashReading, { fromPocket, toPocket }: MoveRow): PocketsOfMove | null {
  const [from, to] = [pockets?.get(fromPocket), pockets?.get(toPocket)];
  return from === undefined || to === undefined ? null : { from, to };
}

async function follow({ runtime, desk }: MoveParts, move: MoveRow, isShown: boolean): Promise<void> {
  const { amount, isTaken, sentAt, fromBefore, toBefore } = move;
  if (sentAt === null || fromBefore === null || toBefore === null) return;
  const reading = await desk.account.refresh(CASH_AGE_MS[move.status === 'unknown' ? 'unknown' : 'sent']);
  const holdsOrders = move.status === 'sent';
  const sent = { amount, isTaken, holdsOrders, sentAt, before: { from: fromBefore, to: toBefore } };
  const now = !isShown || reading === null || reading.at < sentAt ? null : pocketsIn(reading, move);
  const verdict = judgeCashMove(sent, now, runtime.clock.now());
  if (verdict === 'made') await end(runtime, move, { status: 'done', reason: null }, [move.status]);
  else if (verdict === 'unknown' && move.status === 'sent')
    await end(runtime, move, { status: 'unknown', reason: move.reason ?? 'both shards do not show it' }, ['sent']);
}

async function end(
  runtime: MoveParts['runtime'],
  { id }: MoveRow,
  ended: Parameters<typeof endMove>[3],
  from: readonly MoveRow['status'][],
): Promise<void> {
  await runtime.db.transaction((tx) => endMove(tx, runtime, id, ended, from));
  runtime.pass('move_ended');
}
