import { boundWords } from '@dutchbook/contract/notes/size-words.ts';
import { nameOfQuotes } from '@dutchbook/engine/opportunity/name.ts';
import type { PositionQuote } from '@dutchbook/engine/opportunity/value.ts';
import type { SizeBound } from '@dutchbook/engine/order/choose-size.ts';
import { NOT_ASKED, ONLY_SIMULATED } from '@dutchbook/engine/relation/why-not-taken.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';
import { formatPercent, percentToNumber } from '@dutchbook/units/percent.ts';
import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { notifyingOf } from '../../people/notifications/deferred.ts';
import { type NewNotification, notificationWrites } from '../../people/notifications/record.ts';
import { type Action, actionStatements, THE_SYSTEM } from '../../platform/audit/record.ts';
import { pipelined, type Send } from '../../platform/database/pipelined.ts';
import { together } from '../../platform/database/write-together.ts';
import { claimedPartition } from '../../platform/engines/lease.ts';
import type { PartitionClaim } from '../../platform/engines/partitions.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { DecisionWords, JournaledAccount, JournaledDecision } from '../decision-journal/journaled.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import { edgeInsert } from '../opportunities/history/store.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { opportunityPrices } from '../opportunities/table.ts';
import { missedInsert } from './missed-trigger.ts';

/** The handler of rises. */
export type OnTrigger = {
  /** While this says no, an edge is left standing and is acted on later. */
  isReady: () => boolean;
  buy: (opportunity: StoredOpportunity, quotes: readonly LiveQuote[]) => Buying;
};

/** The purchase on a trigger. */
export type Buying = {
  /**
   * Asks for what the decision rests on, in the transaction that records the trigger, so that there is one of each or
   * neither. What it answers decides by that, or says in sentences which gates refuse.
   */
  look: (send: Send) => () => Promise<Decided | Refused>;
  /** Called once that transaction has ended: with the batch that it has committed, if it has, and there is one. */
  end: (batchId: string | null) => void;
};

/** Inputs of a decision besides the row; the ages of the books are those of its quotes. */
export type DecidedBy = Pick<JournaledDecision, 'activeBatchId' | 'bookAges'> & {
  at: Instant;
  account: JournaledAccount;
  orders: DecisionWords['orders'];
};

/** Nothing is bought, and why: a sentence each; `by`: where that was looked at. */
export type Refused = { refusals: readonly string[]; by?: DecidedBy };

/** An automatic batch, still to be written, with its notifications and its entries of the audit log. */
export type Decided = {
  batchId: string;
  simulated: boolean;
  size: Shares;
  /** Null where a person decided on the size. */
  sizeBoundedBy: SizeBound | null;
  writes: readonly SQLWrapper[];
  /** Functions of the database that are called with them. */
  calls: readonly SQL[];
  notifications: readonly NewNotification[];
  action: Action;
  /** Its orders leave once it has committed: `notifyingOf` stores its notifications, for `recordOnceLeft`. */
  leavesAtOnce: boolean;
  by?: DecidedBy;
};

/**
 * `recorded`: by this call, which has bought `batchId`. `overtaken`: another rise was recorded since; the opportunity
 * stands as it says. `gone`: it was edited since, or is not there. `not_held`: it is not this process's to act on.
 */
export type TriggerOutcome =
  | { kind: 'recorded'; batchId: string | null; refusal: string | null }
  | { kind: 'overtaken'; triggered: boolean; rises: number }
  | { kind: 'gone' }
  | { kind: 'not_held' };

/** The columns that a rise writes. */
type Risen = Omit<typeof opportunityPrices.$inferSelect, 'opportunityId' | 'editedAt'>;

/** The purchase on a rise, or sentences that say why there is none; none of these where no purchase was asked for. */
export type Bought = Pick<Buying, 'look'> | Refused;

