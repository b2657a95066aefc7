/** A writer in a thread of its own: it is woken by a message, and answers with how far it has come. */
import { Worker } from 'node:worker_threads';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { writerProgram } from '../../folders.ts';
import type { OpenWriter } from './recorder.ts';
import type { Waking, WriterFailures, WriterState } from './writer.ts';

/** A kilobyte for each book. Without a limit, too many of them would end the whole process; what it reads is garbage at once. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

export type WriterMessage =
  | { kind: 'state'; state: WriterState }
  | { kind: 'failed'; of: keyof WriterFailures; error: unknown }
  | { kind: 'succeeded'; of: keyof WriterFailures };
/** Null: it is to write what is left, and end. */
export type WriterCommand = Waking | null;

export const openWriterThread: OpenWriter = (plan, { failures, onBroken }) => {
  const worker = new Worker(writerProgram, {
    ...{ workerData: plan, resourceLimits: LIMITS, execArgv: [], name: 'recorder' },
  });
  let state: WriterState = {
    ...plan.counted,
    ...{ tokens: 0, since: null, interrupted: { since: null, reason: 'starting' }, waitingBytes: 0 },
    ...{ recordedUntil: null, takenAt: instantFromMs(0), place: plan.place },
  };
  let isStopping = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (message: WriterMessage) => {
    if (message.kind === 'state') state = message.state;
    else if (message.kind === 'failed') failures[message.of].failed(message.error);
    else failures[message.of].succeeded();
  });
  worker.on('error', onBroken);
  void ended.then(() => {
    if (!isStopping) onBroken(new Error('the thread that writes recordings has ended'));
  });
  const ask = (command: WriterCommand) => worker.postMessage(command);
  return {
    wake: async (waking) => ask(waking),
    state: () => state,
    stop: async () => {
      isStopping = true;
      ask(null);
      await ended;
    },
  };
};
