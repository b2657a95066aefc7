/**
 * Follows every book of the stand-in: with the adapter and its books alone, or with the trading half of the server on top, on a
 * database of its own: settings, controls, leases of partitions, the relay of the stream, prices, triggers, the queue of jobs and the
 * ageing of the history. Says when it follows them all, and whether it still does when it is asked.
 */
import { setTimeout as pause } from 'node:timers/promises';
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
import type { MarketId } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { MarketStream, Venue } from '@dutchbook/venues/venue.ts';
import { UNDISTURBED } from './undisturbed.ts';

/** `variables`: of the server's half; without them the books are followed alone. */
export type FollowerTask = {
  markets: number;
  addresses: { clobUrl: string; gammaUrl: string; wsUrl: string };
  variables?: Record<string, string>;
};

const LOOK_EVERY_MS = 100;

process.once('disconnect', () => process.exit());
const { markets, addresses, variables } = JSON.parse(process.argv[2] ?? '') as FollowerTask;
const venue = await openPolymarket(
  { ...POLYMARKET_DEFAULTS, ...addresses, stream: UNDISTURBED },
  { now: () => instantFromMs(Date.now()), random: Math.random, log: { info: () => {}, warn: () => {} } },
);
const listed = new Map(
  (await venue.catalogue.searchMarkets({ skip: 0, limit: markets })).data.map((one) => [one.id, one]),
);
/** As listed: each by itself is read from a second source too, at a pace that takes minutes for all. */
Object.assign(venue.catalogue, {
  marketsById: async (ids: readonly MarketId[]) =>
    new Map(ids.flatMap((id) => (listed.has(id) ? [[id, listed.get(id)] as const] : []))),
});
const opened = variables === undefined ? await followBooks() : await startTradingHalf(variables);
const isFollowing = () => {
  const { tokens = 0, staleTokens = 0 } = opened.stream?.health() ?? {};
  return tokens >= markets * 2 && staleTokens === 0;
};
while (!isFollowing()) await pause(LOOK_EVERY_MS);
process.on('message', () => process.send?.(isFollowing()));
process.send?.(true);

async function followBooks(): Promise<{ stream: MarketStream }> {
  const nothing = () => {};
  const stream = venue.openMarketStream({ onBooks: nothing, onTrust: nothing, onTick: nothing, onResolved: nothing });
  stream.subscribe([...listed.values()].flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId)));
  return { stream };
}

async function startTradingHalf(given: Record<string, string>): Promise<{ stream?: MarketStream }> {
  const { runtime } = await openRuntime(readConfig(given));
  const kept: { stream?: MarketStream } = {};
  const noted: Venue = {
    ...venue,
    openMarketStream: (events) => {
      kept.stream = venue.openMarketStream(events);
      return kept.stream;
    },
  };
  const settings = await openSystemSettings(runtime);
  const controls = await openTradingControls(runtime, 'polymarket');
  const engines = await openEngines(runtime);
  const { stream } = relayStream(runtime, openHub(runtime), () => true);
  const discovery = await openDiscoverySettings(runtime);
  const settlements = await followSettlements(runtime, await openReportSettings(runtime));
  const desks = await openVenueDesks(runtime, [{ name: 'polymarket', venue: noted, controls }]);
  await startTrading({ runtime, venue: noted, desks, settings, stream, engines, discovery, settlements });
  await engines.takePart();
  const queue = await openQueue(runtime, { keepsCalendar: true });
  await startHistoryRetention(queue, runtime, async () => {});
  return kept;
}
