/** Buying what has come up to its trigger, in the transaction that records the trigger. */

import { isDeepStrictEqual } from 'node:util';
import { type Assessment, assess, type Planned, planned, sentences } from '@dutchbook/engine/desk/assess.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { isPreparationOld } from '@dutchbook/engine/order/age.ts';
import type { SQLWrapper } from 'drizzle-orm';
import type { OrderedInstants } from '../../../market/decision-journal/ordered-instants.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import { stillVerified } from '../../../market/prices/quotes/verified-quotes.ts';
import type { Buying, Decided, DecidedBy, Refused } from '../../../market/prices/trigger.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import { insertOf, insertWith } from '../../../platform/database/many-rows.ts';
import { placedNotification } from '../../orders/placed-notification.ts';
import { type BatchRows, batchRows, type Intent } from '../../orders/record-batch.ts';
import { placedAction } from '../../orders/record-placed.ts';
import { attempts, batches, batchOrders } from '../../orders/table.ts';
import { leftOf, tokensOf } from '../../practice/taken.ts';
import { intentOf, type PlaceParts, SWITCHED_MEANWHILE } from '../place-by-hand.ts';
import { type FastPath, mayStart, type StartedBatch, type StartedRows, signedStart } from './start-batch.ts';
import { askTriggerInputs, type TriggerInputs } from './trigger-inputs.ts';

/** `instants`: by which decisions are told apart from changes of the same millisecond. */
export type TriggerParts = PlaceParts & { instants: OrderedInstants };

/** `wake`: has the batch runner take up a batch that was recorded and not started. */
type Carriers = { fastPath: FastPath | null; wake: (batchId: string) => void };

/** What is recorded of a plan. `start`: its orders signed, where they can leave at once. */
type Prepared = { wanted: Planned; intent: Intent; rows: BatchRows; start: Start | null };
type Start = { writes: readonly SQLWrapper[]; started: StartedBatch };

/**
 * What the trigger calls for, at the prices that triggered. It is prepared while the database is asked whether anything refuses it. The
 * batch is started in the same transaction where it can be, and its orders leave as soon as that has committed.
 */
export function buyTriggered(
  parts: TriggerParts,
  { fastPath, wake }: Carriers,
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
): Buying {
  let release: ((started: StartedBatch | null) => void) | null = null;
  let started: StartedBatch | null = null;
  const over = fastPath?.triggers.begin();
  const prepare = (wanted: Planned) => prepared(parts, fastPath, opportunity, wanted);
  async function decide(inputs: TriggerInputs, early: Promise<Prepared> | null): Promise<Decided | Refused> {
    const assessed = assessTriggered(parts, opportunity, quotes, inputs);
    if ('refusals' in assessed) return assessed;
    const known = await early;
    const { intent, rows, start } = isStill(parts, known, assessed) ? known : await prepare(assessed);
    if (fastPath && start && mayStart(fastPath, rows)) {
      release = fastPath.reserve(rows.batch.id);
      if (release !== null) started = start.started;
    }
    const writes = start && started ? start.writes : unstarted(rows);
    return { ...decided(rows, writes, [placedNotification(rows.batch.id, intent)]), by: assessed.by };
  }
  return {
    look: (send) => {
      const inputs = askTriggerInputs(send, parts, opportunity.id, tokensOf(quotes));
      const early = mayBeSent(parts) ? prepare(planned(asPlanned(parts, opportunity, quotes))) : null;
      // The rejection surfaces where `early` is awaited.
      early?.catch(() => {});
      return async () => await decide(await inputs(), early);
    },
    end: (batchId) => {
      if (release !== null) release(batchId === null ? null : started);
      else if (batchId !== null) wake(batchId);
      over?.();
    },
  };
}

function mayBeSent({ settings, readiness }: TriggerParts): boolean {
  return !settings.current().ORDER_SIMULATION_ENABLED && readiness().armed;
}

function asPlanned(
  { settings, quotes: books }: TriggerParts,
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
) {
  return { opportunity, quotes: stillVerified(books, quotes), size: null, settings: deskSettings(settings.current()) };
}

async function prepared(
  parts: TriggerParts,
  fastPath: FastPath | null,
  opportunity: StoredOpportunity,
  wanted: Planned,
): Promise<Prepared> {
  const intent = intentOf(parts, opportunity, wanted, {
    quotedPrice: opportunity.currentPrice,
    automatic: true,
    createdBy: null,
  });
  const rows = batchRows(parts.runtime, intent);
  const signed = fastPath && (await signedStart(fastPath, rows, marketsOf(wanted.quotes)));
  return {
    ...{ wanted, intent, rows },
    start: signed && { writes: startedWrites(signed.rows), started: signed.started },
  };
}

/** Whether what was prepared is what is decided on. */
function isStill(
  { runtime, settings }: TriggerParts,
  known: Prepared | null,
  { plan, value }: Planned,
): known is Prepared {
  if (known === null || known.intent.settings !== settings.current()) return false;
  if (isPreparationOld(known.rows.batch.createdAt, runtime.clock.now())) return false;
  return isDeepStrictEqual([plan, value], [known.wanted.plan, known.wanted.value]);
}

/** The plan, or what refuses it. */
function assessTriggered(
  parts: TriggerParts,
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
  { isAutomaticOff, isSwitched, activeBatchId, account, taken }: TriggerInputs,
): (Assessment & { by: DecidedBy }) | Refused {
  if (isAutomaticOff) return { refusals: [] };
  if (isSwitched) return { refusals: [SWITCHED_MEANWHILE] };
  const { runtime, instants } = parts;
  const now = instants.ofDecision();
  const assessed = assess({
    ...asPlanned(parts, opportunity, leftOf(quotes, taken)),
    opportunity,
    quotedPrice: opportunity.currentPrice,
    automatic: true,
    now,
    activeBatchId,
    ...account,
  });
  const bookAges = assessed.quotes.map(({ bookAgeMs }) => bookAgeMs);
  const by: DecidedBy = { at: now, account, activeBatchId, bookAges, orders: assessed.plan.orders };
  if (assessed.blockers.length === 0) return { ...assessed, by };
  const refusals = sentences(assessed.blockers);
  runtime.log.info({ opportunityId: opportunity.id, refusals }, 'trigger refused');
  return { refusals, by };
}

function decided({ batch }: BatchRows, writes: Decided['writes'], notifications: Decided['notifications']): Decided {
  const { id, opportunityId, orderSize, simulated, quotedPrice = null } = batch;
  return {
    batchId: id,
    simulated,
    size: orderSize,
    writes,
    notifications,
    action: placedAction({ id, opportunityId, orderSize, quotedPrice }),
  };
}

function unstarted({ batch, orders }: BatchRows): SQLWrapper[] {
  return [insertOf(batches, [batch]), insertOf(batchOrders, orders)];
}

function startedWrites({ batch, leaseExpiresAt, orders, attempts: sent }: StartedRows): SQLWrapper[] {
  return [
    insertWith(batches, batch, batches.leaseExpiresAt, leaseExpiresAt),
    insertOf(batchOrders, orders),
    insertOf(attempts, sent),
  ];
}

function marketsOf(quotes: readonly LiveQuote[]): ReadonlyMap<string, Market> {
  return new Map(quotes.flatMap(({ marketId, market }) => (market === undefined ? [] : [[marketId, market]])));
}
