/**
 * The one transaction by which anything new is bought or split: what it rests on is read under locks, every gate is asked, and
 * rows, audit entry and notification are written together, with the orders signed and marked as sent where they can leave at once.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Assessment } from '@dutchbook/engine/desk/assess.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { isPreparationOld } from '@dutchbook/engine/order/age.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { SQLWrapper } from 'drizzle-orm';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import type { Buying, Decided, DecidedBy, Refused } from '../../../market/prices/trigger.ts';
import { insertOf, insertWith } from '../../../platform/database/many-rows.ts';
import type { Send } from '../../../platform/database/pipelined.ts';
import type { Intent } from '../../orders/record-batch.ts';
import { placedAction } from '../../orders/record-placed.ts';
import { attempts, batches, batchOrders } from '../../orders/table.ts';
import { reserveNew } from '../../under-way/reserve.ts';
import { desksOfAll } from '../../venue-desk/desks.ts';
import { mayStart, type StartedBatch, type StartedRows, signedStart } from '../fast-path/start-batch.ts';
import { askInputs, expectedInputs, type PlacingInputs, type Wanted } from './inputs.ts';
import { intentOf, plainRows } from './intent.ts';
import { changedMeanwhile, judge, refusalsOf, wantedFor } from './judge.ts';
import type { Carriers, PlacedRows, PlaceParts, PlacingRequest } from './request.ts';

/** A plan with the rows to record for it. `start`: its signed orders, where they can leave at once. */
type Prepared = { wanted: Assessment; intent: Intent; rows: PlacedRows; start: Start | null };
type Start = { writes: readonly SQLWrapper[]; started: StartedBatch };

/** Builds the placing request of a triggered opportunity, at the prices that triggered. */
export function triggeredBy(
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
  decidedAt: PlacingRequest['decidedAt'],
): PlacingRequest {
  const { currentPrice: quotedPrice } = opportunity;
  return { opportunity, quotes, size: null, quotedPrice, askedBy: null, split: null, decidedAt };
}

/**
 * Prepares and signs the placement while the database answers whether anything refuses it. Its orders leave once `end` is
 * called with a batch that has committed; what could not be started is left to the batch runner.
 */
export function openPlacing(parts: PlaceParts, carriers: Carriers, request: PlacingRequest): Buying {
  const { runtime, settings, desks } = parts;
  const { id } = request.opportunity;
  const fastPath = carriers.fastPath?.owns(id) && request.split === null ? carriers.fastPath : null;
  let release: ((started: StartedBatch | null) => void) | null = null;
  let started: StartedBatch | null = null;
  const over = request.askedBy === null ? fastPath?.triggers.begin() : undefined;
  const prepare = (wanted: Assessment) => prepared(parts, fastPath, request, wanted);
  const isArmed = () => desksOfAll(desks, request.quotes).every(({ controls }) => controls.current().armed);
  const mayBeSent = () => !settings.current().ORDER_SIMULATION_ENABLED && isArmed();

  async function decide(inputs: PlacingInputs, early: Promise<Prepared> | null): Promise<Decided | Refused> {
    if (request.askedBy === null && inputs.isAutomaticOff) return { refusals: [] };
    const changed = changedMeanwhile(parts, request, inputs);
    if (changed.length > 0) return { refusals: changed };
    const now = request.decidedAt();
    const assessed = judge(parts, request, inputs, now);
    const by = decidedBy(assessed, inputs, now);
    const refusals = refusalsOf(parts, request, assessed);
    if (refusals.length > 0) {
      runtime.log.info({ opportunityId: id, refusals }, 'placing refused');
      return { refusals, by };
    }
    const known = await early;
    const { intent, rows, start } = isStill(parts, known, assessed) ? known : await prepare(assessed);
    if (fastPath && start && mayStart(fastPath, rows.batch, start.started)) {
      release = fastPath.reserve(rows.batch.id);
      if (release !== null) started = start.started;
    }
    const { batch, calls, notification } = rows;
    const { orderSize, simulated } = batch;
    const { sizeBoundedBy } = intent;
    return {
      ...{ batchId: batch.id, simulated, size: orderSize, sizeBoundedBy, by },
      ...{ writes: start && started ? start.writes : rows.writes, calls, notifications: [notification] },
      action: placedAction({ ...batch, quotedPrice: intent.quotedPrice }),
      leavesAtOnce: started !== null,
    };
  }

  return {
    look: (send: Send) => {
      const inputs = askInputs(send, parts, lockedFor(wantedFor(parts, request), request));
      const early = mayBeSent() ? prepare(judge(parts, request, expectedInputs(parts), runtime.clock.now())) : null;
      // The rejection surfaces where `early` is awaited.
      early?.catch(() => {});
      return async () => await decide(await inputs(), early);
    },
    end: (batchId) => {
      if (batchId !== null) runtime.pass('batch_recorded');
      if (release !== null) release(batchId === null ? null : started);
      else if (batchId !== null) carriers.wake(batchId);
      over?.();
    },
  };
}

/** A trigger is recorded under a lock of its own, which finds an opportunity that was edited. */
function lockedFor(wanted: Wanted, { askedBy, clip }: PlacingRequest): Wanted {
  return { ...wanted, locks: askedBy === null && clip === undefined ? 'account' : 'opportunity' };
}

async function prepared(
  parts: PlaceParts,
  fastPath: Carriers['fastPath'],
  request: PlacingRequest,
  wanted: Assessment,
): Promise<Prepared> {
  const { runtime } = parts;
  const intent = intentOf(parts, request, wanted);
  if (wanted.split !== null && request.split !== null)
    return { wanted, intent, rows: request.split.rows(runtime, intent, wanted.split), start: null };
  const rows = plainRows(runtime, intent);
  const signed = fastPath && (await signedStart(fastPath, rows, marketsOf(wanted.quotes)));
  const start = signed && { writes: startedWrites(signed.rows), started: signed.started };
  return { wanted, intent, rows, start };
}

/** Whether what was prepared is what is decided on. */
function isStill(
  { runtime, settings }: PlaceParts,
  known: Prepared | null,
  { plan, value, split, sizeBoundedBy }: Assessment,
): known is Prepared {
  if (known === null || known.intent.settings !== settings.current()) return false;
  if (isPreparationOld(known.rows.batch.createdAt, runtime.clock.now())) return false;
  const { wanted } = known;
  const before = [wanted.plan, wanted.value, wanted.split, wanted.sizeBoundedBy];
  return isDeepStrictEqual([plan, value, split, sizeBoundedBy], before);
}

function decidedBy(
  { quotes, plan }: Assessment,
  { account, activeBatchId }: PlacingInputs,
  at: DecidedBy['at'],
): DecidedBy {
  return { at, account, activeBatchId, bookAges: quotes.map(({ bookAgeMs }) => bookAgeMs), orders: plan.orders };
}

function startedWrites({ batch, leaseExpiresAt, orders, attempts: sent }: StartedRows): SQLWrapper[] {
  return [
    insertWith(batches, [batch], batches.leaseExpiresAt, leaseExpiresAt),
    insertOf(batchOrders, orders),
    insertOf(attempts, sent),
    reserveNew({ batch, orders }, sent),
  ];
}

function marketsOf(quotes: readonly LiveQuote[]): ReadonlyMap<MarketId, Market> {
  return new Map(quotes.flatMap(({ marketId, market }) => (market === undefined ? [] : [[marketId, market]])));
}