/**
 * Records the rising edge of an opportunity, the notification of it and, with `buying`, what is bought on it. Of all processes that see the
 * same edge, and of one that starts again in the middle of it, exactly one gets through: it says after how many rises it
 * comes (`row.rises`), whether or not the fall between has been written yet. None where the opportunity was edited since
 * it was judged, or has gone to another engine since `claim` was made.
 */
export async function recordTrigger(
  runtime: Pick<Runtime, 'clock' | 'priorityDb' | 'random' | 'pubsub'>,
  row: StoredOpportunity,
  claim: PartitionClaim | null,
  buying: Bought,
  quotes: readonly PositionQuote[],
): Promise<TriggerOutcome> {
  const { id, currentPrice, feesPerSet, profitPercentage, annualisedReturn, lastChecked } = row;
  const { augmentedEvent, resolution, profitUsd, maxProfitableSize, paysAt, about } = row;
  const risen: Risen = {
    ...{ currentPrice, feesPerSet, profitPercentage, annualisedReturn, lastChecked, augmentedEvent, resolution },
    ...{ profitUsd, maxProfitableSize, paysAt, about },
    triggered: true,
    rises: row.rises + 1,
    refusal: null,
    lastError: null,
    errorCount: 0,
    errorNotifiedAt: null,
  };
  const db = runtime.priorityDb;
  return pipelined(db, async ({ send, commitWith }) => {
    const rising = send(riseOf(row, risen, claim));
    const decide = 'look' in buying ? buying.look(send) : async () => buying;
    if ((await rising).length > 0) {
      const decided = await decide();
      const refusal = isBatch(decided) ? null : decided.refusals.join(' ') || NOT_ASKED;
      await commitWith(riseStatements(db, runtime, { ...row, ...risen, refusal }, decided, quotes));
      return { kind: 'recorded', batchId: isBatch(decided) ? decided.batchId : null, refusal };
    }
    if (claim !== null && (await send(claimedPartition(claim))).length === 0) return { kind: 'not_held' };
    const { triggered, rises, opportunityId, editedAt } = opportunityPrices;
    const asJudged = and(eq(opportunityId, id), eq(editedAt, row.updatedAt));
    const standing = db.select({ triggered, rises }).from(opportunityPrices).where(asJudged);
    const [now] = await send<{ triggered: boolean; rises: number }>(standing);
    return now === undefined || now.rises === row.rises ? { kind: 'gone' } : { kind: 'overtaken', ...now };
  });
}

/** Writes the rise where it was judged by what stands, and where the partition is held as `claim` says. */
function riseOf({ id, updatedAt, rises }: StoredOpportunity, risen: Risen, claim: PartitionClaim | null): SQL {
  const isHeldHere = claim === null ? sql.empty() : sql`exists ${claimedPartition(claim)} and`;
  const { currentPrice, feesPerSet, profitPercentage, annualisedReturn, lastChecked, augmentedEvent } = risen;
  const { profitUsd, maxProfitableSize, paysAt, about } = risen;
  const checkedAt = lastChecked === null ? null : instantToIso(lastChecked);
  const paysAtIso = paysAt === null ? null : instantToIso(paysAt);
  return sql`update opportunity_prices
    set current_price = ${currentPrice}, fees_per_set = ${feesPerSet}, profit_percentage = ${profitPercentage},
      annualised_return = ${annualisedReturn}, last_checked = ${checkedAt}, augmented_event = ${augmentedEvent},
      resolution = ${risen.resolution}, profit_usd = ${profitUsd}, max_profitable_size = ${maxProfitableSize},
      pays_at = ${paysAtIso}, about = ${about}, triggered = true,
      rises = ${risen.rises}, refusal = null, last_error = null, error_count = 0, error_notified_at = null
    where ${isHeldHere} opportunity_id = ${id} and edited_at = ${instantToIso(updatedAt)} and rises = ${rises}
    returning opportunity_id as id`;
}

function isBatch(decided: Decided | Refused): decided is Decided {
  return 'batchId' in decided;
}

