import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { collapseFills, type Fill, furtherReport } from '@dutchbook/engine/order/fill.ts';
import { isOrderFinal, type OrderState } from '@dutchbook/engine/order/life.ts';
import { type Fraction, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { fromJsonOf, type JsonRow } from '../../platform/database/json-rows.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { attempts, batches, batchOrders, fills } from './table.ts';

export type BatchRecord = typeof batches.$inferSelect;
export type OrderRecord = typeof batchOrders.$inferSelect;
export type AttemptRecord = typeof attempts.$inferSelect;
export type FillRecord = typeof fills.$inferSelect;

/**
 * Everything stored of one batch. What its orders and its profit show is derived from the attempts and fills here.
 * `orders` are its buys, or what dollars are split into, one per position; `received` hold what contracts handed out when shares of them were converted into
 * dollars; `sales` are the orders that sell the shares of either, or have contracts convert them into dollars.
 */
export type BatchState = StateOf<BatchRecord, OrderRecord, AttemptRecord, FillRecord>;

/** A batch state with only some columns of each row: at least the ids that link them. */
export type StateOf<
  Batch extends BatchLink,
  Order extends OrderLink,
  Attempt extends AttemptLink,
  OneFill extends FillLink,
> = {
  batch: Batch;
  orders: Order[];
  received: Order[];
  sales: Order[];
  attempts: Attempt[];
  fills: OneFill[];
};

const SECOND_MS = 1000;

type BatchLink = Pick<BatchRecord, 'splitStepId'>;
type OrderLink = Pick<OrderRecord, 'id' | 'side' | 'chainStepId' | 'sellsOrderId'>;
type AttemptLink = Pick<AttemptRecord, 'id' | 'orderId' | 'createdAt' | 'sentAt' | 'endedAt'>;
type FillLink = Pick<FillRecord, 'attemptId' | 'matchedAt' | 'createdAt'>;
type Linked<Attempt extends AttemptLink = AttemptLink, OneFill extends FillLink = FillLink> = StateOf<
  BatchLink,
  OrderLink,
  Attempt,
  OneFill
>;

const batchFrom = fromJsonOf(batches);
const orderFrom = fromJsonOf(batchOrders);
const attemptFrom = fromJsonOf(attempts);
const fillFrom = fromJsonOf(fills);

const rowsOf = (rows: SQL) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`;

/** Loads whole batches in one statement, so that a concurrent commit is in all of their rows or in none. */
export async function loadBatches(db: Db, where: SQL): Promise<BatchState[]> {
  const { rows } = (await db.execute(statesWhere(where))) as unknown as { rows: StoredState[] };
  return rows.map(stateFrom);
}

type StoredState = { batch: JsonRow; orders: JsonRow[]; attempts: JsonRow[]; fills: JsonRow[] };

function statesWhere(where: SQL): SQL {
  return sql`select to_json(batches) as batch,
    ${rowsOf(sql`select * from batch_orders where batch_id = batches.id order by ordinal`)} as orders,
    ${rowsOf(sql`select a.* from attempts a join batch_orders o on o.id = a.order_id
      where a.batch_id = batches.id order by a.created_at, o.ordinal`)} as attempts,
    ${rowsOf(sql`select * from fills where batch_id = batches.id order by matched_at`)} as fills
    from batches where ${where}`;
}

function stateFrom(rows: StoredState): BatchState {
  return stateOf(
    batchFrom(rows.batch),
    rows.orders.map(orderFrom),
    rows.attempts.map(attemptFrom),
    rows.fills.map(fillFrom),
  );
}

/** `all`: its orders by their ordinals. */
export function stateOf<
  Batch extends BatchLink,
  Order extends OrderLink,
  Attempt extends AttemptLink,
  OneFill extends FillLink,
>(batch: Batch, all: Order[], attempts: Attempt[], fills: OneFill[]): StateOf<Batch, Order, Attempt, OneFill> {
  const isOwn = ({ chainStepId }: Order) => chainStepId === null || chainStepId === batch.splitStepId;
  return {
    batch,
    orders: all.filter((order) => order.side === 'buy' && isOwn(order)),
    received: all.filter((order) => order.side === 'buy' && !isOwn(order)),
    sales: all.filter(({ side }) => side === 'sell'),
    attempts,
    fills,
  };
}

export async function loadBatch(db: Db, batchId: string): Promise<BatchState | null> {
  const [stored] = await executeNamed<StoredState>(db, statesWhere(eq(batches.id, batchId)));
  return stored === undefined ? null : stateFrom(stored);
}

/** Whether what is to leave next is bought; a batch is sold only after it has ended. */
export function isBuying({ batch }: BatchState): boolean {
  return isActive(batch.status);
}

/** The chain loop carries out a split: until it is booked, the batch runner leaves the batch alone. */
export function awaitsSplit({ batch }: BatchState): boolean {
  return batch.splitStepId !== null && isActive(batch.status);
}

/** Every order whose shares the batch may hold. */
export function holdersOf<Order>({ orders, received }: { orders: Order[]; received: Order[] }): Order[] {
  return received.length === 0 ? orders : [...orders, ...received];
}

/** The sell orders that are sent to the venue: the others are followed by the chain loop. */
export function tradedSales({ sales }: BatchState): OrderRecord[] {
  return sales.filter(({ chainStepId }) => chainStepId === null);
}

/** Any order of the batch. */
export function orderOf(state: BatchState, orderId: string): OrderRecord {
  const order = holdersOf(state).find(({ id }) => id === orderId) ?? state.sales.find(({ id }) => id === orderId);
  if (order === undefined) throw new Error(`order ${orderId} is not of batch ${state.batch.id}`);
  return order;
}

export function attemptOf(state: BatchState, attemptId: string): AttemptRecord {
  const attempt = state.attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error(`attempt ${attemptId} is not of batch ${state.batch.id}`);
  return attempt;
}

/** The order whose shares a fill of the batch bought or sold. */
export function orderOfFill(state: BatchState, { attemptId }: Pick<FillRecord, 'attemptId'>): OrderRecord {
  return orderOf(state, attemptOf(state, attemptId).orderId);
}

/** The rows of a state by their orders: a batch may have hundreds of each. */
type ByOrder<Order, Attempt, OneFill> = {
  attempts: ReadonlyMap<string, Attempt[]>;
  fills: ReadonlyMap<string, OneFill[]>;
  sales: ReadonlyMap<string | null, Order[]>;
};

/** Nothing is added to a state after it was loaded. */
const indexes = new WeakMap<object, object>();

function byOrder<Order extends OrderLink, Attempt extends AttemptLink, OneFill extends FillLink>(
  state: StateOf<BatchLink, Order, Attempt, OneFill>,
): ByOrder<Order, Attempt, OneFill> {
  const known = indexes.get(state);
  if (known !== undefined) return known as ByOrder<Order, Attempt, OneFill>;
  const attemptById = new Map(state.attempts.map((attempt) => [attempt.id, attempt]));
  const timed = state.fills.map((fill) => within(attemptById.get(fill.attemptId), fill));
  const made = {
    attempts: Map.groupBy(state.attempts, ({ orderId }) => orderId),
    fills: Map.groupBy(timed, ({ attemptId }) => attemptById.get(attemptId)?.orderId ?? ''),
    sales: Map.groupBy(state.sales, ({ sellsOrderId }) => sellsOrderId),
  };
  indexes.set(state, made);
  return made;
}

/**
 * A venue that tells of matches in whole seconds rounds them down. None came before its order left, nor after it was known here, or
 * that the order had ended: of what is left the latest, because a time reported too short would be taken for speed.
 */
function within<OneFill extends FillLink>(attempt: AttemptLink | undefined, fill: OneFill): OneFill {
  const leftAt = attempt?.sentAt ?? attempt?.createdAt ?? fill.matchedAt;
  const isWholeSecond = fill.matchedAt % SECOND_MS === 0;
  const knownAt = Math.min(fill.createdAt, attempt?.endedAt ?? fill.createdAt);
  const latest = isWholeSecond ? Math.min(knownAt, fill.matchedAt + SECOND_MS - 1) : fill.matchedAt;
  return { ...fill, matchedAt: Math.max(leftAt, latest) as Instant };
}

export function attemptsOf<Attempt extends AttemptLink>(state: Linked<Attempt>, orderId: string): Attempt[] {
  return byOrder(state).attempts.get(orderId) ?? [];
}

/** The fills of an order's own attempts. */
export function fillsOf<OneFill extends FillLink>(state: Linked<AttemptLink, OneFill>, orderId: string): OneFill[] {
  return byOrder(state).fills.get(orderId) ?? [];
}

/** The orders that sell the shares of a buy. */
export function sellOrdersOf(state: BatchState, orderId: string): OrderRecord[] {
  return byOrder(state).sales.get(orderId) ?? [];
}

/** The fills of all orders that sell the shares of a buy. */
export function salesOf<OneFill extends FillLink>(state: Linked<AttemptLink, OneFill>, orderId: string): OneFill[] {
  return (byOrder(state).sales.get(orderId) ?? []).flatMap(({ id }) => fillsOf(state, id));
}

export function orderState(state: BatchState, order: OrderRecord): OrderState {
  return { size: order.size, attempts: attemptsOf(state, order.id), fills: fillsOf(state, order.id) };
}

/** State of every buy of the batch. */
export function orderStates(state: BatchState): OrderState[] {
  return state.orders.map((order) => orderState(state, order));
}

export function minSuccessOf({ batch }: BatchState): Fraction {
  return fractionFromNumber(batch.settings.BATCH_MIN_SUCCESS_RATE);
}

/** Attempts that were sent and of which more may be reported: they, or their order, have not ended, or a trade has not settled. */
export function standingAttempts(state: BatchState): AttemptRecord[] {
  const ended = new Set(
    [...holdersOf(state), ...state.sales].filter((order) => isFinalOrder(state, order)).map(({ id }) => id),
  );
  const unsettled = new Set(
    state.fills.filter(({ settledAt }) => settledAt === null).map(({ attemptId }) => attemptId),
  );
  return state.attempts
    .filter(({ status }) => status !== 'prepared' && status !== 'rejected' && status !== 'failed')
    .filter(({ id, orderId }) => !ended.has(orderId) || unsettled.has(id));
}

export function isFinalOrder(state: BatchState, order: OrderRecord): boolean {
  return isOrderFinal(orderState(state, order));
}

/**
 * Whether an order is final, or nothing of it was ever sent and nothing will be. Its own status counts only where it has no attempts: one
 * that may still leave, or be filled, keeps it from having ended whatever it shows.
 */
export function hasEnded(state: BatchState, order: OrderRecord): boolean {
  return isFinalOrder(state, order) || (order.status === 'failed' && attemptsOf(state, order.id).length === 0);
}

/** The batch's positions, in the order of its orders. */
export function positionsOf({ orders }: BatchState): Position[] {
  return orders.map(({ leg, marketId, outcome }) => ({ leg, marketId, outcome }));
}

/** The moment at which what still rests of the placing, or of the retry asked for last, is canceled. */
export function deadlineOf(batch: BatchRecord): Instant {
  return ((batch.retryRequestedAt ?? batch.createdAt) +
    batch.settings.BATCH_COMPLETION_TIMEOUT_HOURS * 3_600_000) as Instant;
}

/** The report to keep of a trade that is reported again, or null when what is stored of it says as much. */
export function newerReport(stored: readonly Fill[], report: Fill): Fill | null {
  const [known] = collapseFills(stored);
  if (known === undefined) return report;
  const further = furtherReport(known, report);
  // The fee is that of the moment of the match: a rate that the market has since then is not its.
  const isSameMatch = further.size === known.size && further.cost === known.cost;
  const kept = isSameMatch ? { ...further, fee: known.fee } : further;
  return isSameMatch && kept.settlement === known.settlement ? null : kept;
}

type Sale = Pick<OrderRecord, 'chainStepId' | 'submissionPurpose' | 'filledSize'>;

/** How what a batch held became dollars, as a participle: "sold", "converted into dollars", "redeemed", or several of them. */
export function howSold(sales: readonly Sale[]): string {
  const done = sales.filter(({ filledSize }) => filledSize > 0);
  const ways = [
    ...(done.some(({ chainStepId }) => chainStepId === null) ? ['sold'] : []),
    ...(done.some(isOf('cash_now')) ? ['converted into dollars'] : []),
    ...(done.some(isOf('redeem')) ? ['redeemed'] : []),
  ];
  return ways.length === 0 ? 'sold' : ways.join(' and ');
}

function isOf(purpose: OrderRecord['submissionPurpose']) {
  return ({ submissionPurpose }: Sale) => submissionPurpose === purpose;
}
