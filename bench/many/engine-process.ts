/** The process behind `prices.ts`: one engine's live loop over what is its part of the database, as a server with the role runs it. */

import { readConfig } from '@dutchbook/server/config/config.ts';
import { openEngines } from '@dutchbook/server/engines/engines.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { follow, marketsOf } from '../feed/desk.ts';
import { openStreamAt } from '../feed/sender.ts';

/** What it is told to begin with. */
export type EngineTask = { variables: Record<string, string>; url: string; opportunities: number };

/** How it stands: `cpuUs` and `frames` since it began; `heapMb`: what is held for what it follows. */
export type EngineReport = { cpuUs: number; frames: number; partitions: number; tokens: number; heapMb: number };

const task = JSON.parse(process.argv[2] ?? '') as EngineTask;
const { runtime } = await openRuntime(readConfig(task.variables));
const engines = await openEngines(runtime);
const heapBeforeMb = heapHeldMb();
let frames = 0;
const { stream, stop } = await follow(runtime, engines.partitions, marketsOf(task), {
  openStream: (events, ownRuntime) =>
    openStreamAt(task.url, ownRuntime, {
      ...events,
      onFrame: () => {
        frames += 1;
      },
    }),
});
await engines.takePart();
process.on('message', (wish: 'report' | 'heap' | 'stop') => {
  if (wish === 'stop') return void leave();
  const { user, system } = process.cpuUsage();
  const report: EngineReport = {
    cpuUs: user + system,
    frames,
    partitions: engines.partitions.held()?.length ?? 0,
    tokens: stream.health().tokens,
    heapMb: wish === 'heap' ? heapHeldMb() - heapBeforeMb : Number.NaN,
  };
  process.send?.(report);
});
process.once('disconnect', () => process.exit());

/** What it held is free for the others at once. */
async function leave(): Promise<void> {
  await stop();
  await engines.stop();
  process.exit();
}

/** After a full collection, so that it is what is held and not what was thrown away. */
function heapHeldMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
