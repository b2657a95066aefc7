import { parentPort, workerData } from 'node:worker_threads';
import { systemRandom } from '../../platform/runtime/random.ts';
import { openWriter, type WriterFailures, type WriterPlan } from './writer.ts';
import type { WriterCommand, WriterMessage } from './writer-thread.ts';

const port = parentPort;
if (port === null) throw new Error('recordings are written in a thread');
const tell = (message: WriterMessage) => port.postMessage(message);
const failuresOf = (of: keyof WriterFailures) => ({
  failed: (error: unknown) => tell({ kind: 'failed', of, error }),
  succeeded: () => tell({ kind: 'succeeded', of }),
});
const writer = openWriter(workerData as WriterPlan, () => Buffer.from(systemRandom.bytes(4)).toString('hex'), {
  recording: failuresOf('recording'),
  limits: failuresOf('limits'),
});

port.on('message', async (command: WriterCommand) => {
  await (command === null ? writer.stop() : writer.wake(command));
  tell({ kind: 'state', state: writer.state() });
  if (command === null) port.close();
});
