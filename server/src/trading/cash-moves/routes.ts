import * as contract from '@dutchbook/contract/accounts/cash-moves.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Pockets } from '@dutchbook/venues/venue-pockets.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { type Call, route, routeRead } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type Account, CASH_MAX_AGE_MS } from '../venue-desk/account.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { endMove, listMoves, type MoveRow, presentMove, readMove } from './store.ts';
import { cashMoves } from './table.ts';

type Desk = Pick<VenueDesk, 'name'> & {
  trading: Pick<VenueTrading, 'pockets'> | null;
  account: Pick<Account, 'refresh'>;
};
type Parts = { runtime: Runtime; desks: { all: readonly Desk[] } };

const NO_KEY = 'No key of this desk may move cash: set KALSHI_TRANSFER_KEY_ID, or move it on the pages of the venue.';

export function registerCashMoves(app: App, { runtime, desks }: Parts): void {
  const { db, dbFor, clock } = runtime;
  route(app, contract.readCashPockets, async () => {
    const read = desks.all.map((desk) => pocketsAt(desk));
    return { venues: (await Promise.all(read)).filter((each) => each !== null) };
  });

  routeRead(app, contract.listCashMoves, ({ query }) => listMoves(dbFor.lists, query));

  route(app, contract.moveCash, async ({ body, actor }) => {
    const known = await readMove(db, body.id);
    if (known !== null) return presentSame(known, body);
    const { venue, from_pocket: fromPocket, to_pocket: toPocket, amount_usd: amount } = body;
    const pockets = desks.all.find(({ name }) => name === venue)?.trading?.pockets;
    if (pockets === undefined) throw new Conflict(`All cash at ${VENUE_LABELS[venue]} lies in one place.`);
    if (pockets.move === undefined) throw new Conflict(NO_KEY);
    if (Number(fromPocket) === Number(toPocket)) throw new Conflict('Choose two different shards.');
    return await db.transaction(async (tx) => {
      const [row] = await tx
        .insert(cashMoves)
        .values({
          ...{ id: body.id, venue, fromPocket, toPocket, amount, status: 'recorded' },
          ...{ requestedBy: actor.email ?? '', createdAt: clock.now() },
        })
        .onConflictDoNothing()
        .returning();
      if (row === undefined) {
        // A call beside this one has recorded a move meanwhile: either this move, or a different one.
        const same = await readMove(tx, body.id);
        if (same !== null) return presentSame(same, body);
        throw new Conflict(`Another move at ${VENUE_LABELS[venue]} has not ended.`);
      }
      const after = { amount: formatUsd(amount), from: fromPocket, to: toPocket };
      await recordAction(tx, runtime, actor, { action: 'cash.moved', object: venue, after });
      return presentMove(row);
    });
  });

  route(app, contract.closeCashMove, async ({ params, body: { was_made: wasMade }, actor }) =>
    db.transaction(async (tx) => {
      const ended = {
        status: wasMade ? ('done' as const) : ('rejected' as const),
        reason: `${actor.email} has looked it up at the venue`,
      };
      const row = await endMove(tx, runtime, params.cash_move_id, ended, ['unknown']);
      if (row === null) {
        if ((await readMove(tx, params.cash_move_id)) === null) throw new NotFound('Cash move not found');
        throw new Conflict('What became of it is known.');
      }
      const after = { amount: formatUsd(row.amount), was_made: wasMade };
      await recordAction(tx, runtime, actor, { action: 'cash.stated', object: row.venue, after });
      return presentMove(row);
    }),
  );
}

type Body = Call<never, never, typeof contract.moveCash.body>['body'];

function presentSame(row: MoveRow, { venue, from_pocket, to_pocket, amount_usd }: Body): contract.CashMove {
  const isSame =
    row.venue === venue && row.fromPocket === from_pocket && row.toPocket === to_pocket && row.amount === amount_usd;
  if (!isSame) throw new Conflict('The id was used for another move.');
  return presentMove(row);
}

type PocketsAt = contract.CashPockets['venues'][number];

/** Null where cash lies in one place. */
async function pocketsAt({ name, trading, account }: Desk): Promise<PocketsAt | null> {
  if (trading?.pockets === undefined) return null;
  const [listed, reading] = await Promise.all([listOrNone(trading.pockets), account.refresh(CASH_MAX_AGE_MS.display)]);
  return {
    venue: name,
    move_refusal: trading.pockets.move === undefined ? NO_KEY : null,
    pockets: listed.map(({ name: of, description, trades, takesMoves, targetPercent }) => ({
      ...{ name: of, description, trades, takes_moves: takesMoves, target_percent: targetPercent },
      free_usd: reading?.pockets?.get(of) ?? null,
    })),
  };
}

/** A venue that does not answer names none. */
async function listOrNone(pockets: Pockets) {
  try {
    return await pockets.list();
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return [];
  }
}
