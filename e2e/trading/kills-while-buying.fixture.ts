/** The steps of placing at which the product is killed, from taking up a batch for the first time to recording one. */
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import type { CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { CHEAP_ASK, LOW_BID, type ThreeWay } from '../product/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import { batchAtRest, batchesOf, expectCash, orderedAt, tradedAt } from './venue-truth.fixture.ts';

/** `says` what is checked; it ends with a product that dies at the point of the next step. */
export type Step = { says: string; run: (chain: Chain) => Promise<void> };

export const SIZE = sharesFromNumber(12);

/** Starts the first product, which buys and retries nothing but what a step asks for. */
export async function begin(chain: Chain, crashAt: CrashPoint | null): Promise<void> {
  await chain.start(crashAt);
  await buyAutomatically(chain, false);
}

/** Asks the product to buy the set; the answer never comes where it dies meanwhile. */
export async function place(chain: Chain, { opportunityId }: ThreeWay) {
  const request = { params: { opportunity_id: opportunityId }, query: { order_size: SIZE } };
  return await chain
    .product()
    .call(placeOrder, request)
    .catch(() => null);
}

/** Has the product buy the set, which may kill it. */
export async function buy(chain: Chain, set: ThreeWay): Promise<void> {
  await untilAccepted('buying', () => place(chain, set));
}

/** What may refuse a product that has just started, or whose stream has just broken off: it has still to hear from the venue. */
const FOR_A_MOMENT = /still being reconciled|there is no book|book is \d+ s old/;

/** Asks again, as a person would, while the answer is a refusal of the kind that lasts a moment. Null: no answer has come. */
export async function untilAccepted(what: string, ask: () => Promise<{ status: number; detail: string } | null>) {
  const { answer } = await eventually(what, async () => {
    const answer = await ask();
    if (answer !== null && FOR_A_MOMENT.test(answer.detail)) throw new Error(answer.detail);
    return { answer };
  });
  if (answer !== null && answer.status !== 200)
    throw new Error(`${what} was refused: ${answer.status} ${answer.detail}`);
}

/** Every position was ordered once, and filled, and the batch is complete. */
export async function expectBoughtOnce(chain: Chain, set: ThreeWay): Promise<void> {
  const batch = await batchAtRest(chain, set);
  expect(batch).toMatchObject({ status: 'completed', total_orders: 3, expected_orders: 3, orders_in_doubt: 0 });
  expect(await batchesOf(chain, set)).toHaveLength(1);
  await expectOrderedOnce(chain, set);
}

async function expectOrderedOnce(chain: Chain, set: ThreeWay): Promise<void> {
  expect(await orderedAt(chain, set, 'BUY')).toEqual(set.tokenIds.toSorted());
  expect(await tradedAt(chain, set, 'BUY')).toEqual([SIZE, SIZE, SIZE]);
}

/** The product dies at its point with a batch of its own; the next one, which is to die at `next`, completes it. */
function thenAt(next: CrashPoint | null): Step {
  return {
    says: 'the next product completes the batch',
    async run(chain) {
      const set = await chain.newSet();
      await buy(chain, set);
      await chain.dies();
      await chain.start(next);
      await expectBoughtOnce(chain, set);
    },
  };
}

/** The kill of a triggered batch, whose transaction is directly followed by its call to the venue. */
function triggeredThenAt(next: CrashPoint): Step {
  return {
    says: 'the next product completes what the trigger began, and buys it once',
    async run(chain) {
      const set = await trigger(chain);
      await chain.dies();
      await chain.start(next);
      await expectTriggeredOnce(chain, set);
    },
  };
}

/** Has a new set, which was too dear before, come up to its trigger while the product buys by itself. */
export async function trigger(chain: Chain): Promise<ThreeWay> {
  const set = await chain.newSet({ ...CHEAP_ASK, price: '0.4' });
  await buyAutomatically(chain, true);
  for (const tokenId of set.tokenIds) {
    await chain.exchange.setBook(tokenId, [LOW_BID], [{ ...CHEAP_ASK, price: '0.3' }]);
  }
  return set;
}

async function buyAutomatically(chain: Chain, isOn: boolean): Promise<void> {
  const settings = { AUTO_PLACE_ORDER_ENABLED: isOn };
  expect((await chain.product().call(writeSystemSettings, { body: settings })).status).toBe(200);
}

/** The one batch of the set is complete, and every position was ordered once; nothing more is bought by itself. */
export async function expectTriggeredOnce(chain: Chain, set: ThreeWay): Promise<void> {
  const batch = await batchAtRest(chain, set);
  await buyAutomatically(chain, false);
  expect(batch).toMatchObject({ status: 'completed', automatic: true, total_orders: 3, orders_in_doubt: 0 });
  expect(await batchesOf(chain, set)).toHaveLength(1);
  expect(await orderedAt(chain, set, 'BUY')).toEqual(set.tokenIds.toSorted());
  const { order_size: size } = batch;
  expect(await tradedAt(chain, set, 'BUY')).toEqual([size, size, size]);
  for (const type of ['opportunity_triggered', 'order_placed'] as const) {
    const { reply } = await chain.product().call(listNotifications, { query: { notification_type: type } });
    const ofBatch = reply.data.filter(({ data }) => data.batch_id === batch.id);
    expect(ofBatch, `notifications of type ${type}`).toHaveLength(1);
  }
}

export const whileBuying = {
  lease_taken: {
    says: 'nothing has left',
    async run(chain) {
      await begin(chain, 'batch_recorded');
      const set = await chain.newSet();
      await buy(chain, set);
      await chain.dies();
      await chain.diesInRecovery('lease_taken');
      expect(await orderedAt(chain, set, 'BUY')).toEqual([]);
      chain.note('first', set);
    },
  },
  fills_read: {
    says: 'no order is sent again by a product that dies while it recovers',
    async run(chain) {
      await chain.diesInRecovery('fills_read');
      await expectOrderedOnce(chain, chain.noted('first'));
    },
  },
  fills_recorded: {
    says: 'the fourth product shows what the first one began, which has completed with its fills',
    async run(chain) {
      await chain.diesInRecovery('fills_recorded');
      await chain.start('outcomes_recorded');
      await expectBoughtOnce(chain, chain.noted('first'));
    },
  },
  outcomes_recorded: thenAt('venue_answered'),
  triggered_answered: triggeredThenAt('venue_answered'),
  venue_answered: thenAt('marked_sent'),
  triggered_sent: triggeredThenAt('marked_sent'),
  marked_sent: thenAt('attempts_committed'),
  attempts_committed: thenAt('orders_signed'),
  orders_signed: {
    says: 'nothing was recorded and nothing has left; asked again, the next product buys once',
    async run(chain) {
      const set = await chain.newSet();
      await buy(chain, set);
      await chain.dies();
      expect(await orderedAt(chain, set, 'BUY')).toEqual([]);
      await chain.start('batch_recorded');
      expect(await batchesOf(chain, set)).toEqual([]);
      await buy(chain, set);
      await chain.dies();
      await chain.start('batch_recorded');
      await expectBoughtOnce(chain, set);
    },
  },
  batch_recorded: thenAt(null),
  triggered_signed: {
    says: 'nothing was recorded and nothing has left; the next product triggers and buys once',
    async run(chain) {
      await chain.stops();
      await chain.start('orders_signed');
      const set = await trigger(chain);
      await chain.dies();
      expect(await orderedAt(chain, set, 'BUY')).toEqual([]);
      await chain.start(null);
      await expectTriggeredOnce(chain, set);
      await expectCash(chain);
    },
  },
} satisfies Record<string, Step>;
