import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { cancelBatch, reconcileBatch, retryBatch } from '@dutchbook/contract/batches.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type Actor, recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { Placing, Quotes, TradingControls } from '../parts.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import { awaitRows } from '../world/await-rows.ts';
import type { Db, World } from '../world/world.ts';
import { type Bind, type IdempotentRequest, oncePerKey, requestUnderKey } from './idempotency.ts';
import { type Requested, requestCancel, requestRetry } from './intents.ts';
import { lookAtOrders } from './look.ts';
import { presentBatch } from './present.ts';
import { type BatchRow, readBatch, unfinishedBatchIds } from './store.ts';

export type ActionParts = {
  world: World;
  quotes: Pick<Quotes, 'current'>;
  controls: TradingControls;
  placing: Pick<Placing, 'wake'>;
};

const CANCEL_MAX_MS = 3000;

/** Retrying, canceling and reconciling a batch: each is recorded here and carried out by the placing loop. */
export function registerBatchActions(app: App, parts: ActionParts): void {
  const { world, controls } = parts;
  const viewer = { db: world.db, quotes: parts.quotes };

  route(app, retryBatch, async ({ params, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { call: retryBatch.path, ...params });
    const ifArmed: Ordered['request'] = async (tx, _world, batchId) => {
      // First of all: whoever disarms locks this before any batch.
      const isArmed = (await isArmedUntilEnd(tx, world.config.venueMode)) && controls.current().armed;
      const asked = await requestRetry(tx, world, batchId, true);
      if (asked?.kind !== 'requested' || isArmed) return asked;
      return { kind: 'refused', reason: 'Trading is disarmed.' };
    };
    const ordered = { key, actor, action: 'batch.retried' as const, request: ifArmed };
    return await order(parts, params.batch_id, ordered, async () =>
      presentBatch(viewer, await batchOr404(params.batch_id)),
    );
  });

  route(app, cancelBatch, async ({ params, user, actor, request }) => {
    const key = requestUnderKey({ user, request }, { call: cancelBatch.path, ...params });
    const ordered = { key, actor, action: 'batch.canceled' as const, request: requestCancel };
    return await order(parts, params.batch_id, ordered, async () => {
      const read = () => batchOr404(params.batch_id);
      const row = await awaitRows(world, CANCEL_MAX_MS, read, ({ status }) => !isActive(status));
      return await presentBatch(viewer, row);
    });
  });

  route(app, reconcileBatch, async ({ params }) => {
    const { id } = await batchOr404(params.batch_id);
    return await lookAtOrders(parts, await unfinishedBatchIds(world.db, { batchId: id }));
  });

  async function batchOr404(id: string): Promise<BatchRow> {
    const row = await readBatch(world.db, id);
    if (row === null) throw new NotFound('Batch not found');
    return row;
  }
}

type Ordered = {
  key: IdempotentRequest | null;
  actor: Actor;
  action: AuditAction;
  request: (tx: Db, world: World, batchId: string) => Promise<Requested | null>;
};

/** Records what is asked of a batch, once for each key, with its place in the audit log, calls the loop, and answers. */
async function order<Answer>(
  { world, placing }: ActionParts,
  batchId: string,
  { key, actor, action, request }: Ordered,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const perform = (bind: Bind) =>
    world.db.transaction(async (tx) => {
      const asked = await request(tx, world, batchId);
      if (asked === null) throw new NotFound('Batch not found');
      if (asked.kind === 'refused') throw new Conflict(asked.reason);
      const deed = { batchId, saleId: null };
      await bind(tx, world, deed);
      if (!asked.repeated) await recordAction(tx, world, actor, { action, object: batchId });
      return deed;
    });
  return await oncePerKey(world.db, key, perform, async () => {
    placing.wake(batchId);
    return await answer();
  });
}
