/**
 * The trading half of the server as it runs on a PostgreSQL server of its own: settings, controls, leases of partitions, the
 * relay of the stream, prices, triggers, the queue of jobs and the ageing of the history. Its venue says nothing but the
 * market channel, and lists its markets at once.
 */

import { openReportSettings } from '@dutchbook/server/books/report/settings.ts';
import { openDiscoverySettings } from '@dutchbook/server/market/discovery/settings.ts';
import { startHistoryRetention } from '@dutchbook/server/market/opportunities/history/retention-job.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { openSystemSettings } from '@dutchbook/server/people/system-settings/settings.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import { openEngines } from '@dutchbook/server/platform/engines/engines.ts';
import { openQueue } from '@dutchbook/server/platform/jobs/queue.ts';
import { openHub } from '@dutchbook/server/platform/stream/hub.ts';
import { relayStream } from '@dutchbook/server/platform/stream/relay.ts';
import { startTrading } from '@dutchbook/server/start-trading.ts';
import { followSettlements } from '@dutchbook/server/trading/execution/settlements.ts';
import { openTradingControls } from '@dutchbook/server/trading/trading-controls/controls.ts';
import { openVenueDesks } from '@dutchbook/server/trading/venue-desk/venue-desk.ts';
import type { MarketStream, Venue } from '@dutchbook/venues/venue.ts';
import { marketsOf, venueOf } from '../feed/markets.ts';
import { openStreamAt } from '../feed/stream.ts';
import { answerReports, type SideTask, sideTask } from './sides.ts';

/** Input of this side, beside that of every side. */
export type ValuedTask = { variables: Record<string, string>; opportunities: number; positions: number };

const { variables, url, opportunities, positions } = sideTask<SideTask & ValuedTask>();
const { runtime } = await openRuntime(readConfig(variables));
const opened: { stream?: MarketStream } = {};
let frames = 0;

const settings = await openSystemSettings(runtime);
const controls = await openTradingControls(runtime, 'polymarket');
const engines = await openEngines(runtime);
const { stream } = relayStream(runtime, openHub(runtime), () => true);
const discovery = await openDiscoverySettings(runtime);
const settlements = await followSettlements(runtime, await openReportSettings(runtime));
const venue = openVenue();
const desks = await openVenueDesks(runtime, [{ name: 'polymarket', venue, controls }]);
await startTrading({ runtime, venue, desks, settings, stream, engines, discovery, settlements });
await engines.takePart();
const queue = await openQueue(runtime, { keepsCalendar: true });
await startHistoryRetention(queue, runtime, async () => {});
answerReports(() => ({ frames, isRight: opened.stream?.health().staleTokens === 0 }));

function openVenue(): Venue {
  return venueOf(marketsOf({ opportunities, positions }), runtime, {
    openMarketStream: (events) => {
      const onFrame = () => {
        frames += 1;
      };
      opened.stream = openStreamAt(url, runtime, { ...events, onFrame });
      return opened.stream;
    },
  });
}
