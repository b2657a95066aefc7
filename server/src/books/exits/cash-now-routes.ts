import { cashNowOfBatch, cashNowOfEvent } from '@dutchbook/contract/exits.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import { type IdempotentRequest, oncePerKey, requestUnderKey } from '../../trading/batches/idempotency.ts';
import {
  type CashNowDecision,
  type CashNowScope,
  DISARMED,
  decideCashNow,
  recordCashNow,
} from '../../trading/chain-steps/cash-now.ts';
import { type BatchRow, readBatch } from '../../trading/orders/batch-store.ts';
import { venuesOfBatch } from '../../trading/orders/venue-in.ts';
import { type ConvertingParts, convertingAt, type ExitCalls, submittedNow } from './exit-parts.ts';
import { highestGas } from './highest-gas.ts';
import { presentCashNow } from './present-plan.ts';
import { recordedSteps } from './recorded-steps.ts';

const NOTHING_TO_CONVERT = 'Nothing can be converted into dollars now: no complete set is settled and free.';

type Asked = { user: { id: string }; actor: Actor; key: IdempotentRequest | null; object: string };

/** Converting complete sets into dollars: each request is recorded here and carried out by the chain loop. */
export function registerCashNow(app: App, calls: ExitCalls): void {
  const { runtime } = calls;

  route(app, cashNowOfBatch, async ({ params: { batch_id }, query, body, user, actor, request }) => {
    const batch = await readBatch(runtime.db, batch_id);
    if (batch === null) throw new NotFound('Batch not found');
    const only = body?.order_ids ?? null;
    const named: CashNowScope['only'] = only === null ? null : ({ orderId }) => only.includes(orderId);
    const scope: CashNowScope = { lots: { batchId: batch_id }, only: named };
    const { venue } = query;
    const parts = convertingAt(calls, { venue, among: new Set(await venuesOfBatch(runtime.db, batch_id)) });
    const refusal = refusalOf(batch);
    if (query.simulate) return await simulated(parts, scope, refusal);
    const asked = { call: cashNowOfBatch.path, batch_id, only: only?.toSorted(), ...(venue && { venue }) };
    const key = requestUnderKey({ user, request }, asked);
    return await execute(parts, scope, refusal, { user, actor, key, object: batch_id });
  });

  route(app, cashNowOfEvent, async ({ params: { event_id }, query, user, actor, request }) => {
    const parts = convertingAt(calls, { among: new Set([venueOf(event_id)]) });
    const [event] = await parts.catalogue.eventsById([event_id], 'display');
    const marketIds = event?.members.map(({ marketId }) => marketId) ?? [event_id];
    const scope: CashNowScope = { lots: { marketIds }, only: null };
    if (query.simulate) return await simulated(parts, scope, null);
    const key = requestUnderKey({ user, request }, { call: cashNowOfEvent.path, event_id });
    return await execute(parts, scope, null, { user, actor, key, object: event_id });
  });

  async function simulated(parts: ConvertingParts, scope: CashNowScope, refusal: string | null) {
    const decision = await decideCashNow(parts, scope, 'display');
    const errors = [...(refusal === null ? [] : [refusal]), ...errorsOf(parts, decision)];
    const { submissions, later } = decision.plan;
    const highest_gas = await highestGas(parts.chain, submissions, submissions.length + later);
    return presentCashNow(decision, { errors, highest_gas });
  }

  async function execute(
    parts: ConvertingParts,
    scope: CashNowScope,
    refusal: string | null,
    { user, actor, key, object }: Asked,
  ) {
    const perform: Parameters<typeof oncePerKey>[2] = (bind) =>
      app.orderPriorities(user.id)(async (priority) => {
        if (refusal !== null) throw new Conflict(refusal);
        const decision = await decideCashNow(parts, scope, priority);
        const errors = errorsOf(parts, decision);
        if (errors.length > 0) throw new Conflict(errors.join(' '));
        const requestId = runtime.random.uuid();
        const recorded = { batchId: batchOf(decision) ?? requestId, saleId: requestId };
        const requested = { requestId, purpose: 'cash_now' as const, automatic: false, requestedBy: actor.email };
        const meanwhile = await recordCashNow(parts, decision, requested, async (tx) => {
          await bind(tx, runtime, recorded);
          const after = recordedSteps(decision.plan.submissions);
          await recordAction(tx, runtime, actor, { action: 'chain.cash_now', object, after });
        });
        if (meanwhile !== null) throw new Conflict(meanwhile);
        return recorded;
      });
    return await oncePerKey(runtime, key, perform, ({ saleId }) => submittedNow(parts, saleId ?? ''));
  }
}

/** Why the state of the batch refuses it: a sentence, or null. */
function refusalOf({ status, simulated }: BatchRow): string | null {
  const because = (why: string) => `The batch is ${status} and its shares cannot be converted into dollars: ${why}.`;
  if (simulated) return because('it is only simulated and holds none');
  return isActive(status) ? because('it must end or be canceled first') : null;
}

function errorsOf({ controls }: Pick<ConvertingParts, 'controls'>, { plan, quota }: CashNowDecision): string[] {
  const armed = controls.current().armed ? [] : [DISARMED];
  if (plan.submissions.length > 0) return armed;
  if (plan.isCut) return [...armed, `All ${quota?.allowed ?? 0} merges of the day are used.`];
  return [...armed, NOTHING_TO_CONVERT];
}

function batchOf({ plan }: CashNowDecision): string | undefined {
  return plan.submissions[0]?.[0]?.parts[0]?.lot.batchId;
}
