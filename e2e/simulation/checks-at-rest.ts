/** What must hold once faults have stopped and time has passed: nothing is left open, missing or unknown. */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { isUneven, positionsOf, unpaidOf } from './batch-figures.ts';
import { checkAlways, type Strangers } from './checks.ts';
import { cashOf, isOfChain, ordersFills, sum, tradeKey } from './fill-sums.ts';
import type { Stored, Truth } from './truth.ts';
import { must } from './violation.ts';

/** Statuses from which an attempt at rest goes nowhere by itself. */
const DECIDED = ['rejected', 'failed', 'canceled', 'matched', 'open'];

/** What the account began with at each venue, in millionths of a dollar. */
export type StartingCash = ReadonlyMap<VenueName, number>;

/** @throws Violation */
export function checkAtRest(stored: Stored, truth: Truth, startingCash: StartingCash, strangers: Strangers): void {
  checkAlways(stored, truth, null, strangers);
  nothingIsUnknown(stored, truth);
  everyTradeIsAFill(stored, truth, strangers);
  cashIsConserved(stored, truth, startingCash, strangers);
  batchesAddUpToTheAccount(stored, truth, startingCash, strangers);
  batchesHaveEnded(stored);
  riskIsShown(stored);
  ordersSayHowFull(stored);
  salesHaveLeft(stored);
  movesOfCashAreKnown(stored, truth);
  noPocketWasTooEmpty(stored);
  nothingIsStillDeferred(stored);
}

function nothingIsStillDeferred({ deferredNotifications: deferred }: Stored): void {
  must(deferred === 0, 'edges', () => `the notifications of ${deferred} batches are not in the list`);
}

/** C8 of cash between pockets: what is said to be made was, and the other way round. */
function movesOfCashAreKnown({ cashMoves }: Stored, truth: Truth): void {
  for (const { id, status } of cashMoves)
    must(ENDS_OF_MOVES.includes(status), 'C8', () => `cash move ${id} is still ${status}`);
  const made = cashMoves.filter(({ status }) => status === 'done').map(({ move }) => move);
  const maybe = cashMoves.filter(({ status }) => status !== 'rejected').map(({ move }) => move);
  const count = (moves: readonly string[], move: string) => moves.filter((each) => each === move).length;
  for (const move of new Set([...made, ...truth.cashMoves])) {
    const times = count(truth.cashMoves, move);
    const isKnown = count(made, move) <= times && times <= count(maybe, move);
    must(isKnown, 'C8', () => `${move} was moved ${times} times, the rows are ${JSON.stringify(cashMoves)}`);
  }
}

/** What both pockets do not show, as where they are paid or spent from meanwhile, is looked up by a person. */
const ENDS_OF_MOVES = ['done', 'rejected', 'unknown'];

/** A purchase is refused here before it leaves where its cash does not suffice. */
function noPocketWasTooEmpty({ orders }: Stored): void {
  for (const { id, side, error } of orders) {
    const isShort = NO_CASH.some((words) => (error ?? '').includes(words));
    must(side === 'sell' || !isShort, 'gate', () => `order ${id} was sent without its cash`);
  }
}

/** In the words of each venue. */
const NO_CASH = ['insufficient balance', 'not enough balance'];

/** C8, at rest. */
function nothingIsUnknown(stored: Stored, truth: Truth): void {
  const orders = new Map(truth.orders.map((order) => [order.hash, order]));
  for (const { order_hash, status } of stored.attempts) {
    const isDecided = DECIDED.includes(status);
    must(isDecided, 'C8', () => `attempt ${order_hash} is still ${status}`);
    if (isOfChain({ order_hash })) continue;
    const placed = orders.get(order_hash);
    const isThere = !['rejected', 'failed'].includes(status);
    must(
      isThere === (placed !== undefined) || placed?.isEmpty === true,
      'C8',
      () => `attempt ${order_hash} is ${status}, the exchange ${placed ? 'has it' : 'has it not'}`,
    );
    must(
      (status === 'open') === (placed?.isStanding ?? false),
      'C8',
      () => `attempt ${order_hash} is ${status}, ${JSON.stringify(placed)}`,
    );
  }
}

/** C3, at rest. */
function everyTradeIsAFill(stored: Stored, truth: Truth, strangers: Strangers): void {
  const fills = new Map(stored.fills.map((fill) => [tradeKey(fill.trade_id, fill.order_hash), fill]));
  for (const trade of truth.trades) {
    if (strangers.has(trade.hash)) continue;
    const fill = fills.get(tradeKey(trade.tradeId, trade.hash));
    must(fill !== undefined, 'C3', () => `trade ${trade.tradeId} of order ${trade.hash} is no fill here`);
    must(
      fill?.settlement === trade.status,
      'C3',
      () => `trade ${trade.tradeId} is ${trade.status}, here ${fill?.settlement}`,
    );
  }
}

/** C4: to the last millionth, at each venue. */
function cashIsConserved(stored: Stored, truth: Truth, startingCash: StartingCash, strangers: Strangers): void {
  for (const [venue, began] of startingCash) {
    const theirs = sum(
      truth.trades.filter(({ hash, status }) => strangers.has(hash) && status !== 'failed' && venueOf(hash) === venue),
      cashOf,
    );
    const ours = sum(
      stored.orders.filter(({ token_id }) => venueOf(token_id) === venue),
      (order) => sum(ordersFills(stored, order), (fill) => cashOf({ ...fill, side: order.side })),
    );
    const cash = began + theirs + ours;
    const has = truth.cashAt.get(venue) ?? 0;
    must(has === cash, 'C4', () => `the account at ${venue} holds ${has}, by the fills it should hold ${cash}`);
  }
}

