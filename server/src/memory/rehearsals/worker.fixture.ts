/** In place of `worker.ts`: does what the folder of the recordings is called. */
import { parentPort, workerData } from 'node:worker_threads';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import { DatabasePool } from '../../platform/database/pool.ts';
import { finish } from './rehearsal-lease.ts';
import { NOTHING_FOUND } from './result.fixture.ts';
import type { WorkerTask } from './worker-messages.ts';

const task = workerData as WorkerTask;
const steps: Record<string, () => Promise<void>> = {
  finds: async () => {
    const pool = new DatabasePool({ connectionString: task.databaseUrl, max: 1 });
    const at = instantFromMs(Date.now() + task.aheadMs);
    await finish(drizzle(pool), task.owner, task.id, at, { result: NOTHING_FOUND, differences: [] });
    await pool.end();
    parentPort?.postMessage({ kind: 'done' });
  },
  hangs: async () => {
    parentPort?.postMessage({ kind: 'progress', progress: 0.25 });
    for (;;);
  },
  breaks: async () => {
    throw new Error('The recordings cannot be read');
  },
  grows: async () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5));
  },
};
await steps[task.folder]?.();
