import type { StreamHub, TradingControls } from '../parts.ts';
import { answeredWithin, isDatabaseDown } from '../world/database-down.ts';
import type { World } from '../world/world.ts';
import { countUnknownOrders, type Feed, systemStatus } from './system-status.ts';

const LOOK_EVERY_MS = 1000;
const DATABASE_ANSWERS_WITHIN_MS = 2000;

/** Tells every tab when what the top bar shows has changed, of arming at once, and while the database is away. Returns what stops it. */
export function publishSystemStatus(
  world: World,
  controls: TradingControls,
  stream: StreamHub,
  feed: () => Feed,
): () => void {
  const { config, db, timers } = world;
  let told = '';
  let unknownOrders = 0;
  // The embedded database does not answer while this process is busy, and is away only where this process is.
  const inTime = <T>(answer: Promise<T>) =>
    config.databaseUrl === null ? answer : answeredWithin(timers, DATABASE_ANSWERS_WITHIN_MS, answer);
  const lookUp = async () => {
    try {
      unknownOrders = await inTime(countUnknownOrders(db));
      return {};
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      return { database_away: true };
    }
  };
  const look = async () => {
    if (!stream.watched('system')) return;
    const found = await lookUp();
    const data = { ...systemStatus(world, controls, feed, unknownOrders), ...found };
    const news = JSON.stringify(data);
    if (news === told) return;
    told = news;
    stream.publish({ topic: 'system', type: 'system', id: 'system', data });
  };
  const lookAtOnce = () =>
    void look().catch((error: unknown) => world.log.warn({ err: error }, 'The open tabs were not told of the system'));
  const stopHearing = controls.onChange(lookAtOnce);
  const stopLooking = timers.every(LOOK_EVERY_MS, look);
  return () => {
    stopHearing();
    stopLooking();
  };
}
