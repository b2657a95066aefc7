/** The steps of canceling, retrying and selling at which the product is killed; the kill switch, and an orderly end. */
import { setTimeout as pause } from 'node:timers/promises';
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { cancelBatch, retryBatch } from '@dutchbook/contract/batches.ts';
import { sellAll } from '@dutchbook/contract/selling.ts';
import type { TradingPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import type { Product } from '../product/product.ts';
import type { ThreeWay } from '../product/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import {
  begin,
  buy,
  expectBoughtOnce,
  place,
  SIZE,
  type Step,
  untilAccepted,
  type whileBuying,
} from './kills-while-buying.fixture.ts';
import {
  batchAtRest,
  batchesOf,
  batchWhen,
  expectCash,
  expectTruth,
  orderedAt,
  tradedAt,
} from './venue-truth.fixture.ts';

const HALF = (SIZE / 2) as Shares;
const TWICE = (SIZE * 2) as Shares;

/** How long after a kill switch has answered an order may still reach the venue, where both of them have the processor. */
const LAST_ORDER_WITHIN_MS = 250;
/** What was on its way from one process to the other has arrived by the time that each has answered so often. */
const ANSWERS = 5;

/** How many sets are bought at once when trading is disarmed. */
const SETS_ON_THEIR_WAY = 3;

export const afterBuying = {
  cancels_answered: { says: 'what was taken off the book stays off', run: cancelAndDie },
  batch_ended: { says: 'the batch is canceled, also where a product dies as it has just ended', run: dieAsItEnds },
  retry_judged: { says: 'only what a failed settlement took back is bought again, and once', run: retryAndDie },
  disarmed: { says: 'no order leaves any more, open ones are canceled', run: disarm },
  sale_recorded: { says: 'what was to be sold is sold once, also while disarmed', run: sellAndDie },
  sales_finished: { says: 'the batch is sold, to the cent, and trading is still disarmed', run: dieWithSale },
  stopped: { says: 'SIGTERM during a batch ends in order, and the next product completes it', run: stopDuringBatch },
} satisfies Record<Exclude<TradingPoint, keyof typeof whileBuying> | 'disarmed' | 'stopped', Step>;

async function cancelAndDie(chain: Chain): Promise<void> {
  await begin(chain, 'cancels_answered');
  // Followed for long by the time that they are bought.
  for (let nth = 0; nth < SETS_ON_THEIR_WAY; nth += 1) await chain.newSet();
  const { set, batchId } = await halfOpen(chain);
  const cancel = { params: { batch_id: batchId } };
  await untilAccepted('canceling', () =>
    chain
      .product()
      .call(cancelBatch, cancel)
      .catch(() => null),
  );
  await chain.dies();
  expect(await openAt(chain, set)).toEqual([]);
  chain.note('canceled', set);
}

async function dieAsItEnds(chain: Chain): Promise<void> {
  await chain.diesInRecovery('batch_ended');
  await chain.start('retry_judged');
  const set = chain.noted('canceled');
  expect(await batchAtRest(chain, set)).toMatchObject({ status: 'canceled', orders_in_doubt: 0 });
  expect(await orderedAt(chain, set, 'BUY')).toEqual(set.tokenIds.toSorted());
  expect(await tradedAt(chain, set, 'BUY')).toEqual([HALF, SIZE, SIZE]);
}

async function retryAndDie(chain: Chain): Promise<void> {
  const set = await chain.newSet();
  const [undone = ''] = set.tokenIds;
  await chain.exchange.fault({ name: 'fail_settlement', token_id: undone });
  await buy(chain, set);
  const failed = await batchWhen(chain, set, 'the fill was taken back', ({ status }) => status === 'partial_completed');
  await expectTruth(chain, set);
  const retry = { params: { batch_id: failed.id } };
  await untilAccepted('retrying', () =>
    chain
      .product()
      .call(retryBatch, retry)
      .catch(() => null),
  );
  await chain.dies();
  expect(await orderedAt(chain, set, 'BUY')).toHaveLength(3);
  await chain.start('sale_recorded');
  expect(await batchAtRest(chain, set)).toMatchObject({ status: 'completed', retry_count: 1, orders_in_doubt: 0 });
  expect(await orderedAt(chain, set, 'BUY')).toEqual([...set.tokenIds, undone].sort());
  expect(await tradedAt(chain, set, 'BUY')).toEqual([SIZE, SIZE, SIZE]);
  // Held twice, so that selling one batch twice would not be refused for want of shares.
  await buy(chain, set);
  expect(await batchAtRest(chain, set)).toMatchObject({ status: 'completed' });
  chain.note('to sell', set);
}