/** The statements that record a rise, the audit entry last. */
function riseStatements(
  db: Db,
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub'>,
  row: StoredOpportunity,
  decided: Decided | Refused,
  quotes: readonly PositionQuote[],
): SQLWrapper[] {
  const at = row.lastChecked ?? runtime.clock.now();
  const edge = edgeInsert(row, at);
  const triggered = triggeredNotification(row, decided, quotes);
  const notifying = isBatch(decided)
    ? notifyingOf(runtime, decided, [...decided.notifications, triggered])
    : notificationWrites(runtime, [triggered]);
  const ofDecision = isBatch(decided) ? decided.writes : writesOfRefused(db, row);
  const ofMissed = missedWrites(db, runtime, { row, at }, decided, quotes);
  const action = isBatch(decided) ? actionStatements(runtime, THE_SYSTEM, decided.action) : [];
  const calls = [...(isBatch(decided) ? decided.calls : []), ...notifying.calls];
  return [together([...ofDecision, ...ofMissed, edge, ...notifying.writes], calls), ...action];
}

function writesOfRefused(tx: Db, { id, refusal }: StoredOpportunity): SQLWrapper[] {
  if (refusal === null) return [];
  return [tx.update(opportunityPrices).set({ refusal }).where(eq(opportunityPrices.opportunityId, id))];
}

/** Writes a missed rise, but for found opportunities, whose hits say it. A simulated batch counts as missed. */
function missedWrites(
  tx: Db,
  { random }: Pick<Runtime, 'random'>,
  { row, at }: { row: StoredOpportunity; at: Instant },
  decided: Decided | Refused,
  quotes: readonly PositionQuote[],
): SQLWrapper[] {
  const isPlaced = isBatch(decided);
  if (row.relationId !== null || (isPlaced && !decided.simulated)) return [];
  const missed = isPlaced ? { ...row, refusal: ONLY_SIMULATED } : row;
  return [missedInsert(tx, random.uuid(), at, missed, quotes)];
}

function triggeredNotification(
  row: StoredOpportunity,
  decided: Decided | Refused,
  quotes: readonly PositionQuote[],
): NewNotification {
  const { currentPrice, feesPerSet, profitPercentage, targetPrice } = row;
  if (currentPrice === null || feesPerSet === null || profitPercentage === null) {
    throw new Error(`${row.id} has come up to its trigger without a price`);
  }
  const placed = isBatch(decided) ? decided : null;
  const name = nameOfQuotes(quotes);
  const profit = microToFixed(targetPrice - currentPrice - feesPerSet, 4);
  const prices = `a set costs ${formatPrice(currentPrice)} and pays ${formatPrice(targetPrice)}, which leaves $${profit} after fees`;
  const end = isBatch(decided) ? endOfPlaced(decided) : endOfRefused(decided);
  return {
    type: 'opportunity_triggered',
    opportunityId: row.id,
    message: `${name}: the profit has come up to ${formatPercent(profitPercentage)}. Now ${prices}${end}`,
    data: {
      name,
      profit_percentage: percentToNumber(profitPercentage),
      current_price: priceToNumber(currentPrice),
      target_price: priceToNumber(targetPrice),
      fees_per_set: usdToNumber(feesPerSet),
      batch_id: placed?.batchId ?? null,
      simulated: placed?.simulated ?? false,
    },
  };
}

function endOfPlaced({ simulated, size, sizeBoundedBy }: Decided): string {
  const bound = sizeBoundedBy === null ? '' : `, ${boundWords(sizeBoundedBy)}`;
  return `. ${simulated ? 'Simulated orders' : 'Orders'} for ${formatShares(size)} sets are being placed${bound}`;
}

/** In the message of a trigger, what precedes the reason why nothing was bought. */
export const NOT_PLACED = '. No order is placed: ';

function endOfRefused({ refusals }: Refused): string {
  return refusals.length === 0 ? '' : `${NOT_PLACED}${refusals.join(' ')}`;
}
