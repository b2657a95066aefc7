import type { StreamHub } from '../parts.ts';
import type { World } from '../world/world.ts';
import { type Feed, readSystemStatus } from './system-status.ts';

const LOOK_EVERY_MS = 1000;

/** Tells every tab when what the top bar shows has changed. Returns what stops it. */
export function publishSystemStatus(world: World, stream: StreamHub, feed: () => Feed): () => void {
  let told = '';
  return world.timers.every(LOOK_EVERY_MS, async () => {
    if (!stream.watched('system')) return;
    const data = await readSystemStatus(world, feed());
    const news = JSON.stringify(data);
    if (news === told) return;
    told = news;
    stream.publish({ topic: 'system', type: 'system', id: 'system', data });
  });
}
