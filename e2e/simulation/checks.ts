/**
 * What must hold after every step (C1 to C8 of the reliability goals), decided from the exchange's own records and the
 * rows of the database alone: nothing of the product's code is asked what is right.
 */
import { VENUE_NAMES, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import {
  asResolvedSoFar,
  countedOrders,
  isSoldOut,
  isUneven,
  moneyOf,
  positionsOf,
  unpaidOf,
} from './batch-figures.ts';
import { checkSeries, everyRiseIsNotified, nothingIsBoughtOnWhatWas } from './checks-of-opportunities.ts';
import { cashOf, isOfChain, ordersFills, sum, tradeKey } from './fill-sums.ts';
import { controlsAt, type Stored, type StoredAttempt, type StoredOrder, type Truth, type VenueOrder } from './truth.ts';
import { must } from './violation.ts';

/** Orders at the exchange that another program placed with the same key. */
export type Strangers = ReadonlySet<string>;

/** Holds at every moment, whatever is under way. */
export function checkAlways(stored: Stored, truth: Truth, before: Stored | null, strangers: Strangers): void {
  everyVenueOrderIsOurs(stored, truth, strangers);
  onlyStrangersAreExternal(stored, strangers);
  noBeliefIsWrong(stored, truth);
  noPositionIsOrderedTwice(stored, truth);
  fillsAreTrades(stored, truth);
  if (before !== null) nothingLeavesItsEnd(stored, before);
  ordersShowTheirFills(stored);
  batchesShowWhatTheyAre(stored);
  actionsAreAudited(stored);
  noDayExceedsItsLimit(stored, truth);
  everyRiseIsNotified(stored);
  nothingIsBoughtOnWhatWas(stored);
  checkSeries(stored, before);
  cashIsMovedOnce(stored, truth);
}

/** C2 of cash between pockets: what the venue has moved was marked as sent before, each once. */
function cashIsMovedOnce({ cashMoves }: Stored, truth: Truth): void {
  const sent = cashMoves.filter((each) => each.sent).map(({ move }) => move);
  for (const move of truth.cashMoves) {
    const place = sent.indexOf(move);
    must(place >= 0, 'C2', () => `the venue has moved ${move}, which is not marked as sent, or is no second time`);
    sent.splice(place, 1);
  }
}

/** C1 */
function everyVenueOrderIsOurs(stored: Stored, truth: Truth, strangers: Strangers): void {
  const attempts = new Map<string, StoredAttempt>();
  for (const attempt of stored.attempts) {
    must(!attempts.has(attempt.order_hash), 'C1', () => `two attempts are ${attempt.order_hash}`);
    attempts.set(attempt.order_hash, attempt);
  }
  const orders = new Map(stored.orders.map((order) => [order.id, order]));
  for (const order of truth.orders) {
    if (strangers.has(order.hash)) continue;
    const attempt = attempts.get(order.hash);
    must(attempt !== undefined, 'C1', () => `the exchange has order ${order.hash}, which is not recorded here`);
    must(attempt?.sent_at != null, 'C1', () => `order ${order.hash} is at the exchange and was not marked as sent`);
    if (order.isEmpty === true) continue;
    const wanted = orders.get(attempt?.order_id ?? '');
    const placed = [order.side, order.tokenId, order.size, order.limit].join(' ');
    const recorded = [wanted?.side, wanted?.token_id, attempt?.size, attempt?.price].join(' ');
    must(placed === recorded, 'C1', () => `order ${order.hash} is ${placed}, recorded ${recorded}`);
  }
}

/** C1: nothing that was placed here is shown as another's, and each of those is notified once. */
function onlyStrangersAreExternal({ external, externalNotifications }: Stored, strangers: Strangers): void {
  for (const hash of external) must(strangers.has(hash), 'C1', () => `order ${hash} is ours and shown as external`);
  must(
    externalNotifications === external.length,
    'C1',
    () => `${external.length} external orders are notified ${externalNotifications} times`,
  );
}

/** C1: what is believed to have failed is not at the exchange, and what is believed to have ended has ended there. */
function noBeliefIsWrong(stored: Stored, truth: Truth): void {
  const orders = new Map(truth.orders.map((order) => [order.hash, order]));
  for (const { order_hash, status } of stored.attempts) {
    const placed = orders.get(order_hash);
    if (placed === undefined || placed.isEmpty === true) continue;
    const isGiven = status === 'rejected' || status === 'failed';
    must(!isGiven, 'C1', () => `attempt ${order_hash} is ${status}, and the exchange has it`);
    const isOver = status === 'canceled' || status === 'matched';
    must(!(isOver && placed.isStanding), 'C1', () => `attempt ${order_hash} is ${status}, and still stands`);
  }
}

const CENT = 10_000;
const ONE_SHARE = 1_000_000;

/** An order for dollars that was to buy so many shares is for whole cents. */
function moreForCents({ spends, limit }: VenueOrder): number {
  return spends ? Math.ceil((CENT * ONE_SHARE) / limit) : 0;
}

/** C2: an order for dollars takes no more of them than were signed, however many shares they bring. */
function noDollarIsSpentTwice(truth: Truth): void {
  for (const { hash, size, limit } of truth.orders.filter(({ spends }) => spends)) {
    const paid = sum(
      truth.trades.filter((trade) => trade.hash === hash),
      ({ cost }) => cost,
    );
    const signed = Math.ceil((size * limit) / ONE_SHARE / CENT) * CENT;
    must(paid <= signed, 'C2', () => `order ${hash} took ${paid}, ${signed} were signed`);
  }
}

/** C2: what the exchange has matched and may still match of a position never exceeds what was to be bought, or sold. */
function noPositionIsOrderedTwice(stored: Stored, truth: Truth): void {
  const orders = new Map(truth.orders.map((order) => [order.hash, order]));
  const failed = new Map<string, number>();
  for (const { hash, size, status } of truth.trades) {
    if (status === 'failed') failed.set(hash, (failed.get(hash) ?? 0) + size);
  }
  const reaches = new Map<string, number>();
  for (const order of stored.orders) {
    const own = stored.attempts.filter(({ order_id }) => order_id === order.id);
    const reach = sum(own, ({ order_hash }) => {
      const placed = orders.get(order_hash);
      if (placed === undefined) return 0;
      const matched = placed.spends ? Math.min(placed.matched, placed.size) : placed.matched;
      return (placed.isStanding ? placed.size : matched) - (failed.get(order_hash) ?? 0);
    });
    reaches.set(order.id, reach);
    const placed = own.flatMap(({ order_hash }) => orders.get(order_hash) ?? []);
    must(
      reach <= order.size + sum(placed, moreForCents),
      'C2',
      () => `${reach} of order ${order.id} are bought or on offer, ${order.size} were wanted`,
    );
  }
  nothingIsSoldTwice(stored, truth, reaches);
  noDollarIsSpentTwice(truth);
}

/** C2 of sales: never more than was bought, whatever of that has failed to settle since. */
function nothingIsSoldTwice(stored: Stored, truth: Truth, reaches: ReadonlyMap<string, number>): void {
  const matched = new Map(truth.orders.map((order) => [order.hash, order.matched]));
  const handedOut = new Set(
    stored.submissions.flatMap(({ status, steps }) => (status === 'confirmed' ? steps : [])).map(({ id }) => id),
  );
  for (const buy of stored.orders.filter(({ side }) => side === 'buy')) {
    const own = stored.attempts.filter(({ order_id }) => order_id === buy.id);
    const held = handedOut.has(buy.chain_step_id ?? '') ? buy.size : 0;
    const bought = held + sum(own, ({ order_hash }) => matched.get(order_hash) ?? 0);
    const sales = stored.orders.filter(({ sells_order_id }) => sells_order_id === buy.id);
    const sold = sum(sales, (sale) => (sale.chain_step_id === null ? (reaches.get(sale.id) ?? 0) : convertedBy(sale)));
    must(
      sold <= bought,
      'C2',
      () => `${sold} of order ${buy.id} are sold, on offer or converted, ${bought} were bought`,
    );
  }
}

/** What is recorded to be converted on chain stays taken until it is certain that it was not. */
function convertedBy({ status, size }: StoredOrder): number {
  return status === 'failed' ? 0 : size;
}

/** C3, while under way: every fill is a trade of the exchange, as it is and not further settled than it is. */
function fillsAreTrades(stored: Stored, truth: Truth): void {
  const trades = new Map(truth.trades.map((trade) => [tradeKey(trade.tradeId, trade.hash), trade]));
  for (const fill of stored.fills.filter((one) => !isOfChain(one))) {
    const trade = trades.get(tradeKey(fill.trade_id, fill.order_hash));
    must(trade !== undefined, 'C3', () => `fill ${fill.trade_id} is no trade of the exchange`);
    const isSame =
      trade?.price === fill.price && trade.size === fill.size && trade.cost === fill.cost && trade.fee === fill.fee;
    must(isSame, 'C3', () => `fill ${JSON.stringify(fill)} is not the trade ${JSON.stringify(trade)}`);
    const isAhead = ['confirmed', 'failed'].includes(fill.settlement) && trade?.status !== fill.settlement;
    must(!isAhead, 'C3', () => `fill ${fill.trade_id} is ${fill.settlement}, the trade is ${trade?.status}`);
  }
}

/** What may become of a status, in any number of moves; what is not named stays. */
const MOVES: Record<'batch' | 'attempt' | 'fill', Record<string, readonly string[]>> = {
  batch: {
    pending: ['processing', 'completed', 'partial_completed', 'failed', 'canceled', 'retry_pending', 'sold'],
    processing: ['completed', 'partial_completed', 'failed', 'canceled', 'retry_pending', 'sold'],
    retry_pending: ['processing', 'completed', 'partial_completed', 'failed', 'canceled', 'sold'],
    failed: ['retry_pending', 'processing', 'completed', 'partial_completed', 'canceled', 'sold'],
    partial_completed: ['retry_pending', 'processing', 'completed', 'failed', 'canceled', 'sold'],
    // A settlement that fails takes back a fill or a sale, and what it is then may be retried.
    completed: ['partial_completed', 'failed', 'sold', 'retry_pending', 'processing', 'canceled'],
    sold: ['completed', 'partial_completed', 'failed', 'retry_pending', 'processing', 'canceled'],
    canceled: [],
  },
  attempt: {
    prepared: ['sent', 'unknown', 'rejected', 'failed', 'delayed', 'open', 'canceled', 'matched'],
    // A call of which the exchange took no more is as if it had not been sent.
    sent: ['prepared', 'unknown', 'rejected', 'failed', 'delayed', 'open', 'canceled', 'matched'],
    unknown: ['prepared', 'sent', 'rejected', 'failed', 'delayed', 'open', 'canceled', 'matched'],
    // Evidence that the exchange has an order outweighs the belief that it has not.
    rejected: ['failed', 'delayed', 'open', 'canceled', 'matched'],
    failed: ['delayed', 'open', 'canceled', 'matched'],
    delayed: ['open', 'canceled', 'matched'],
    open: ['canceled', 'matched'],
    canceled: ['matched'],
    matched: [],
  },
  fill: {
    matched: ['mined', 'retrying', 'confirmed', 'failed'],
    mined: ['retrying', 'confirmed', 'failed'],
    retrying: ['mined', 'confirmed', 'failed'],
    confirmed: [],
    failed: [],
  },
};

/** C5 */
function nothingLeavesItsEnd(stored: Stored, before: Stored): void {
  const judge = (kind: keyof typeof MOVES, id: string, was: string | undefined, is: string) => {
    if (was === undefined || was === is) return;
    must(MOVES[kind][was]?.includes(is) ?? false, 'C5', () => `${kind} ${id} went from ${was} to ${is}`);
  };
  const batches = new Map(before.batches.map((batch) => [batch.id, batch.status]));
  for (const { id, status } of stored.batches) judge('batch', id, batches.get(id), status);
  const attempts = new Map(before.attempts.map((attempt) => [attempt.id, attempt.status]));
  for (const { id, status } of stored.attempts) judge('attempt', id, attempts.get(id), status);
  const fills = new Map(before.fills.map((fill) => [tradeKey(fill.trade_id, fill.order_hash), fill.settlement]));
  for (const { trade_id, order_hash, settlement } of stored.fills) {
    judge('fill', trade_id, fills.get(tradeKey(trade_id, order_hash)), settlement);
  }
  must(stored.fills.length >= before.fills.length, 'C5', () => 'a fill has vanished');
  must(stored.attempts.length >= before.attempts.length, 'C5', () => 'an attempt has vanished');
}

/** C6 */
function ordersShowTheirFills(stored: Stored): void {
  for (const order of stored.orders) {
    const own = ordersFills(stored, order);
    const filled = sum(own, ({ size }) => size);
    must(order.filled_size === filled, 'C6', () => `order ${order.id} shows ${order.filled_size} filled of ${filled}`);
    const fee = sum(own, (fill) => fill.fee);
    must(order.fee === fee, 'C6', () => `order ${order.id} shows a fee of ${order.fee}, its fills ${fee}`);
  }
}

/** Of what was bought, what no sale can bring back: the venue may have taken it for its fee. */
const FEE_PART_MAX = 20;

/**
 * C6: a batch says that shares of it are at risk when its positions hold more of one than of another whose market is open, and
 * only then. That a market has resolved is stored before what its batches show follows from it.
 */
function batchesShowWhatTheyAre(stored: Stored): void {
  for (const batch of stored.batches) {
    const positions = positionsOf(batch, stored);
    const held = positions.map((position) => position.held);
    const isGone = !isSoldOut(batch) || Math.max(...held) * FEE_PART_MAX <= batch.order_size;
    must(isGone, 'C6', () => `batch ${batch.id} is sold and holds ${held}`);
    const views = countedOrders(batch, stored).flatMap((orders) =>
      asResolvedSoFar(positionsOf(batch, stored, orders)).map((known) => ({
        profit: unpaidOf(batch, known) + moneyOf(stored, orders),
        isUneven: isUneven(batch, known),
      })),
    );
    const { actual_profit: profit, unhedged } = batch;
    const isRight = views.some(
      (view) => view.isUneven === (unhedged !== null) && (batch.total_orders === 0 || view.profit === profit),
    );
    must(
      isRight,
      'C6',
      () =>
        `batch ${batch.id} holds ${held}, shows ${profit} and ${JSON.stringify(unhedged)}: ${JSON.stringify(views)}`,
    );
  }
}

/** C7: also of what the product did by itself, under its own name. */
function actionsAreAudited(stored: Stored): void {
  for (const { id, automatic, retry_count } of stored.batches) {
    const entriesOf = (name: string) => stored.audit.filter(({ action, object }) => action === name && object === id);
    const placed = entriesOf('order.placed');
    must(placed.length === 1, 'C7', () => `batch ${id} has ${placed.length} audit entries of its placing`);
    const isOwn = placed[0]?.actor === 'system';
    must(isOwn === automatic, 'C7', () => `batch ${id} was placed by ${placed[0]?.actor}, automatic is ${automatic}`);
    const retried = entriesOf('batch.retried').length;
    must(retried >= retry_count, 'C7', () => `batch ${id} was retried ${retry_count} times and ${retried} are audited`);
  }
  const armings = stored.audit.filter(({ action }) => action === 'trading.armed' || action === 'trading.disarmed');
  for (const { venue, armed } of stored.controls) {
    const last = armings.findLast(({ object }) => object === venue);
    const isArmed = (last?.action ?? 'trading.armed') === 'trading.armed';
    must(isArmed === armed, 'C7', () => `armed at ${venue} is ${armed}, the audit log says ${isArmed}`);
  }
}

const DAY_MS = 86_400_000;

/** The limit of a day holds for all that was sent on it and matched, whenever its batch was placed. */
function noDayExceedsItsLimit(stored: Stored, truth: Truth): void {
  for (const venue of VENUE_NAMES) {
    const perDay = controlsAt(stored, venue)?.perDay ?? null;
    if (perDay !== null) noDayExceeds(perDay, venue, stored, truth);
  }
}

function noDayExceeds(perDay: number, venue: VenueName, { attempts }: Stored, truth: Truth): void {
  const dayOf = new Map(
    attempts.map(({ order_hash, sent_at }) => [order_hash, Math.floor(Date.parse(sent_at ?? '') / DAY_MS)]),
  );
  const spent = new Map<number, number>();
  for (const trade of truth.trades) {
    const day = dayOf.get(trade.hash);
    // What fails to settle has cost nothing.
    if (trade.side === 'sell' || trade.status === 'failed' || day === undefined) continue;
    if (venueOf(trade.tokenId) !== venue) continue;
    spent.set(day, (spent.get(day) ?? 0) - cashOf(trade));
  }
  for (const [day, dollars] of spent) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    must(dollars <= perDay, 'limit', () => `${dollars} were bought on ${date}, and ${perDay} is its limit`);
  }
}
