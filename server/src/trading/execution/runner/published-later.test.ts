import type { Batch } from '@dutchbook/contract/batches.ts';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../../platform/stream/stream-hub.ts';
import { openTestRuntime } from '../../../test-runtime.ts';
import { ended, pass, recordedBatch, start, until } from './runner.fixture.ts';
import { scriptedTrading } from './scripted-trading.fixture.ts';

describe('a batch that ends as the database fails', () => {
  it('is shown in the open tabs as it ended once the database answers', async () => {
    await using test = await openTestRuntime();
    let isAway = false;
    const venue = scriptedTrading(test.runtime);
    const shown: string[] = [];
    const stream: StreamHub = {
      watched: () => true,
      publish: ({ type, data }) => void (type === 'batch' && shown.push((data as Batch).status)),
    };
    const { db } = test.runtime;
    const runtime: Runtime = {
      ...test.runtime,
      db: new Proxy(db, {
        get: (target, name) => {
          if (isAway) throw new Error('the database is away');
          return Reflect.get(target, name);
        },
      }),
      pass: (point) => {
        isAway ||= point === 'batch_ended';
      },
    };
    const { placing } = await start(test, venue, { runtime, stream });
    venue.onPost((order) => venue.take(order));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    expect((await until(test, batchId, ended)).batch.status).toBe('completed');
    expect(shown.at(-1)).toBe('processing');
    isAway = false;
    await test.time.advance(1000);
    expect(shown.at(-1)).toBe('completed');
    await placing.stop();
  });

  it('is said in the log once with all others, and once when they are published to open tabs', async () => {
    await using test = await openTestRuntime();
    let isAway = true;
    const said: { level: number; batches?: number }[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void said.push(JSON.parse(line)) });
    const stream: StreamHub = {
      watched: () => {
        if (isAway) throw new Error('the database is away');
        return true;
      },
      publish: () => {},
    };
    const { placing } = await start(test, undefined, { runtime: { ...test.runtime, log }, stream });
    const batchIds = [await recordedBatch(test), await recordedBatch(test, {}, ['103'])];
    for (const batchId of batchIds) placing.wake(batchId);
    for (const batchId of batchIds) await until(test, batchId, ended);
    await pass(test, 5000);
    isAway = false;
    await pass(test, 2000);
    expect(said.map(({ level, batches }) => [pino.levels.labels[level], batches])).toEqual([
      ['warn', undefined],
      ['info', 2],
    ]);
    await placing.stop();
  });
});
