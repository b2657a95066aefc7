import { eq } from 'drizzle-orm';
import { readOpportunity } from '../../market/opportunities/store.ts';
import type { Effect, Effects } from '../../people/sign-offs/effects.ts';
import type { SignOffRow } from '../../people/sign-offs/store.ts';
import { recordAction } from '../../platform/audit/record.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { recordSplit } from '../chain-steps/record-split.ts';
import { judgePlacing, type PlaceParts, type RecordOrder } from '../execution/place-by-hand.ts';
import { requestRetry } from '../execution/request-retry.ts';
import { batchChangedSince, signedBatch } from '../execution/signed-off-batches.ts';
import { loadBatch } from '../orders/batch-state.ts';
import type { Placing } from '../orders/intents.ts';
import { recordBatch } from '../orders/record-batch.ts';
import { recordPlaced } from '../orders/record-placed.ts';
import { batches } from '../orders/table.ts';

type Parts = PlaceParts & { placing: Pick<Placing, 'wake'> };

/** What the sign-off of a batch does: it is placed, or retried, like one that its requester places now. */
export function batchSignedOff(parts: Parts): Effects['batch'] {
  return (signOff) => {
    const asked = signedBatch(signOff.call);
    return 'retry' in asked ? retrySignedOff(parts, asked.retry) : placingSignedOff(parts, signOff, asked.placing);
  };
}

type SignedBatch = ReturnType<typeof signedBatch>;
type Placed = Extract<SignedBatch, { placing: unknown }>['placing'];
type Retried = Extract<SignedBatch, { retry: unknown }>['retry'];

async function placingSignedOff(parts: Parts, { requestedBy, requestedByEmail }: SignOffRow, asked: Placed) {
  const { runtime, placing } = parts;
  const opportunity = await readOpportunity(runtime.db, asked.opportunity_id);
  if (opportunity === null) return refused('The opportunity was deleted.');
  if (requestedBy === null) return refused('The account of the person who asked is gone.');
  const request = {
    ...{ size: asked.order_size, quotedPrice: asked.quoted_price, wayIn: asked.way_in ?? undefined },
    ...{ userId: requestedBy, signedOff: { upTo: asked.up_to_usd, atLeast: asked.at_least_usd, seen: asked.seen } },
  };
  const record: RecordOrder = (tx, intent, split) =>
    split === null ? recordBatch(tx, runtime, intent) : recordSplit(tx, runtime, requestedByEmail, intent, split);
  const judged = await judgePlacing(parts, opportunity, request, record);
  if (judged.kind === 'refused') return refused(judged.reasons.join(' '));
  let batchId: string | null = null;
  const effect: Effect = {
    carryOut: async (tx, { actor }) => {
      const placed = await judged.place(tx);
      if (placed.kind === 'refused') throw new Conflict(placed.reasons.join(' '));
      batchId = placed.batchId;
      await recordPlaced(tx, runtime, actor, placed.batchId);
      return { outcome: 'The batch is placed.', batchId: placed.batchId };
    },
    after: () => {
      if (batchId !== null) placing.wake(batchId);
      runtime.pass('batch_recorded');
    },
  };
  return effect;
}

function retrySignedOff(
  { runtime, controls, placing }: Parts,
  { batch_id: batchId, up_to_usd: upTo, seen }: Retried,
): Effect {
  return {
    carryOut: async (tx, { actor, user }) => {
      const asked = await requestRetry(tx, runtime, batchId, user.id);
      if (asked === null) throw new Conflict('The batch is gone.');
      if (asked.kind === 'refused') throw new Conflict(asked.reason);
      const state = await loadBatch(tx, batchId);
      const changed = state && batchChangedSince(seen, state);
      if (changed !== null) throw new Conflict(changed);
      if (!controls.current().armed) throw new Conflict('Trading is disarmed.');
      await tx.update(batches).set({ signedOff: upTo, askedFor: upTo }).where(eq(batches.id, batchId));
      await recordAction(tx, runtime, actor, { action: 'batch.retried', object: batchId });
      return { outcome: 'The batch is being retried.' };
    },
    after: () => placing.wake(batchId),
  };
}

function refused(reason: string): Effect {
  return {
    carryOut: () => Promise.reject(new Conflict(reason)),
    after: () => {},
  };
}
