/** Buying what has come up to its trigger, in the transaction that records the trigger. */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { defaultOrderSize, planPlacement } from '@dutchbook/engine/order/plan.ts';
import type { OrderRequest, VenueTrading } from '@dutchbook/venues/venue.ts';
import { insertOf, insertWith } from '../../database/many-rows.ts';
import type { OrderedMoments } from '../../decision-facts/ordered-moments.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import { placedNews } from '../../orders/placed-notification.ts';
import { type BatchRows, batchRows } from '../../orders/record-batch.ts';
import { placedAction } from '../../orders/record-placed.ts';
import { attempts, batches, batchOrders } from '../../orders/table.ts';
import type { LiveQuote } from '../../parts.ts';
import { stillVerified } from '../../prices/quotes/verified-quotes.ts';
import type { Buying, Decided, DecidedBy, Refused } from '../../prices/trigger.ts';
import { orderMinimums } from '../../system-settings/in-units.ts';
import { type Assessment, assess, sentences } from '../assess.ts';
import { intentOf, type PlaceParts } from '../place-by-hand.ts';
import { signEarly } from './sign-early.ts';
import { type FastPath, type StartedBatch, type StartedRows, startBatch } from './start-batch.ts';
import { askFacts, type TriggerFacts } from './trigger-facts.ts';

/** `moments`: by which decisions are told apart from changes of the same millisecond. */
export type TriggerParts = PlaceParts & { moments: OrderedMoments };

/** `wake`: has the batch runner take up a batch that was recorded and not started. */
type Carriers = { fastPath: FastPath | null; wake: (batchId: string) => void };

/**
 * What the trigger calls for, at the prices that triggered. The batch is started in the same transaction where it can be, and
 * its orders leave as soon as that has committed.
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
  async function decide(facts: TriggerFacts, sign: VenueTrading['signOrder'] | null): Promise<Decided | Refused> {
    const assessed = assessTriggered(parts, opportunity, quotes, facts);
    if ('refusals' in assessed) return assessed;
    const intent = intentOf(parts, opportunity, assessed, {
      quotedPrice: opportunity.currentPrice,
      automatic: true,
      createdBy: null,
    });
    const rows = batchRows(parts.runtime, intent);
    const signed = fastPath && sign && (await startBatch(fastPath, sign, rows, marketsOf(quotes)));
    if (signed) {
      release = fastPath.reserve(rows.batch.id);
      if (release !== null) started = signed.started;
    }
    const startedRows = started && signed ? signed.rows : null;
    return { ...decided(rows, startedRows, [placedNews(rows.batch.id, intent)]), by: assessed.by };
  }
  return {
    look: (send) => {
      const facts = askFacts(send, parts, opportunity.id);
      const sign = fastPath && signEarly(fastPath.trading.signOrder, expectedOrders(parts, opportunity, quotes));
      return async () => await decide(await facts(), sign);
    },
    end: (batchId) => {
      if (release !== null) release(batchId === null ? null : started);
      else if (batchId !== null) wake(batchId);
      over?.();
    },
  };
}

/** What is bought if nothing refuses it. */
function expectedOrders(
  { settings, readiness }: TriggerParts,
  { targetPrice }: StoredOpportunity,
  quotes: readonly LiveQuote[],
): OrderRequest[] {
  const inForce = settings.current();
  if (inForce.ORDER_SIMULATION_ENABLED || !readiness().armed) return [];
  const plan = planPlacement(quotes, defaultOrderSize(quotes, orderMinimums(inForce)), targetPrice);
  const markets = marketsOf(quotes);
  return plan.orders.flatMap(({ tokenId, marketId, side, size, limitPrice: price }) => {
    const market = markets.get(marketId);
    return market === undefined ? [] : [{ tokenId, market, side, price, size, remainder: 'rest' }];
  });
}

/** The plan, or what refuses it. */
function assessTriggered(
  { runtime, settings, moments, quotes: books }: TriggerParts,
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
  { isAutomaticOff, activeBatchId, account }: TriggerFacts,
): (Assessment & { by: DecidedBy }) | Refused {
  if (isAutomaticOff) return { refusals: [] };
  const now = moments.ofDecision();
  const assessed = assess({
    opportunity,
    quotes: stillVerified(books, quotes),
    size: null,
    quotedPrice: opportunity.currentPrice,
    automatic: true,
    settings: settings.current(),
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

function decided({ batch, orders }: BatchRows, started: StartedRows | null, news: Decided['news']): Decided {
  const { id, opportunityId, orderSize, simulated, quotedPrice = null } = batch;
  return {
    batchId: id,
    simulated,
    size: orderSize,
    writes: [
      started === null
        ? insertOf(batches, [batch])
        : insertWith(batches, started.batch, batches.leaseExpiresAt, started.leaseExpiresAt),
      insertOf(batchOrders, started?.orders ?? orders),
      ...(started === null ? [] : [insertOf(attempts, started.attempts)]),
    ],
    news,
    action: placedAction({ id, opportunityId, orderSize, quotedPrice }),
  };
}

function marketsOf(quotes: readonly LiveQuote[]): ReadonlyMap<string, Market> {
  return new Map(quotes.flatMap(({ marketId, market }) => (market === undefined ? [] : [[marketId, market]])));
}
