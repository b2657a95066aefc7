/** The steps of placing at which the product is killed, from taking up a batch for the first time to recording one. */
import { placeOrder } from '@dutchbook/contract/opportunities.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import type { CrashPoint } from '@dutchbook/server/world/crash-point.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect } from 'vitest';
import type { ThreeWay } from '../world/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import { batchAtRest, batchesOf, orderedAt, tradedAt } from './venue-truth.fixture.ts';

/** `says` what is checked; it ends with a product that dies at the point of the next step. */
export type Step = { says: string; run: (chain: Chain) => Promise<void> };

export const SIZE = sharesFromNumber(12);

/** Asks the product to buy the set; the answer never comes where it dies meanwhile. */
export async function place(chain: Chain, { opportunityId }: ThreeWay) {
  const wish = { params: { opportunity_id: opportunityId }, query: { order_size: SIZE } };
  return await chain
    .product()
    .call(placeOrder, wish)
    .catch(() => null);
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
function thenAt(next: CrashPoint): Step {
  return {
    says: 'the next product completes the batch',
    async run(chain) {
      const set = await chain.newSet();
      await place(chain, set);
      await chain.dies();
      await chain.start(next);
      await expectBoughtOnce(chain, set);
    },
  };
}

/** The product dies at `point` with the batch that the first one left. */
function midRecovery(point: CrashPoint): Step {
  return {
    says: 'no order is sent again by a product that dies while it recovers',
    async run(chain) {
      await chain.diesInRecovery(point);
      await expectOrderedOnce(chain, chain.noted('first'));
    },
  };
}

export const whileBuying = {
  lease_taken: {
    says: 'nothing has left',
    async run(chain) {
      await chain.start('lease_taken');
      // Nothing is bought or retried but what a step asks for.
      const settings = { AUTO_PLACE_ORDER_ENABLED: false };
      expect((await chain.product().call(writeSystemSettings, { body: settings })).status).toBe(200);
      const set = await chain.newSet();
      await place(chain, set);
      await chain.dies();
      expect(await orderedAt(chain, set, 'BUY')).toEqual([]);
      chain.note('first', set);
    },
  },
  fills_read: midRecovery('fills_read'),
  fills_recorded: midRecovery('fills_recorded'),
  batch_settled: {
    says: 'the fifth product shows what the first one began',
    async run(chain) {
      await chain.diesInRecovery('batch_settled');
      await chain.start('outcomes_recorded');
      await expectBoughtOnce(chain, chain.noted('first'));
    },
  },
  outcomes_recorded: thenAt('venue_answered'),
  venue_answered: thenAt('marked_sent'),
  marked_sent: thenAt('attempts_committed'),
  attempts_committed: thenAt('orders_signed'),
  orders_signed: thenAt('batch_recorded'),
  batch_recorded: thenAt('cancels_answered'),
} satisfies Partial<Record<CrashPoint, Step>>;
