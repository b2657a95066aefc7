/** Makes an export in a thread of its own, a piece for each that it is asked for. */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { exportRecords } from './export.ts';
import type { Wanted } from './find-records.ts';

export type ExportTask = { wanted: Wanted; venue: string };
/** The bytes that come next; null behind the last. */
export type ExportPiece = Uint8Array | null;

// Elsewhere it is that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const { wanted, venue } = workerData as ExportTask;
const port = parentPort;
if (port === null) throw new Error('an export is made in a thread');
await exportRecords(wanted, venue, async (bytes) => {
  const isAskedOn = once(port, 'message');
  port.postMessage(bytes satisfies ExportPiece);
  await isAskedOn;
});
port.postMessage(null satisfies ExportPiece);
