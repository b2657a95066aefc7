import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import { databaseAnswers } from '../platform/database/database.ts';
import type { ReadFeed } from '../platform/engines/engines.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import { lastCheck } from '../trading/ledger/compare.ts';
import { countUnknownOrders, type Feed } from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';
import { readOverview } from './overview.ts';

const FEEDS: readonly Feed[] = ['live', 'polled', 'starting', 'degraded', 'down'];
const DATABASE_ANSWERS_WITHIN_MS = 1000;
const MICRO_DOLLARS = 1_000_000;

/** Fills may be missing of the orders in such trades. */
export function countUnreadableTrades(
  registry: Registry,
  venues: readonly (Pick<VenueTrading, 'unreadableTrades'> | null)[],
): void {
  new Counter({
    name: 'dutchbook_trades_unreadable_total',
    help: 'Trades of the venue that were skipped because they could not be read, each counted once',
    registers: [registry],
    collect() {
      this.reset();
      for (const trading of venues) this.inc(trading?.unreadableTrades() ?? 0);
    },
  });
}

/** What alarms and dashboards ask of the product itself. Returns what looks it up, before each time it is served. */
export function measureProduct(
  registry: Registry,
  { db, clock, storage }: Pick<Runtime, 'db' | 'clock' | 'storage'>,
  all: readonly Pick<TradingControls, 'venue' | 'current'>[],
  feed: ReadFeed,
): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dutchbook_${name}`, help, labelNames, registers: [registry] });
  const armed = gauge('trading_armed', 'Whether orders may leave, at one venue at least: 1 or 0');
  const feeds = gauge('feed', 'State of the price feed: 1 for the one it is in', ['state']);
  const answers = gauge('database_answers', 'Whether the database answers within a second: 1 or 0');
  const diskFull = gauge('disk_full', 'Whether the disk of the data folder has less than 100 MB free: 1 or 0');
  const droppedLines = new Counter({
    name: 'dutchbook_log_lines_dropped_total',
    help: 'Lines of the log that could not be written',
    registers: [registry],
  });
  const stored = [
    gauge('orders_unknown', 'Orders that were sent and whose outcome at the venue is unknown'),
    gauge('batches_running', 'Batches being bought, sold or retried'),
    gauge('batches_unhedged', 'Batches that hold shares without the rest of their set'),
    gauge('unhedged_dollars', 'What those lose if the rest never fills'),
    gauge('opportunities_active', 'Opportunities that are watched'),
    gauge('opportunities_triggered', 'Opportunities that pay enough now'),
    gauge('profit_today_dollars', 'Profit that was realised since midnight UTC'),
    gauge('notifications_failed', 'Notifications that could not be sent'),
    gauge('ledger_differences', 'Of dollars and tokens, how many the venue has otherwise than the ledger explains'),
  ];

  const armedAt =
    all.length > 1 ? gauge('venue_armed', 'Whether orders may leave to a venue: 1 or 0', ['venue']) : null;
  const setArmed = () => {
    const states = all.map(({ venue, current }) => ({ venue, value: current().armed ? 1 : 0 }));
    armed.set(Math.max(...states.map(({ value }) => value)));
    for (const { venue, value } of states) armedAt?.set({ venue }, value);
  };
  const feedsAt = gauge('venue_feed', 'State of the price feed of a venue: 1 for the one it is in', ['venue', 'state']);
  const setFeeds = () => {
    for (const state of FEEDS) {
      feeds.set({ state }, feed() === state ? 1 : 0);
      for (const { venue } of all) feedsAt.set({ venue, state }, feed(venue) === state ? 1 : 0);
    }
  };
  const countDifferences = async () => {
    const checks = await Promise.all(all.map(({ venue }) => lastCheck(db, venue)));
    return checks.reduce((sum, check) => sum + (check?.differences.length ?? 0), 0);
  };
  const readStored = async () => {
    const overview = await readOverview(db, clock.now());
    return [
      await countUnknownOrders({ db, clock }),
      overview.running_batches,
      overview.unhedged_batches,
      overview.unhedged_usd / MICRO_DOLLARS,
      overview.active_opportunities,
      overview.triggered_opportunities,
      overview.realised_today_usd / MICRO_DOLLARS,
      overview.failed_notifications,
      await countDifferences(),
    ];
  };
  return async () => {
    diskFull.set(storage.isDiskFull() ? 1 : 0);
    droppedLines.reset();
    droppedLines.inc(storage.log().dropped);
    setArmed();
    setFeeds();
    const isThere = await databaseAnswers(db, DATABASE_ANSWERS_WITHIN_MS);
    answers.set(isThere ? 1 : 0);
    const values = isThere ? await readStored() : null;
    for (const [index, each] of stored.entries()) {
      if (values === null) each.remove();
      else each.set(values[index] ?? 0);
    }
  };
}
