import type { SignOffKind } from '@dutchbook/contract/sign-offs.ts';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Guard } from '../../platform/http/app.ts';
import { Conflict, NotFound, Refusal } from '../../platform/http/errors.ts';
import { refuseUnlessAllowed } from '../../platform/http/route.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { isApiTokenLive } from '../api-tokens/store.ts';
import { readUser } from '../users/store.ts';
import type { Effect, Effects, OnBehalf } from './effects.ts';
import { endOf } from './standing.ts';
import { lockExpired, lockSignOff, readSignOff, type SignOffRow, updateSignOff } from './store.ts';

type Deciding = Pick<Runtime, 'config' | 'clock' | 'db'>;
type Call = { user: UserRow; actor: Actor; params: { sign_off_id: string } };

/** What only a superuser may ask for. */
const OF_SUPERUSERS: readonly SignOffKind[] = ['arm', 'limits', 'settings', 'practice_off'];

/** What changes settings locks them first of all. */
const OF_SETTINGS: readonly SignOffKind[] = ['settings', 'practice_off'];

/**
 * Carries out what another user has asked for, in the transaction that says so. @returns it `approved`, or `failed` with why
 * it was refused when it was judged anew. @throws Refusal where it may not be approved, or not any more
 */
export async function approve(
  runtime: Deciding,
  { effects, guard }: { effects: Effects; guard: Pick<Guard, 'isMissing'> },
  call: Call,
): Promise<SignOffRow> {
  const asked = found(await readSignOff(runtime.db, viewOf(runtime, call), call.params.sign_off_id));
  refuseDecision(runtime, asked, call);
  const effect = await effects[asked.kind](asked);
  const deciding = runtime.db.transaction(async (tx) => {
    if (OF_SETTINGS.includes(asked.kind)) await lock(tx, 'settings');
    // Whose approval it is, and whose request, stays as it is found here.
    await lock(tx, 'superusers');
    const row = found(await lockSignOff(tx, viewOf(runtime, call), asked.id));
    refuseDecision(runtime, row, call);
    const approver = await readUser(tx, call.user.id);
    if (!approver?.isActive) throw new Refusal(403, 'Could not validate credentials');
    refuseUnlessAllowed('superuser', approver);
    // First of all: nothing waits for a row of a user once the audit log is held.
    const approved = await updateSignOff(tx, row, { state: 'approved', ...deciderOf(runtime, call) });
    const carryOut = async (inner: Db) =>
      effect.carryOut(inner, await onBehalf(inner, runtime, guard, approved, call.actor));
    const outcome = await outcomeOf(tx, carryOut);
    const ended = await updateSignOff(tx, approved, outcome);
    const { kind, summary } = row;
    await recordAction(tx, runtime, call.actor, {
      action: outcome.state === 'failed' ? 'sign_off.failed' : 'sign_off.approved',
      object: row.id,
      after: { kind, summary, requested_by: row.requestedByEmail, outcome: outcome.outcome },
    });
    return ended;
  });
  const decided = await deciding.catch((error: unknown) => {
    effect.undone?.();
    throw error;
  });
  if (decided.state === 'approved') await effect.after();
  else effect.undone?.();
  return decided;
}

type Outcome = { state: 'approved' | 'failed'; outcome: string; batchId?: string };

async function outcomeOf(tx: Db, carryOut: (inner: Db) => ReturnType<Effect['carryOut']>): Promise<Outcome> {
  try {
    return { state: 'approved', ...(await tx.transaction(carryOut)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: 'failed', outcome: error.message };
  }
}

/** @throws Conflict when the requester, or the API token used, has lost the right to ask for it */
async function onBehalf(
  tx: Db,
  { clock }: Deciding,
  guard: Pick<Guard, 'isMissing'>,
  row: SignOffRow,
  approver: Actor,
): Promise<OnBehalf> {
  const requester = row.requestedBy === null ? null : await readUser(tx, row.requestedBy);
  const isAllowed = requester?.isActive && !requester.isViewer;
  if (!isAllowed || (OF_SUPERUSERS.includes(row.kind) && !requester.isSuperuser))
    throw new Conflict(`${row.requestedByEmail} may not do this any more.`);
  if (row.requesterEpoch !== null && row.requesterEpoch !== requester.signOffEpoch)
    throw new Conflict(`Password, rights or second factor of ${requester.email} were changed after it was asked for.`);
  if (row.tokenId !== null && !(await isApiTokenLive(tx, row.tokenId, clock.now())))
    throw new Conflict('The API token that it was asked for with is no longer good.');
  if (await guard.isMissing(requester))
    throw new Conflict(`${requester.email} has no second factor, which all users are asked for.`);
  const email = `${row.requestedByEmail}, signed off by ${approver.email}`;
  return { actor: { id: requester.id, email, address: approver.address }, user: { id: requester.id } };
}

export async function reject(runtime: Deciding, call: Call, reason: string): Promise<SignOffRow> {
  return await runtime.db.transaction(async (tx) => {
    const row = found(await lockSignOff(tx, viewOf(runtime, call), call.params.sign_off_id));
    refuseDecision(runtime, row, call);
    const rejected = await updateSignOff(tx, row, { state: 'rejected', reason, ...deciderOf(runtime, call) });
    const { kind, summary, requestedByEmail: requested_by } = row;
    const after = { kind, summary, requested_by, reason };
    await recordAction(tx, runtime, call.actor, { action: 'sign_off.rejected', object: row.id, after });
    return rejected;
  });
}

export async function withdraw(runtime: Deciding, call: Call): Promise<SignOffRow> {
  return await runtime.db.transaction(async (tx) => {
    const row = found(await lockSignOff(tx, viewOf(runtime, call), call.params.sign_off_id));
    if (row.requestedBy !== call.user.id)
      throw new Conflict('Only the person who asked for it can withdraw it: reject it.');
    refuseEnded(runtime, row);
    const withdrawn = await updateSignOff(tx, row, { state: 'withdrawn', ...deciderOf(runtime, call) });
    const { kind, summary } = row;
    await recordAction(tx, runtime, call.actor, {
      action: 'sign_off.withdrawn',
      object: row.id,
      after: { kind, summary },
    });
    return withdrawn;
  });
}

/** Writes down that the time of some is over. */
export async function expireSignOffs({ clock, db }: Pick<Runtime, 'clock' | 'db'>): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await lockExpired(tx, clock.now());
    for (const row of rows) await updateSignOff(tx, row, { state: 'expired' });
    for (const { id, kind, summary } of rows)
      await recordAction(tx, { clock }, THE_SYSTEM, {
        action: 'sign_off.expired',
        object: id,
        after: { kind, summary },
      });
  });
}

function viewOf({ config, clock }: Deciding, { user }: Call) {
  return { reader: user, venueMode: config.venueMode, now: clock.now() };
}

function deciderOf({ clock }: Deciding, { user, actor }: Call) {
  return { decidedBy: user.id, decidedByEmail: actor.email, decidedAt: clock.now() };
}

function refuseDecision(runtime: Deciding, row: SignOffRow, { user }: Call): void {
  if (row.requestedBy === user.id)
    throw new Conflict('You asked for this yourself: another superuser has to sign it off, and you can withdraw it.');
  refuseEnded(runtime, row);
}

/** @throws Conflict that says what has become of it */
function refuseEnded({ clock }: Deciding, row: SignOffRow): void {
  const ended = endOf(row, clock.now());
  if (ended !== null) throw new Conflict(ended);
}

function found(row: SignOffRow | null): SignOffRow {
  if (row === null) throw new NotFound('Sign-off not found');
  return row;
}
