import { setFlagsFromString } from 'node:v8';
import { explainFailedStart } from './explain-failed-start.ts';
import { readConfig } from './platform/config/config.ts';
import { type Running, start } from './start.ts';

const STOP_WITHIN_MS = 10_000;
/** What is in use and half as much again: by itself V8 lets four times as much stand while books move, most of it garbage. */
const HEAP_GROWTH = '--heap-growing-percent=50';
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

setFlagsFromString(HEAP_GROWTH);

const say = (line: string) => void process.stdout.write(`${line}\n`);

// What cannot be written there, as on a full disk, would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

// A signal without a listener would end the process without its `exit`, with which its own PostgreSQL ends.
let stop: () => void = () => process.exit(0);
for (const signal of SIGNALS) process.on(signal, () => stop());

try {
  const running = await start(readConfig(process.env), say);
  stop = () => void stopRunning(running);
  say(`Dutchbook listens on ${running.url}`);
  // What started it starts it again from then on, should it end by itself.
  process.send?.('listening');
} catch (error) {
  process.stderr.write(`${explainFailedStart(error)}\n`);
  process.exit(1);
}

async function stopRunning(running: Running): Promise<void> {
  stop = () => {};
  setTimeout(() => {
    process.stderr.write('Some work did not stop in time and was left.\n');
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  await running.stop();
  process.exit(0);
}
