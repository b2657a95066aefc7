/**
 * Each way of placing is killed at each step of its transaction and of what follows it. `npm run test:all` runs all pairs, every change
 * one of them by its hash. Batches that are signed off are in `kills-over-sign-offs`, splits in `kills-on-chain`.
 */
import { retryBatch } from '@dutchbook/contract/batches.ts';
import type { CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { expect } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import type { ThreeWay } from '../product/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import { describeKills } from './kill-steps.fixture.ts';
import {
  begin,
  buy,
  expectBoughtOnce,
  expectTriggeredOnce,
  type Step,
  trigger,
  untilAccepted,
} from './kills-while-buying.fixture.ts';
import { batchAtRest, batchesOf, batchWhen, orderedAt } from './venue-truth.fixture.ts';

const STEPS = [
  'orders_signed',
  'batch_recorded',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
  'outcomes_recorded',
] as const satisfies CrashPoint[];

type Way = (chain: Chain, at: (typeof STEPS)[number]) => Promise<void>;

const byHand: Way = async (chain, at) => {
  await begin(chain, at);
  const set = await chain.newSet();
  await buy(chain, set);
  await chain.dies();
  await chain.start(null);
  // What was signed and not recorded is not placed; its caller, who has no answer, asks again.
  if (at === 'orders_signed') await buy(chain, set);
  await expectBoughtOnce(chain, set);
};

const byTrigger: Way = async (chain, at) => {
  await begin(chain, at);
  const set = await trigger(chain);
  await chain.dies();
  await chain.start(null);
  await expectTriggeredOnce(chain, set);
};

const byRetry: Way = async (chain, at) => {
  await begin(chain, null);
  const set = await chain.newSet();
  const [undone = ''] = set.tokenIds;
  await chain.exchange.fault({ name: 'fail_settlement', token_id: undone });
  await buy(chain, set);
  const { id } = await batchWhen(chain, set, 'the fill was taken back', ({ status }) => status === 'partial_completed');
  await chain.stops();
  await chain.start(at);
  await retry(chain, id);
  await chain.dies();
  await chain.start(null);
  expect(await batchAtRest(chain, set)).toMatchObject({ status: 'completed', retry_count: 1, orders_in_doubt: 0 });
  await expectOnce(chain, set, [...set.tokenIds, undone]);
};

async function retry(chain: Chain, batchId: string): Promise<void> {
  const call = { params: { batch_id: batchId } };
  await untilAccepted('retrying', () =>
    chain
      .product()
      .call(retryBatch, call)
      .catch(() => null),
  );
}

async function expectOnce(chain: Chain, set: ThreeWay, ordered: readonly string[]): Promise<void> {
  expect(await batchesOf(chain, set)).toHaveLength(1);
  expect(await orderedAt(chain, set, 'BUY')).toEqual(ordered.toSorted());
}

const WAYS: Record<string, Way> = { 'by hand': byHand, 'by trigger': byTrigger, 'by retry': byRetry };

const pairs = Object.entries(WAYS).flatMap(([name, way]) => STEPS.map((step) => ({ name, way, step })));

const PER_CHANGE = 1;

function stepOf({ way, step }: (typeof pairs)[number]): Step {
  return {
    says: 'the next product has it once',
    run: async (chain) => {
      await way(chain, step);
      await chain.stops();
    },
  };
}

const nameOf = ({ name, step }: (typeof pairs)[number]) => `${name} at ${step}`;

describeKills(Object.fromEntries(chosenNow(pairs, PER_CHANGE, nameOf).map((pair) => [nameOf(pair), stepOf(pair)])));