/**
 * C4: the profits that batches show, less what they count for sets that have not paid yet, are what the account has gained.
 * What a batch shows as sold is then never the shares of another.
 */
function batchesAddUpToTheAccount(
  stored: Stored,
  truth: Truth,
  startingCash: StartingCash,
  strangers: Strangers,
): void {
  const shown = sum(stored.batches, ({ actual_profit }) => actual_profit ?? 0);
  const unpaid = sum(stored.batches, (batch) => unpaidOf(batch, positionsOf(batch, stored)));
  const theirs = sum(
    truth.trades.filter(({ hash, status }) => strangers.has(hash) && status !== 'failed'),
    cashOf,
  );
  const has = sum([...startingCash.keys()], (venue) => truth.cashAt.get(venue) ?? 0);
  const gained = has - sum([...startingCash.values()], (began) => began) - theirs;
  must(
    shown - unpaid === gained,
    'C4',
    () => `batches show ${shown} and wait for ${unpaid}, the account gained ${gained}`,
  );
  for (const [tokenId, shares] of truth.tokens) {
    const held = sum(stored.batches, (batch) => {
      const orders = stored.orders.filter((order) => order.batch_id === batch.id && order.token_id === tokenId);
      return sum(
        orders,
        (order) => (order.side === 'buy' ? 1 : -1) * sum(ordersFills(stored, order), ({ size }) => size),
      );
    });
    const outside = sum(
      truth.trades.filter(
        (trade) => strangers.has(trade.hash) && trade.tokenId === tokenId && trade.status !== 'failed',
      ),
      ({ side, size }) => (side === 'buy' ? size : -size),
    );
    must(held + outside === shares, 'C4', () => `batches hold ${held} of ${tokenId}, the account ${shares}`);
  }
}

/** The venue matches a little short; so little is filled. */
const HUNDREDTH_OF_A_SHARE = 10_000;

function batchesHaveEnded(stored: Stored): void {
  for (const batch of stored.batches) {
    const isActive = ACTIVE.includes(batch.status);
    must(!isActive, 'C8', () => `batch ${batch.id} is still ${batch.status}`);
    if (batch.status === 'canceled' || batch.status === 'sold') continue;
    const buys = stored.orders.filter(({ batch_id, side }) => batch_id === batch.id && side === 'buy');
    const isFull = buys.every(({ filled_size, size }) => size - filled_size < HUNDREDTH_OF_A_SHARE);
    const isEmpty = buys.every(({ filled_size }) => filled_size === 0);
    const right = isFull ? 'completed' : isEmpty ? 'failed' : 'partial_completed';
    must(batch.status === right, 'C6', () => `batch ${batch.id} is ${batch.status}, its fills say ${right}`);
  }
}

/** C6, at rest: of what is known to have resolved too. */
function riskIsShown(stored: Stored): void {
  for (const batch of stored.batches) {
    const isAtRisk = isUneven(batch, positionsOf(batch, stored));
    must(
      isAtRisk === (batch.unhedged !== null),
      'C6',
      () => `batch ${batch.id} shows ${JSON.stringify(batch.unhedged)}`,
    );
  }
}

/** C6: an order that was filled, in full or in part, says so. */
function ordersSayHowFull({ orders }: Stored): void {
  for (const { id, status, size, filled_size } of orders) {
    const said = ['filled', 'partially_filled'].includes(status) ? status : null;
    const part = size - filled_size < HUNDREDTH_OF_A_SHARE ? 'filled' : 'partially_filled';
    const right = filled_size === 0 ? null : part;
    must(said === right, 'C6', () => `order ${id} is ${status}, ${filled_size} of its ${size} are filled`);
  }
}

/** C8 for sell orders that were recorded: one that is never sent would hold its shares for ever. */
function salesHaveLeft(stored: Stored): void {
  for (const { id, batch_id } of waitingSales(stored))
    must(false, 'C8', () => `sell order ${id} of batch ${batch_id} has not been sent, and was not refused`);
}

function waitingSales(stored: Stored): Stored['orders'] {
  return stored.orders.filter(({ side, status }) => side === 'sell' && status === 'pending');
}

/**
 * Whether nothing is expected any more: no batch is active or new to the report, no sale waits, no attempt is unknown and no trade on
 * its way.
 */
export function isAtRest(stored: Stored, truth: Truth): boolean {
  const isSettled = (settlement: string) => settlement === 'confirmed' || settlement === 'failed';
  return (
    stored.batches.every(({ status, results_due }) => !ACTIVE.includes(status) && !results_due) &&
    waitingSales(stored).length === 0 &&
    stored.attempts.every(({ status }) => DECIDED.includes(status) && status !== 'open') &&
    truth.trades.every(({ status }) => isSettled(status)) &&
    truth.orders.every(({ isStanding }) => !isStanding) &&
    stored.fills.every(({ settlement }) => isSettled(settlement)) &&
    stored.fills.filter((fill) => !isOfChain(fill)).length === truth.trades.length &&
    stored.cashMoves.every(({ status }) => ENDS_OF_MOVES.includes(status))
  );
}

const ACTIVE = ['pending', 'processing', 'retry_pending'];
