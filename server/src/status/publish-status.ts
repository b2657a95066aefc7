import type { StreamHub, TradingControls } from '../parts.ts';
import type { World } from '../world/world.ts';
import { type Feed, readSystemStatus } from './system-status.ts';

const LOOK_EVERY_MS = 1000;

/** Tells every tab when what the top bar shows has changed, of arming at once. Returns what stops it. */
export function publishSystemStatus(
  world: World,
  controls: TradingControls,
  stream: StreamHub,
  feed: () => Feed,
): () => void {
  let told = '';
  const look = async () => {
    if (!stream.watched('system')) return;
    const data = await readSystemStatus(world, controls, feed);
    const news = JSON.stringify(data);
    if (news === told) return;
    told = news;
    stream.publish({ topic: 'system', type: 'system', id: 'system', data });
  };
  const lookAtOnce = () =>
    void look().catch((error: unknown) => world.log.warn({ err: error }, 'The open tabs were not told of the system'));
  const stopHearing = controls.onChange(lookAtOnce);
  const stopLooking = world.timers.every(LOOK_EVERY_MS, look);
  return () => {
    stopHearing();
    stopLooking();
  };
}
