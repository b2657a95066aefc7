import { eq } from 'drizzle-orm';
import { readOpportunity } from '../../market/opportunities/store.ts';
import type { Effect, Effects } from '../../people/sign-offs/effects.ts';
import type { SignOffRow } from '../../people/sign-offs/store.ts';
import { recordAction } from '../../platform/audit/record.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { splitRowsFor } from '../chain-steps/split-rows.ts';
import { preparePlacing } from '../execution/placing/by-hand.ts';
import type { Carriers, PlaceParts } from '../execution/placing/request.ts';
import { requestRetry } from '../execution/request-retry.ts';
import { batchChangedSince, signedBatch } from '../execution/signed-off-batches.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { batches } from '../orders/table.ts';
import { areArmed } from '../venue-desk/desks.ts';

type Parts = PlaceParts & { placing: Carriers };

/** Carries out the sign-off of a batch: it is placed, or retried, as if its requester did it now. */
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
  const opportunity = await readOpportunity(parts.runtime.db, asked.opportunity_id);
  if (opportunity === null) return refused('The opportunity was deleted.');
  if (requestedBy === null) return refused('The account of the person who asked is gone.');
  const prepared = await preparePlacing(parts, parts.placing, {
    ...{ opportunity, size: asked.order_size, quotedPrice: asked.quoted_price, wayIn: asked.way_in ?? undefined },
    ...{ userId: requestedBy, signedOff: { upTo: asked.up_to_usd, atLeast: asked.at_least_usd, seen: asked.seen } },
    splitRows: splitRowsFor(requestedByEmail),
  });
  if ('refusals' in prepared) return refused(prepared.refusals.join(' '));
  const effect: Effect = {
    carryOut: async (tx, { actor }) => {
      const placed = await prepared.record(tx, actor);
      if (placed.kind === 'refused') throw new Conflict(placed.reasons.join(' '));
      return { outcome: 'The batch is placed.', batchId: placed.batchId };
    },
    after: () => prepared.end(true),
    undone: () => prepared.end(false),
  };
  return effect;
}

function retrySignedOff(
  { runtime, desks, placing }: Parts,
  { batch_id: batchId, up_to_usd: upTo, finish_up_to_usd: finishUpTo, seen }: Retried,
): Effect {
  return {
    carryOut: async (tx, { actor, user }) => {
      const asked = await requestRetry(tx, runtime, batchId, user.id, finishUpTo ?? null);
      if (asked === null) throw new Conflict('The batch is gone.');
      if (asked.kind === 'refused') throw new Conflict(asked.reason);
      const state = await loadBatch(tx, batchId);
      const changed = state && batchChangedSince(seen, state);
      if (changed !== null) throw new Conflict(changed);
      if (state !== null && !areArmed(desks, state.orders)) throw new Conflict('Trading is disarmed.');
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
