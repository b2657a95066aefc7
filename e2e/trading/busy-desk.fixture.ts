/** A user who never stops ordering and reading, whatever the answers; and what has to be true afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import { verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { listExternalOrders } from '@dutchbook/contract/external-orders.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';
import { SIZE } from './kills-while-buying.fixture.ts';
import { batchAtRest, batchesOf, type Desk, orderedAt, ordersOf } from './venue-truth.fixture.ts';

const ASK_EVERY_MS = 150;

/** `desk.product()` may end and be another one from then on; what it does not answer is asked again. */
export async function openBusyDesk(desk: Desk, nth: number) {
  const set = await cheapThreeWay(desk.exchange, desk.product(), nth);
  const acknowledged: string[] = [];
  let isOver = false;
  const place = () =>
    desk.product().call(placeOrder, { params: { opportunity_id: set.opportunityId }, query: { order_size: SIZE } });

  async function keepOrdering(): Promise<void> {
    while (!isOver) {
      const answer = await place().catch(() => null);
      if (answer?.status === 200) acknowledged.push(answer.reply.id);
      await pause(ASK_EVERY_MS);
    }
  }
  async function keepReading(): Promise<void> {
    while (!isOver) {
      await batchesOf(desk, set).catch(() => null);
      await pause(ASK_EVERY_MS);
    }
  }
  const asking = [keepOrdering(), keepReading()];

  return {
    set,
    place,
    /** Resolves when one more order was acknowledged than when it was called. */
    async trades(): Promise<void> {
      const before = acknowledged.length;
      const more = async () => (acknowledged.length > before ? true : null);
      await eventually('an order was acknowledged', more);
    },
    /** Ends the asking: no order that was acknowledged is lost, none was sent that is not recorded, and none twice. */
    async endInOrder(): Promise<void> {
      isOver = true;
      await Promise.all(asking);
      await expectNothingLostOrDoubled(desk, set, acknowledged);
    },
  };
}

async function expectNothingLostOrDoubled(desk: Desk, set: ThreeWay, acknowledged: readonly string[]): Promise<void> {
  expect(await batchAtRest(desk, set)).toMatchObject({ orders_in_doubt: 0 });
  const batchIds = (await batchesOf(desk, set)).map(({ id }) => id);
  expect(batchIds).toEqual(expect.arrayContaining([...acknowledged]));
  const orders = await ordersOf(desk, { opportunity_id: set.opportunityId });
  expect(orders.filter(({ attempts }) => attempts > 1)).toEqual([]);
  const filled = orders.filter(({ filled_size }) => filled_size > 0).map(({ token_id }) => token_id);
  expect(await orderedAt(desk, set, 'BUY')).toEqual(filled.sort());
  expect((await desk.product().call(listExternalOrders, { query: {} })).reply.count).toBe(0);
  expect((await desk.product().call(verifyAuditLog)).reply).toMatchObject({ intact: true });
}
