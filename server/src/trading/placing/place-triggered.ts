/** Buying what has come up to its trigger, in the transaction that records the trigger. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { placedNews } from '../../batches/placed-news.ts';
import { type BatchRows, batchRows } from '../../batches/record.ts';
import { placedAction } from '../../batches/record-placed.ts';
import { activeBatches } from '../../batches/store.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { TrustedQuote } from '../../parts.ts';
import { armedBy, armedUntilEnd } from '../../trading-controls/store.ts';
import type { JsonRow } from '../../world/json-rows.ts';
import { attempts, batches, batchOrders } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';
import { type Assessment, assess, sentences } from '../assess.ts';
import type { Buying, Decided } from '../prices/trigger.ts';
import { trustedStill } from '../quotes/vouched-quotes.ts';
import { type Beginner, type Begun, type BegunRows, beginBatch } from './begin.ts';
import { limitState } from './limit-use.ts';
import { intentOf, type PlaceParts } from './place.ts';
import { cashLeft, lockSpending, type Taking, uncounted } from './spendable.ts';

/** `wake`: the loop is to look at a batch that has been recorded and has not begun. */
type Carriers = { beginner: Beginner | null; wake: (batchId: string) => void };

/**
 * What the trigger calls for, at the prices that triggered. The batch begins in the same transaction where it can, and
 * its orders leave as soon as that has committed.
 */
export function buyTriggered(
  parts: PlaceParts,
  { beginner, wake }: Carriers,
  opportunity: StoredOpportunity,
  quotes: readonly TrustedQuote[],
): Buying {
  let letGo: ((begun: Begun | null) => void) | null = null;
  let begun: Begun | null = null;
  return {
    decide: async (tx) => {
      const assessed = await assessTriggered(tx, parts, opportunity, quotes);
      if (assessed === null) return null;
      const intent = intentOf(parts, opportunity, assessed, {
        quotedPrice: opportunity.currentPrice,
        automatic: true,
        createdBy: null,
      });
      const rows = batchRows(parts.world, intent);
      const started = beginner && (await beginBatch(beginner, rows, marketsOf(quotes)));
      if (started) {
        letGo = beginner.hold(rows.batch.id);
        if (letGo !== null) begun = started.begun;
      }
      return decided(tx, rows, begun && started ? started.rows : null, [placedNews(rows.batch.id, intent)]);
    },
    end: (batchId) => {
      if (letGo !== null) letGo(batchId === null ? null : begun);
      else if (batchId !== null) wake(batchId);
    },
  };
}

/** Null when a gate refuses. From here on until `tx` ends nobody else spends, and trading stays armed. */
async function assessTriggered(
  tx: Db,
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  quotes: readonly TrustedQuote[],
): Promise<Assessment | null> {
  const { world, settings, readiness } = parts;
  await lockSpending(tx);
  const stored = await readFacts(tx, parts, opportunity.id);
  const limits = await limitState(tx, parts);
  const assessed = assess({
    opportunity,
    quotes: trustedStill(parts.quotes, quotes),
    size: null,
    quotedPrice: opportunity.currentPrice,
    automatic: true,
    settings: settings.current(),
    now: world.clock.now(),
    cash: stored.cash,
    activeBatchId: stored.activeBatchId,
    readiness: { ...readiness(), armed: readiness().armed && stored.isArmed },
    limitState: limits,
  });
  if (assessed.blockers.length === 0) return assessed;
  const refusals = sentences(assessed.blockers);
  world.log.info({ opportunityId: opportunity.id, refusals }, 'a trigger was not placed');
  return null;
}

/** In one statement, after the lock on spending and not with it: it sees what whoever had that before has committed. */
async function readFacts(tx: Db, { world, account }: PlaceParts, opportunityId: string) {
  const mode = world.config.venueMode;
  const reading = account.reading();
  const [found] = await tx
    .select({
      uncounted: reading === null ? sql<JsonRow[]>`'[]'::json` : rowsOf(uncounted(tx, reading)),
      activeBatchId: sql<string | null>`${activeBatches(tx, opportunityId)}`,
      armed: sql<boolean | null>`${armedUntilEnd(tx, mode)}`,
    })
    .from(sql`(select 1) one`);
  if (found === undefined) throw new Error('a select without a table answered no row');
  const orders = found.uncounted.map(({ size, price, fee_rate: feeRate }) => ({ size, price, feeRate }) as Taking);
  return {
    cash: reading === null ? null : cashLeft(reading, orders),
    activeBatchId: found.activeBatchId,
    isArmed: armedBy(found.armed, mode),
  };
}

function rowsOf(query: SQLWrapper): SQL<JsonRow[]> {
  return sql`(select coalesce(json_agg(r), '[]') from ${query} r)`;
}

function decided(tx: Db, { batch, orders }: BatchRows, begun: BegunRows | null, news: Decided['news']): Decided {
  const { id, opportunityId, orderSize, simulated, quotedPrice = null } = batch;
  return {
    batchId: id,
    simulated,
    writes: [
      tx.insert(batches).values(begun?.batch ?? batch),
      tx.insert(batchOrders).values(begun?.orders ?? orders),
      ...(begun === null ? [] : [tx.insert(attempts).values(begun.attempts)]),
    ],
    news,
    action: placedAction({ id, opportunityId, orderSize, quotedPrice }),
  };
}

function marketsOf(quotes: readonly TrustedQuote[]): ReadonlyMap<string, Market> {
  return new Map(quotes.flatMap(({ marketId, market }) => (market === undefined ? [] : [[marketId, market]])));
}
