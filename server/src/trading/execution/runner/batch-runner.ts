/**
 * The batch runner carries out what batches record. It owns a batch by a lease of seconds, reads what is committed, does
 * the next step, and starts over; so a process that has just started and one that has been running do the same thing.
 */

import { retriedSince } from '@dutchbook/engine/batch/retry.ts';
import { isLeader } from '../../../platform/engines/leader.ts';
import type { Partitions } from '../../../platform/engines/partitions.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { Placing } from '../../orders/intents.ts';
import { followAccount } from '../../venue-desk/follow-account.ts';
import { routedTrading } from '../../venue-desk/routed-trading.ts';
import type { FastPath } from '../fast-path/start-batch.ts';
import { openTriggersFirst } from '../fast-path/triggers-first.ts';
import { readEndedBatches } from '../recovery/ended-batches.ts';
import { forgetOlderDust } from '../recovery/older-dust.ts';
import { newOrderPolls } from '../recovery/polls.ts';
import { NOTHING_UNRECONCILED, trackUnreconciled } from '../recovery/unreconciled-batches.ts';
import { newAutomaticRetries } from './automatic-retry.ts';
import { type BatchWorkers, SWEEP_EVERY_MS, startBatchWorkers } from './batch-workers.ts';
import { cancelWhileHeld, openRestingHere } from './held-stops.ts';
import { notifyLegRisk } from './leg-risk.ts';
import { openPlacedOrders } from './placed-orders.ts';
import { openBatchPublisher } from './publish-batch.ts';
import type { RunnerContext, RunnerParts } from './runner-context.ts';

type BatchRunnerParts = RunnerParts & { partitions: Partitions };

/** `fastPath`: starts batches in the transaction that records them; null where no configured venue can trade. */
export type BatchRunner = Placing & Pick<BatchWorkers, 'onRested'> & { fastPath: FastPath | null };

/**
 * Resolves once the batches that an earlier run left unfinished are known; `isReconciled` is false until all of them are reconciled. On a
 * venue without a trading key it carries out simulated batches only.
 */
export async function startBatchRunner(parts: BatchRunnerParts): Promise<BatchRunner> {
  const { runtime, desks, partitions } = parts;
  const traded = desks.all.flatMap(({ trading, ...desk }) => (trading === null ? [] : [{ ...desk, trading }]));
  const trading = routedTrading(desks);
  const polls = newOrderPolls();
  const unreconciled = traded.length === 0 ? NOTHING_UNRECONCILED : trackUnreconciled(runtime);
  await unreconciled.add(null);
  await forgetOlderDust(runtime.db);
  const owner = runtime.random.uuid();
  const publisher = openBatchPublisher(parts);
  const triggers = openTriggersFirst(runtime);
  const resting = openRestingHere();
  const context: RunnerContext = {
    ...{ parts, trading, owner, polls, publisher, triggers, placed: resting },
  };
  const workers = startBatchWorkers(parts, context, unreconciled);
  const { wake, sweep } = workers;
  const logged = (task: Promise<void>) =>
    void task.catch((error: unknown) => runtime.log.error({ err: error }, 'batch runner task failed'));
  const placed = openPlacedOrders(runtime, partitions, polls, wake);
  /** The stream of an account was interrupted: its orders are read again. */
  const onGap = () => {
    polls.forget();
    placed.forget();
    logged(sweep());
  };
  const reactions = { isOurs: () => isLeader(partitions), poll: placed.poll, onGap, logged };
  const accounts = traded.map((desk) => followAccount(runtime, parts.catalogue, desk, reactions));
  const reserve: FastPath['reserve'] = (batchId) => {
    const release = workers.reserve(batchId);
    if (release === null) return null;
    return (started) => {
      if (started !== null) placed.note(started.opportunityId, started.attempts);
      release(started);
    };
  };
  const retries = newAutomaticRetries({ ...parts, publisher });
  const stops = [
    ...desks.all.map(({ controls }) => controls.onChange(() => logged(sweep()))),
    ...traded.map((desk) => cancelWhileHeld(runtime, desk, resting)),
    partitions.onChange((gained) => logged(unreconciled.add(gained).then(sweep))),
    runtime.pubsub.subscribe('batch_called', (batchId) =>
      logged(batchId === undefined ? sweep() : workers.wakeIfUnfinished(batchId)),
    ),
    runtime.timers.every(SWEEP_EVERY_MS, async () => {
      await sweep();
      await publisher.publishFailed();
      const ended = await readEndedBatches(runtime.db, retriedSince(runtime.clock.now()), partitions.held());
      await notifyLegRisk(runtime, ended);
      await publisher.publishUnhedged(ended);
      // Not awaited: it asks the venue for prices.
      logged(retries.request(ended).then((retried) => retried.forEach(wake)));
    }),
  ];
  await sweep();
  for (const account of accounts) account.poll();
  return {
    wake: partitions.held() === null ? wake : (batchId) => logged(callBatch(runtime, batchId)),
    isReconciled: unreconciled.isEmpty,
    onRested: workers.onRested,
    fastPath:
      traded.length === 0
        ? null
        : { runtime, trading, quotes: parts.quotes, owner, triggers, owns: partitions.owns, reserve },
    async stop() {
      for (const stop of stops) stop();
      triggers.stop();
      const ended = workers.stop();
      await Promise.all(accounts.map((account) => account.stop()));
      await ended;
    },
  };
}

/** Notifies the engine that owns the batch to take it up at once. */
export async function callBatch({ db, pubsub }: Pick<Runtime, 'db' | 'pubsub'>, batchId: string): Promise<void> {
  await pubsub.publish(db, 'batch_called', batchId);
}
