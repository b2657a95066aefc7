import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { cancelBatch, finishSet, reconcileBatch, retryBatch } from '@dutchbook/contract/batches.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Soundness } from '@dutchbook/engine/risk/context.ts';
import { addUsd, type Usd } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { gateSettings } from '../../people/system-settings/in-units.ts';
import { recordAction } from '../../platform/audit/record.ts';
import { awaitRows } from '../../platform/database/await-rows.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import { answerHeld, batchSubject, stoppedBatch } from '../../platform/http/stops.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { KeptStop, Stop } from '../../platform/runtime/stops.ts';
import { retryTakes } from '../execution/placing/retry.ts';
import { requestRetry } from '../execution/request-retry.ts';
import { retryToSignOff, upToOf } from '../execution/signed-off-batches.ts';
import { loadBatch, positionsOf } from '../orders/batch-state.ts';
import { type BatchRow, readBatch, unfinishedBatchIds } from '../orders/batch-store.ts';
import type { Placing } from '../orders/intents.ts';
import { type Requested, requestCancel } from '../orders/intents.ts';
import { presentBatch } from '../orders/present-batch.ts';
import { batches } from '../orders/table.ts';
import { pollOrders } from '../orders/update-status.ts';
import { venuesOfBatch } from '../orders/venue-in.ts';
import { askedLately } from '../under-way/limit-use.ts';
import { areArmedAt, type Desks, type VenueDesk } from '../venue-desk/desks.ts';
import { type Bind, type IdempotentRequest, onceOrAsk, requestUnderKey } from './idempotency.ts';

export type ActionParts = {
  runtime: Runtime;
  quotes: Pick<Quotes, 'current'>;
  desks: Pick<Desks<Pick<VenueDesk, 'name' | 'controls'>>, 'all'>;
  placing: Pick<Placing, 'wake'>;
  /** Left out where nothing is signed off. */
  readiness?: () => Pick<Soundness, 'signOffAbove'>;
};

const CANCEL_MAX_MS = 3000;

/** Retrying, canceling and reconciling a batch: each is recorded here and carried out by the batch runner. */
export function registerBatchActions(app: App, parts: ActionParts): void {
  const { runtime, desks } = parts;
  const viewer = { db: runtime.db, quotes: parts.quotes };

  route(app, retryBatch, async ({ params: { batch_id: id }, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { call: retryBatch.path, batch_id: id });
    return await retry(id, { key, user, actor }, null);
  });

  route(app, finishSet, async ({ params: { batch_id: id }, query: { up_to_usd: upTo }, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { call: finishSet.path, batch_id: id, up_to_usd: upTo });
    return await retry(id, { key, user, actor }, upTo);
  });

  route(app, cancelBatch, async ({ params: { batch_id: id }, user, actor, request, reply }) => {
    const key = requestUnderKey({ user, request }, { call: cancelBatch.path, batch_id: id });
    const ordered = { key, user, actor, action: 'batch.canceled' as const, request: requestCancel };
    const onStops = { ...parts, runtime: { ...runtime, db: runtime.dbFor.stops } };
    const canceled = await runtime.stops.carryOut({
      ...{ action: 'batch.canceled', subject: batchSubject(id), askedAt: runtime.clock.now(), actor },
      store: () => order(onStops, id, ordered, async () => null),
      onStored: () => parts.placing.wake(id),
    });
    if (canceled.kind === 'held') return answerHeld(reply, 'This process buys nothing more of the batch', canceled);
    const row = await awaitRows(
      runtime,
      CANCEL_MAX_MS,
      () => batchOr404(id),
      ({ status }) => !isActive(status),
    );
    return await presentBatch(viewer, row);
  });

  route(app, reconcileBatch, async ({ params }) => {
    const { id } = await batchOr404(params.batch_id);
    return await pollOrders(parts, await unfinishedBatchIds(runtime.db, { batchId: id }));
  });

  async function retry(id: string, by: Pick<Ordered, 'key' | 'user' | 'actor'>, finishUpTo: Usd | null) {
    const ifArmed: Ordered['request'] = async (tx, _world, batchId) => {
      const above = parts.readiness?.().signOffAbove ?? null;
      // Under its lock on spending: of two requests at once, the later one reads what the earlier one recorded.
      const asked = await requestRetry(tx, runtime, batchId, by.user.id, finishUpTo);
      if (asked?.kind === 'requested' && above !== null)
        await refuseUnsigned(tx, parts, { batchId, userId: by.user.id, above });
      // A halt of this process may not be stored yet.
      if (asked?.kind !== 'requested' || areArmedAt(desks, await venuesOfBatch(tx, batchId))) return asked;
      return { kind: 'refused', reason: 'Trading is disarmed.' };
    };
    const ordered = { ...by, action: 'batch.retried' as const, request: ifArmed };
    return await order(parts, id, ordered, async () => presentBatch(viewer, await batchOr404(id)));
  }

  async function batchOr404(id: string): Promise<BatchRow> {
    const row = await readBatch(runtime.db, id);
    if (row === null) throw new NotFound('Batch not found');
    return row;
  }
}