/** Nine orders are on their way, one has rested for a while, and one call waits for the venue's answer. */
async function disarm(chain: Chain): Promise<void> {
  const { exchange } = chain;
  const resting = await halfOpen(chain);
  const sets = chain.sets().slice(0, SETS_ON_THEIR_WAY);
  await exchange.fault({ name: 'hang', token_id: sets[0]?.tokenIds[0] ?? '', ms: 1000 });
  const before = (await boughtAt(chain)).length;
  const calls = sets.map((set) => place(chain, set));
  await eventually('orders go out', async () => ((await boughtAt(chain)).length > before ? true : null));
  // 202 where the database answers late: trading is halted all the same, and the stop is stored afterwards.
  expect([200, 202]).toContain((await chain.product().call(disarmTrading, { query: {} })).status);
  await pause(LAST_ORDER_WITHIN_MS);
  for (let nth = 0; nth < ANSWERS; nth += 1) {
    await batchesOf(chain, resting.set);
    await exchange.state();
  }
  const sent = await boughtAt(chain);
  await eventually('the open order was canceled', async () =>
    (await openAt(chain, resting.set)).length === 0 ? true : null,
  );
  const answers = await Promise.all(calls);
  // What had not committed by then is refused, and leaves no batch.
  const placed = sets.filter((_, index) => answers[index]?.status !== 409);
  for (const set of [resting.set, ...placed]) await batchAtRest(chain, set);
  expect(await chain.product().call(disarmTrading, { query: {} })).toMatchObject({
    status: 200,
    reply: { armed: false },
  });
  await expectDisarmed(chain);
  expect(await boughtAt(chain)).toEqual(sent);
}

async function sellAndDie(chain: Chain): Promise<void> {
  const set = chain.noted('to sell');
  const batch = await batchAtRest(chain, set);
  await eventually('the shares arrived', async () => {
    const { account } = await chain.exchange.state();
    return set.tokenIds.every((id) => sharesFromText(account.tokens[id] ?? '0') === TWICE) ? true : null;
  });
  const sale = { params: { batch_id: batch.id }, query: { simulate: false } };
  const sell = (product: Product) => product.call(sellAll, sale).catch(() => null);
  await untilAccepted('selling', () => sell(chain.product()));
  await chain.dies();
  expect(await orderedAt(chain, set, 'SELL')).toEqual([]);
  // Where a sale could be doubled: the venue has the orders, nothing is recorded of its answer, and the user asks again.
  // Only where a start took so long that the sale was given up as too old does asking again begin it anew.
  await chain.diesInRecovery('venue_answered', sell);
  await expectSoldOnce(chain, set);
}

async function dieWithSale(chain: Chain): Promise<void> {
  const set = chain.noted('to sell');
  const bought = await boughtAt(chain);
  await chain.diesInRecovery('sales_finished');
  await expectSoldOnce(chain, set);
  await chain.start(null);
  const batch = await batchAtRest(chain, set);
  expect(batch).toMatchObject({ status: 'sold', unhedged: null });
  expect((await batchesOf(chain, set)).map(({ status }) => status)).toEqual(['sold', 'completed']);
  await expectSoldOnce(chain, set);
  await expectDisarmed(chain);
  expect(await boughtAt(chain)).toEqual(bought);
}

async function stopDuringBatch(chain: Chain): Promise<void> {
  const { exchange } = chain;
  const armed = await chain.product().call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
  expect(armed).toMatchObject({ status: 200, reply: { armed: true } });
  const set = await chain.newSet();
  for (const { id } of set.markets) await exchange.delayMatching(id, 4000);
  await buy(chain, set);
  expect(await batchesOf(chain, set)).toMatchObject([{ is_active: true }]);
  await chain.stops();
  await chain.start(null);
  await expectBoughtOnce(chain, set);
  await expectCash(chain);
  await chain.stops();
}

/** A batch whose first position filled by half, so that the other half rests at the exchange. */
async function halfOpen(chain: Chain): Promise<{ set: ThreeWay; batchId: string }> {
  const set = await chain.newSet();
  await chain.exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
  await buy(chain, set);
  const isHalf = ({ unhedged }: { unhedged: object | null }) => unhedged !== null;
  const { id } = await batchWhen(chain, set, 'half of an order rests', isHalf);
  expect(await openAt(chain, set)).toEqual([set.tokenIds[0]]);
  return { set, batchId: id };
}

async function openAt(chain: Chain, { tokenIds }: ThreeWay): Promise<string[]> {
  const { orders } = await chain.exchange.state();
  return orders
    .filter(({ asset_id, status }) => tokenIds.includes(asset_id) && (status === 'LIVE' || status === 'UNMATCHED'))
    .map(({ asset_id }) => asset_id);
}

/** The ids of all orders to buy that ever reached the exchange. */
async function boughtAt(chain: Chain): Promise<string[]> {
  const { orders } = await chain.exchange.state();
  return orders.filter(({ side }) => side === 'BUY').map(({ id }) => id);
}

async function expectDisarmed(chain: Chain): Promise<void> {
  const refused = await place(chain, chain.noted('to sell'));
  expect(refused).toMatchObject({ status: 409, detail: 'Trading is disarmed.' });
}

async function expectSoldOnce(chain: Chain, set: ThreeWay): Promise<void> {
  expect(await orderedAt(chain, set, 'SELL')).toEqual(set.tokenIds.toSorted());
  expect(await tradedAt(chain, set, 'SELL')).toEqual([SIZE, SIZE, SIZE]);
}
