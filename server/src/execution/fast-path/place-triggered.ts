/** Buying what has come up to its trigger, in the transaction that records the trigger. */

import type { Market } from '@dutchbook/engine/market/market.ts';
import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { fromJsonOf, type JsonRow } from '../../database/json-rows.ts';
import { lock } from '../../database/locks.ts';
import type { AccountFact } from '../../decision-facts/facts.ts';
import type { OrderedMoments } from '../../decision-facts/ordered-moments.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import { activeBatches } from '../../orders/batch-store.ts';
import { limitsInUse } from '../../orders/limit-use.ts';
import { ownOrders } from '../../orders/own-orders.ts';
import { placedNews } from '../../orders/placed-notification.ts';
import { type BatchRows, batchRows } from '../../orders/record-batch.ts';
import { placedAction } from '../../orders/record-placed.ts';
import { cashLeft, type Taking, uncounted } from '../../orders/spendable.ts';
import { attempts, batches, batchOrders } from '../../orders/table.ts';
import type { LiveQuote } from '../../parts.ts';
import { stillVerified } from '../../prices/quotes/verified-quotes.ts';
import type { Buying, Decided, DecidedBy, Refused } from '../../prices/trigger.ts';
import type { Db } from '../../runtime.ts';
import { automaticIsOff } from '../../system-settings/store.ts';
import { rowUntilEnd, standingBy } from '../../trading-controls/store.ts';
import { tradingControls } from '../../trading-controls/table.ts';
import { type Assessment, assess, sentences } from '../assess.ts';
import { intentOf, type PlaceParts } from '../place-by-hand.ts';
import { type FastPath, type StartedBatch, type StartedRows, startBatch } from './start-batch.ts';

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
  return {
    decide: async (tx) => {
      const assessed = await assessTriggered(tx, parts, opportunity, quotes);
      if ('refusals' in assessed) return assessed;
      const intent = intentOf(parts, opportunity, assessed, {
        quotedPrice: opportunity.currentPrice,
        automatic: true,
        createdBy: null,
      });
      const rows = batchRows(parts.runtime, intent);
      const signed = fastPath && (await startBatch(fastPath, rows, marketsOf(quotes)));
      if (signed) {
        release = fastPath.reserve(rows.batch.id);
        if (release !== null) started = signed.started;
      }
      const startedRows = started && signed ? signed.rows : null;
      return { ...decided(tx, rows, startedRows, [placedNews(rows.batch.id, intent)]), by: assessed.by };
    },
    end: (batchId) => {
      if (release !== null) release(batchId === null ? null : started);
      else if (batchId !== null) wake(batchId);
    },
  };
}

const controlsFrom = fromJsonOf(tradingControls);

/** Or what refuses. From here on until `tx` ends nobody else spends, and trading stays armed. */
async function assessTriggered(
  tx: Db,
  parts: TriggerParts,
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
): Promise<(Assessment & { by: DecidedBy }) | Refused> {
  const { runtime, settings, readiness } = parts;
  await lock(tx, 'spending');
  const stored = await readFacts(tx, parts, opportunity.id);
  if (stored.isAutomaticOff) return { refusals: [] };
  const limits = await limitsInUse(tx, parts, stored.limits);
  const allowances = parts.account.reading()?.allowances ?? null;
  const ready = readiness();
  const account: AccountFact = {
    cash: stored.cash,
    allowances,
    readiness: { ...ready, armed: ready.armed && stored.isArmed },
    limitState: { ...limits, ownOrders: stored.ownOrders },
  };
  const { activeBatchId } = stored;
  const now = parts.moments.ofDecision();
  const assessed = assess({
    opportunity,
    quotes: stillVerified(parts.quotes, quotes),
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

/** In one statement, after the lock on spending and not with it: it sees what whoever had that before has committed. */
async function readFacts(tx: Db, { runtime, account }: PlaceParts, opportunityId: string) {
  const mode = runtime.config.venueMode;
  const reading = account.reading();
  const [found] = await tx
    .select({
      uncounted: reading === null ? sql<JsonRow[]>`'[]'::json` : rowsOf(uncounted(tx, reading)),
      ownOrders: rowsOf(ownOrders(tx)),
      activeBatchId: sql<string | null>`${activeBatches(tx, opportunityId)}`,
      controls: rowsOf(rowUntilEnd(tx, mode)),
      isAutomaticOff: automaticIsOff(),
    })
    .from(sql`(select 1) one`);
  if (found === undefined) throw new Error('a select without a table answered no row');
  const { armed, limits } = standingBy(found.controls.map(controlsFrom)[0], mode);
  const orders = found.uncounted.map(
    ({ size, price, fee_rate: feeRate, fee_step: feeStep }) => ({ size, price, feeRate, feeStep }) as Taking,
  );
  return {
    cash: reading === null ? null : cashLeft(reading, orders),
    ownOrders: found.ownOrders.map(
      ({ batch_id: batchId, market_id: marketId, token_id: tokenId, side, price }) =>
        ({ batchId, marketId, tokenId, side, price }) as OwnOrder,
    ),
    activeBatchId: found.activeBatchId,
    isArmed: armed,
    limits,
    isAutomaticOff: found.isAutomaticOff,
  };
}

function rowsOf(query: SQLWrapper): SQL<JsonRow[]> {
  return sql`(select coalesce(json_agg(r), '[]') from ${query} r)`;
}

function decided(tx: Db, { batch, orders }: BatchRows, started: StartedRows | null, news: Decided['news']): Decided {
  const { id, opportunityId, orderSize, simulated, quotedPrice = null } = batch;
  return {
    batchId: id,
    simulated,
    size: orderSize,
    writes: [
      tx.insert(batches).values(started?.batch ?? batch),
      tx.insert(batchOrders).values(started?.orders ?? orders),
      ...(started === null ? [] : [tx.insert(attempts).values(started.attempts)]),
    ],
    news,
    action: placedAction({ id, opportunityId, orderSize, quotedPrice }),
  };
}

function marketsOf(quotes: readonly LiveQuote[]): ReadonlyMap<string, Market> {
  return new Map(quotes.flatMap(({ marketId, market }) => (market === undefined ? [] : [[marketId, market]])));
}