/**
 * @throws SignOffNeeded where the retry would bring the batch to more than one person may spend. Where that cannot be told by the
 * prices that are followed here, the batch runner tells, and refuses it
 */
async function refuseUnsigned(
  tx: Db,
  { runtime, quotes }: ActionParts,
  { batchId, userId, above }: { batchId: string; userId: string; above: Usd },
): Promise<void> {
  const state = await loadBatch(tx, batchId);
  const takes = state && retryTakes(state, quotes.current(positionsOf(state)));
  if (!state || !takes) return;
  const { simulated, signedOff, settings } = state.batch;
  if (takes.total <= (signedOff ?? 0)) return;
  const at = runtime.clock.now();
  const lately = await askedLately(tx, { at, userId, simulated, exceptBatchId: batchId });
  if (addUsd(takes.total, lately) > above)
    throw retryToSignOff(state, { plan: takes.plan, upTo: upToOf(takes.total, gateSettings(settings).maxDeviation) });
  await tx.update(batches).set({ askedFor: takes.total }).where(eq(batches.id, batchId));
}

type Ordered = {
  key: IdempotentRequest | null;
  user: Pick<UserRow, 'id'>;
  actor: Actor;
  action: AuditAction;
  request: (tx: Db, runtime: Runtime, batchId: string) => Promise<Requested | null>;
};

/** Records what is asked of a batch, once for each key, with its place in the audit log, calls the loop, and answers. */
async function order<Answer>(
  { runtime, placing }: ActionParts,
  batchId: string,
  { key, user, actor, action, request }: Ordered,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const perform = (bind: Bind) =>
    runtime.db.transaction(async (tx) => await recordAsked(tx, runtime, batchId, { actor, action, request, bind }));
  return await onceOrAsk(runtime, { user, actor }, key, perform, async () => {
    placing.wake(batchId);
    return await answer();
  });
}

type Recording = Pick<Ordered, 'actor' | 'action' | 'request'> & { bind: Bind };

async function recordAsked(tx: Db, runtime: Runtime, batchId: string, { actor, action, request, bind }: Recording) {
  const asked = await request(tx, runtime, batchId);
  if (asked === null) throw new NotFound('Batch not found');
  if (asked.kind === 'refused') throw new Conflict(asked.reason);
  const recorded = { batchId, saleId: null };
  await bind(tx, runtime, recorded);
  if (!asked.repeated) await recordAction(tx, runtime, actor, { action, object: batchId });
  return recorded;
}

/** A cancelation that an earlier process kept. The sweep that begins after it takes the batch up. */
export function keptCancelation(runtime: Runtime, kept: KeptStop): Stop<unknown> {
  const recording = {
    actor: kept.actor,
    action: 'batch.canceled',
    request: requestCancel,
    bind: async () => {},
  } as const;
  return {
    ...kept,
    store: () =>
      runtime.dbFor.stops.transaction((tx) => recordAsked(tx, runtime, stoppedBatch(kept.subject), recording)),
  };
}
