/** Exports one after the other, each in a thread of limited memory, which ends when its reader has gone. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { exportProgram } from '../../folders.ts';
import { TooMany } from '../../platform/http/errors.ts';
import type { ExportPiece, ExportTask } from './export-worker.ts';

const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
const RETRY_SECONDS = 10;

/** `pieces`: the bytes of the file. `end`: the reader has gone. */
export type Exporting = { pieces: AsyncGenerator<Uint8Array>; end: () => void };

/** @returns what begins one. It throws TooMany while another is being made */
export function openExports(): (task: ExportTask) => Exporting {
  let running: Worker | null = null;

  return (task) => {
    if (running !== null)
      throw new TooMany('Recordings are being exported already. Try again once that is done.', RETRY_SECONDS);
    const worker = new Worker(exportProgram, {
      ...{ workerData: task, resourceLimits: LIMITS, execArgv: [], name: 'export' },
    });
    running = worker;
    const end = () => {
      if (running === worker) running = null;
      void worker.terminate();
    };
    return { pieces: piecesOf(worker, end), end };
  };
}

async function* piecesOf(worker: Worker, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const piece = message as ExportPiece;
      if (piece === null) return;
      yield piece;
      worker.postMessage('more');
    }
    throw new Error('the export has ended early');
  } finally {
    end();
  }
}
