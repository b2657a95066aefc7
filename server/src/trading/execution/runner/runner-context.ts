/** What a process carries out batches with, and what the steps on one batch need of it. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { isSaleOutdated } from '@dutchbook/engine/order/age.ts';
import type { FoundRules, Soundness } from '@dutchbook/engine/risk/context.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import { batchSubject } from '../../../platform/http/stops.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../../platform/stream/stream-hub.ts';
import {
  attemptsOf,
  type BatchState,
  hasEnded,
  isFinalOrder,
  type OrderRecord,
  tradedSales,
} from '../../orders/batch-state.ts';
import { areArmed, type Desks } from '../../venue-desk/desks.ts';
import type { RoutedTrading } from '../../venue-desk/routed-trading.ts';
import type { TriggersFirst } from '../fast-path/triggers-first.ts';
import { judgeRetry } from '../placing/retry.ts';
import type { OrderPolls } from '../recovery/polls.ts';
import type { RestingHere } from './held-stops.ts';
import type { BatchPublisher } from './publish-batch.ts';
import { type Judged, reassess } from './reassess.ts';
import type { VenueLanes } from './venue-lanes.ts';
import type { StepTools } from './venue-steps.ts';

export type RunnerParts = {
  runtime: Runtime;
  catalogue: Pick<VenueCatalogue, 'marketsById'>;
  quotes: Quotes;
  stream: StreamHub;
  desks: Desks;
  settings: SystemSettings;
  found: () => FoundRules;
  soundness: () => Soundness;
};

/** The state of a process that carries out batches: its trading, the name of its leases, and its polls. */
export type RunnerContext = {
  parts: RunnerParts;
  trading: RoutedTrading;
  owner: string;
  polls: OrderPolls;
  publisher: BatchPublisher;
  triggers: TriggersFirst;
  placed: RestingHere;
};

/** What the steps on one batch need of the process that takes them. */
export function stepTools({ parts, trading, polls, publisher }: RunnerContext, lanes: VenueLanes): StepTools {
  const { runtime, catalogue, quotes, desks } = parts;
  return {
    runtime,
    trading,
    quotes,
    armed: (orders) => areArmed(desks, orders),
    mayBuy: (batchId, orders) => areArmed(desks, orders) && !runtime.stops.holds(batchSubject(batchId)),
    marketsById: (ids) => catalogue.marketsById(ids),
    isFirstUnreadable: polls.isFirstUnreadable,
    reportedGone: (attemptId) => polls.of(attemptId).reportedGone,
    judge: (state) => judged(parts, state),
    lanes,
    publish: publisher.publish,
  };
}

async function judged(parts: RunnerParts, state: BatchState): Promise<Judged> {
  const { batch } = state;
  if (!isActive(batch.status)) return { reasons: [], judgeAgain: async () => [] };
  // Of one that is bought in part already, what is missing is judged like that of a retry.
  if (batch.retryRequestedAt === null && !isBoughtInPart(state)) return await reassess(parts, state);
  const verdict = await judgeRetry(parts, state);
  if (verdict.kind === 'buy') return { reasons: [], judgeAgain: verdict.judgeAgain };
  const { reasons } = verdict;
  return { reasons, judgeAgain: async () => reasons };
}

/** Something was bought, and whatever was sent for it has ended. */
function isBoughtInPart(state: BatchState): boolean {
  const { orders } = state;
  const hasLeft = (order: OrderRecord) => attemptsOf(state, order.id).some(({ status }) => status !== 'prepared');
  return (
    orders.some(({ filledSize }) => filledSize > 0) &&
    orders.filter(hasLeft).every((order) => isFinalOrder(state, order))
  );
}

/** Sell orders of which nothing has left, and nothing may any more: a batch can have newer ones beside them. */
export function outdatedSales(state: BatchState, now: Instant): string[] {
  return tradedSales(state)
    .filter(({ id, createdAt }) => isSaleOutdated({ decidedAt: createdAt, attempts: attemptsOf(state, id) }, now))
    .filter((sale) => !hasEnded(state, sale))
    .map(({ id }) => id);
}

/** When the last sale was decided that is to fill at once; null where there is none. */
export function saleDecidedAt(state: BatchState): Instant | null {
  const decided = tradedSales(state).filter(({ waits }) => !waits);
  return decided.length === 0 ? null : (Math.max(...decided.map(({ createdAt }) => createdAt)) as Instant);
}
