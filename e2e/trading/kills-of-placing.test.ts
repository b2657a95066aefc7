/**
 * Each way of placing is killed at each step of its transaction and of what follows it. `npm run test:all` runs all pairs, every change
 * one of them by its hash. Batches that are signed off are in `kills-over-sign-offs`, splits in `kills-on-chain`.
 */
import { retryBatch } from '@dutchbook/contract/batches.ts';
import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import type { CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { addShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
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
import { batchAtRest, batchesOf, batchWhen, expectTruth, orderedAt, tradedAt } from './venue-truth.fixture.ts';

const STEPS = [
  'orders_signed',
  'batch_recorded',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
  'outcomes_recorded',
] as const satisfies CrashPoint[];

/** Of a product that recovers what one before it has left. */
const RECOVERY_STEPS = ['fills_read', 'fills_recorded'] as const satisfies CrashPoint[];

const CLIP_STEPS = [...STEPS, ...RECOVERY_STEPS, 'clip_due', 'batch_ended'] as const satisfies CrashPoint[];

type Way<Step = (typeof STEPS)[number]> = (chain: Chain, at: Step) => Promise<void>;

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

const CLIPS = 3;

/** The second of three clips is the one that the product dies with, or before it; or the next product dies while it recovers that clip. */
const byClip: Way<(typeof CLIP_STEPS)[number]> = async (chain, at) => {
  await begin(chain, null);
  await change(chain, { SIZE_POLICY: 'up_to', CLIP_USD: 10, CLIPS_MAX: 1 });
  const set = await trigger(chain);
  expect(await batchAtRest(chain, set)).toMatchObject({ status: 'completed', clip_number: 1 });
  await chain.stops();
  const recovering = RECOVERY_STEPS.find((step) => step === at);
  await chain.start(recovering === undefined ? at : 'venue_answered');
  await change(chain, { CLIPS_MAX: CLIPS }).catch(() => {});
  await chain.dies();
  if (recovering !== undefined) await chain.diesInRecovery(recovering);
  await chain.start(null);
  await batchWhen(chain, set, 'the last clip is whole', (last) => last.clip_number === CLIPS && !last.is_active);
  await expectTruth(chain, set);
  const clips = await batchesOf(chain, set);
  const whole = {
    status: 'completed',
    automatic: true,
    series_id: clips.at(-1)?.id,
    orders_in_doubt: 0,
    unhedged: null,
  };
  expect(clips).toMatchObject([3, 2, 1].map((number) => ({ ...whole, clip_number: number })));
  expect(await orderedAt(chain, set, 'BUY')).toEqual(Array(CLIPS).fill(set.tokenIds).flat().sort());
  const bought = clips.map(({ order_size: size }) => size).reduce(addShares, SHARES_ZERO);
  expect(await tradedAt(chain, set, 'BUY')).toEqual([bought, bought, bought]);
};

async function change(chain: Chain, settings: Partial<Settings>): Promise<void> {
  const { status, detail } = await chain.product().call(writeSystemSettings, { body: settings });
  expect({ status, detail }).toMatchObject({ status: 200 });
}

const pairs = [
  ...Object.entries(WAYS).flatMap(([name, way]) =>
    STEPS.map((step) => ({ name, step, run: (chain: Chain) => way(chain, step) })),
  ),
  ...CLIP_STEPS.map((step) => ({ name: 'by clip', step, run: (chain: Chain) => byClip(chain, step) })),
];

const PER_CHANGE = 1;

function stepOf({ run }: (typeof pairs)[number]): Step {
  return {
    says: 'the next product has it once',
    run: async (chain) => {
      await run(chain);
      await chain.stops();
    },
  };
}

const nameOf = ({ name, step }: (typeof pairs)[number]) => `${name} at ${step}`;

describeKills(Object.fromEntries(chosenNow(pairs, PER_CHANGE, nameOf).map((pair) => [nameOf(pair), stepOf(pair)])));
