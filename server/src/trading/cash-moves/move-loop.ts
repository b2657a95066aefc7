/** Sends what was asked to be moved between pockets, each move once, and follows it until what both hold has proven it. One engine of all does. */
import { judgeCashMove, type PocketsOfMove, whyNotMoved } from '@dutchbook/engine/ledger/cash-move.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import { type Pocket, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { Account } from '../venue-desk/account.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { endMove, type MoveRow, markSent, markTaken, noteReason, openMove } from './store.ts';

const FOLLOW_EVERY_MS = 1_000;
/** Orders that were on their way when the move was recorded have arrived by then, and those after it are held back. */
const SEND_AFTER_MS = 2_000;
/** Of a move that is not shown for long the cash is read as often as it is anyway. */
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
  return async () => {
    const move = await openMove(parts.runtime.db, parts.desk.name);
    if (move === null) return;
    if (move.status === 'recorded') await send(parts, move);
    else await follow(parts, move);
  };
}

async function send({ runtime, desk }: MoveParts, move: MoveRow): Promise<void> {
  const { db, clock } = runtime;
  const { pockets } = desk.trading;
  if (elapsedMs(move.createdAt, clock.now()) < SEND_AFTER_MS) return;
  const [listed, reading] = await Promise.all([pockets?.list() ?? [], desk.account.refresh(CASH_AGE_MS.recorded)]);
  if (reading === null) throw new VenueUnavailable('the cash is not known');
  const [from, to] = [move.fromPocket, move.toPocket].map((name) => pocketBefore(name, listed, reading));
  const why = pockets?.move === undefined ? 'there is no key that may move cash' : whyNotMoved(move.amount, from, to);
  const before = pocketsIn(reading, move);
  if (why !== null || before === null || pockets?.move === undefined) {
    await end(runtime, move, { status: 'rejected', reason: why ?? 'the cash of both shards is not known' });
    return;
  }
  if (!(await markSent(db, move.id, clock.now(), before))) return;
  runtime.pass('move_marked');
  const { fromPocket, toPocket, amount } = move;
  const outcome = await pockets.move({ from: fromPocket, to: toPocket, amount });
  runtime.pass('move_answered');
  if (outcome.kind === 'rejected') await end(runtime, move, { status: 'rejected', reason: outcome.reason });
  else if (outcome.kind === 'taken') await markTaken(db, move.id);
  else await noteReason(db, move.id, outcome.reason);
}

function pocketBefore(name: string, listed: readonly Pocket[], { pockets }: CashReading) {
  const pocket = listed.find((each) => each.name === name);
  return pocket && { name, takesMoves: pocket.takesMoves, cash: pockets?.get(name) };
}

/** Null where the venue does not say what both hold. */
function pocketsIn({ pockets }: CashReading, { fromPocket, toPocket }: MoveRow): PocketsOfMove | null {
  const [from, to] = [pockets?.get(fromPocket), pockets?.get(toPocket)];
  return from === undefined || to === undefined ? null : { from, to };
}

async function follow({ runtime, desk }: MoveParts, move: MoveRow): Promise<void> {
  const { amount, isTaken, sentAt, fromBefore, toBefore } = move;
  if (sentAt === null || fromBefore === null || toBefore === null) return;
  const reading = await desk.account.refresh(CASH_AGE_MS[move.status === 'unknown' ? 'unknown' : 'sent']);
  const sent = { amount, isTaken, sentAt, before: { from: fromBefore, to: toBefore } };
  const now = reading === null || reading.at < sentAt ? null : pocketsIn(reading, move);
  const verdict = judgeCashMove(sent, now, runtime.clock.now());
  if (verdict === 'made') await end(runtime, move, { status: 'done', reason: null });
  else if (verdict === 'unknown' && move.status === 'sent')
    await end(runtime, move, { status: 'unknown', reason: move.reason ?? 'both shards do not show it' });
}

async function end(
  runtime: MoveParts['runtime'],
  { id, status }: MoveRow,
  ended: Parameters<typeof endMove>[3],
): Promise<void> {
  const from: MoveRow['status'][] = status === 'recorded' ? ['recorded', 'sent'] : [status];
  await runtime.db.transaction((tx) => endMove(tx, runtime, id, ended, from));
  runtime.pass('move_ended');
}
