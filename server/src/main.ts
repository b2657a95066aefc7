import { explainFailedStart } from './explain-failed-start.ts';
import { type Running, start } from './start.ts';
import { readConfig } from './world/config.ts';

const STOP_WITHIN_MS = 10_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const running = await start(readConfig(process.env), say);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running));
  say(`Dutchbook listens on ${running.url}`);
} catch (error) {
  process.stderr.write(`${explainFailedStart(error)}\n`);
  process.exit(1);
}

async function stop(running: Running): Promise<void> {
  setTimeout(() => {
    process.stderr.write('Some work did not stop in time and was left.\n');
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  await running.stop();
  process.exit(0);
}
