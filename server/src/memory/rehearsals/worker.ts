/** Entry file of the rehearsal thread: own memory, own connections, lowest priority. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { REHEARSAL_DIFFERENCES_MAX, rehearsalDifference, rehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import * as z from 'zod/mini';
import { DatabasePool } from '../../platform/database/pool.ts';
import { changesOf } from './present.ts';
import { finish } from './rehearsal-lease.ts';
import { runRehearsal } from './run.ts';
import type { WorkerMessage, WorkerTask } from './worker-messages.ts';

const CONNECTIONS = 2;
const PROGRESS_EVERY_MS = 500;

// Only Linux sets the priority of one thread; other systems would set that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const task = workerData as WorkerTask;
const pool = new DatabasePool({
  connectionString: task.databaseUrl,
  max: CONNECTIONS,
  application_name: 'dutchbook rehearsal',
});
const db = drizzle(pool);
const { from, until, assumePlacing, folder, venue } = task;
const { result, differences } = await runRehearsal({
  ...{ db, folder, venue, from, until, changes: changesOf(task), assumePlacing },
  onProgress: seldom((progress) => post({ kind: 'progress', progress })),
  signal: new AbortController().signal,
});
await finish(db, task.owner, task.id, instantFromMs(Date.now() + task.aheadMs), {
  result: z.encode(rehearsalResult, result),
  differences: differences
    .slice(0, REHEARSAL_DIFFERENCES_MAX)
    .map((difference) => z.encode(rehearsalDifference, difference)),
});
await pool.end();
post({ kind: 'done' });

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function seldom(report: (progress: number) => void): (progress: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    report(progress);
  };
}
