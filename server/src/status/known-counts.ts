import { DEFAULT_SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { isDatabaseDown } from '../platform/database/database-down.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import {
  NOTHING_WAITS,
  readStatusCounts,
  type StatusCounts,
  triggerOf,
} from '../trading/trading-controls/system-status.ts';

/** `away`: what the status says of a database that does not answer; nothing while it does. */
type Known = { counts: StatusCounts; away: { database_away?: true; database_silent_s?: number } };

export type KnownCounts = { read: () => Promise<Known> };

/** What the top bar counts in the database: read now, or as it was read last while the database does not answer. */
export function openKnownCounts(runtime: Pick<Runtime, 'config' | 'db' | 'clock' | 'databaseWatch'>): KnownCounts {
  const { databaseWatch } = runtime;
  let counts: StatusCounts = {
    ...{ unknownOrders: 0, openSignOffs: 0, automatic: 'off', waiting: NOTHING_WAITS },
    trigger: triggerOf(DEFAULT_SETTINGS),
  };
  const asLastRead = (silentMs: number): Known => ({
    counts,
    away: { database_away: true, database_silent_s: Math.floor(silentMs / 1000) },
  });
  return {
    read: async () => {
      const silentMs = databaseWatch.silentMs();
      if (silentMs !== null) return asLastRead(silentMs);
      try {
        counts = await databaseWatch.whileItAnswers(readStatusCounts(runtime));
        return { counts, away: {} };
      } catch (error) {
        if (!isDatabaseDown(error)) throw error;
        const silentNowMs = databaseWatch.silentMs();
        // One statement that has failed is no outage.
        return silentNowMs === null ? { counts, away: {} } : asLastRead(silentNowMs);
      }
    },
  };
}
