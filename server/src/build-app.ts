/** Every call of the product on one HTTP server. */

import type { Venue } from '@dutchbook/venues/venue.ts';
import { registerApiTokens } from './api-tokens/routes.ts';
import { registerAudit } from './audit/routes.ts';
import { registerBatchActions } from './batches/action-routes.ts';
import { registerPlacing } from './batches/placing-routes.ts';
import { registerBatches } from './batches/routes.ts';
import { registerSelling } from './batches/selling-routes.ts';
import { batchSignedOff } from './batches/signed-off.ts';
import { measureFacts } from './decision-facts/metrics.ts';
import type { Discovery } from './discovery/discovery.ts';
import { registerDiscovery } from './discovery/routes.ts';
import { countSettlements } from './execution/settlements.ts';
import { registerExits } from './exits/routes.ts';
import type { WatchedExitSettings } from './exits/settings.ts';
import { registerExternalOrders } from './external-orders/routes.ts';
import { registerFeeStops } from './fee-stops/routes.ts';
import type { App } from './http/app.ts';
import { openApp } from './http/open-app.ts';
import { registerItems } from './items/routes.ts';
import { items } from './items/table.ts';
import type { Jobs } from './jobs/jobs.ts';
import { registerLedgerExports } from './ledger/export-routes.ts';
import { registerLedger } from './ledger/routes.ts';
import { registerRecovery } from './login/recovery-routes.ts';
import { registerLogin } from './login/routes.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import { registerMail } from './mail/routes.ts';
import { registerMarkets } from './markets/routes.ts';
import { registerNotifications } from './notifications/routes.ts';
import { registerSending } from './notifications/sending-routes.ts';
import { registerHistory } from './opportunities/history/routes.ts';
import { registerOpportunities } from './opportunities/routes.ts';
import { activeBatchOf } from './orders/batch-store.ts';
import { registerOrders } from './orders/routes.ts';
import type { Sessions, StreamHub, WatchedSettings } from './parts.ts';
import { registerPortfolio } from './portfolio/routes.ts';
import { settingsSaver, switchingOffSignedOff } from './practice/switching-off.ts';
import { measureRecording } from './recordings/metrics.ts';
import { registerMoments } from './recordings/moments/routes.ts';
import type { Recordings } from './recordings/recordings.ts';
import { registerRecordings } from './recordings/routes.ts';
import { registerRehearsals } from './rehearsals/routes.ts';
import { mayTradeUntilEnd } from './relations/store.ts';
import { relationFollows } from './relations/table.ts';
import { registerReport } from './report/routes.ts';
import type { WatchedReportSettings } from './report/settings.ts';
import { registerReportSettings } from './report/settings-routes.ts';
import type { Db, Runtime } from './runtime.ts';
import { openGuard } from './second-factor/guard.ts';
import { registerSecondFactor } from './second-factor/routes.ts';
import { passkeys, recoveryCodes, secondFactors } from './second-factor/table.ts';
import { registerSecuritySettings } from './security-settings/routes.ts';
import { needsTwoSuperusers, securitySignedOff, type WatchedSecuritySettings } from './security-settings/settings.ts';
import { registerSignOffs } from './sign-offs/routes.ts';
import type { Trading } from './start-trading.ts';
import type { Metrics } from './status/metrics.ts';
import { countUnreadableTrades } from './status/product-metrics.ts';
import { registerStatus } from './status/routes.ts';
import { registerSystemSettings } from './system-settings/routes.ts';
import { armingSignedOff } from './trading-controls/arming.ts';
import { limitsSignedOff } from './trading-controls/limits.ts';
import { registerTradingControls } from './trading-controls/routes.ts';
import type { Passwords } from './users/passwords.ts';
import { registerUsers } from './users/routes.ts';

export type AppParts = {
  runtime: Runtime;
  venue: Venue;
  settings: WatchedSettings;
  sessions: Sessions;
  passwords: Passwords;
  metrics: Metrics;
  stream: StreamHub;
  trading: Trading;
  recordings: Recordings;
  discovery: Discovery;
  exitSettings: WatchedExitSettings;
  securitySettings: WatchedSecuritySettings;
  reportSettings: WatchedReportSettings;
  jobs: Jobs;
  mailQueue: MailQueue;
  /** Where people open the product; known once it listens. */
  webUrl: () => string;
  /** Where the built web pages lie. */
  webFolder: string;
};

export async function buildApp(parts: AppParts): Promise<App> {
  const { runtime, sessions, settings, stream, trading, jobs, metrics, webFolder } = parts;
  const app = await openApp(runtime, sessions, {
    webFolder,
    onAnswer: metrics.observeAnswer,
    guard: openGuard(runtime, parts.securitySettings),
  });
  registerStatus(app, runtime, metrics, trading.controls, trading.feed, trading.account);
  countUnreadableTrades(metrics.registry, parts.venue.trading);
  measureRecording(metrics.registry, parts.recordings);
  measureFacts(metrics.registry, trading.facts);
  if (!runtime.config.roles.has('api')) return app;
  registerLogin(app, runtime, parts.passwords);
  registerSecondFactor(app, runtime, parts.passwords);
  registerRecovery(app, runtime, parts);
  registerMail(app, runtime);
  const needsTwo = (tx: Db) => needsTwoSuperusers(tx, runtime.config);
  registerUsers(
    app,
    runtime,
    parts.passwords,
    [
      { table: items, owner: items.ownerId },
      { table: relationFollows, owner: relationFollows.userId },
      { table: secondFactors, owner: secondFactors.userId },
      { table: recoveryCodes, owner: recoveryCodes.userId },
      { table: passkeys, owner: passkeys.userId },
    ],
    needsTwo,
  );
  registerItems(app, runtime);
  const needsSignOff = () => parts.securitySettings.current().sign_off_for_arming;
  const save = settingsSaver(runtime, { guard: app.guard, controls: trading.controls, needsSignOff });
  registerSystemSettings(app, runtime, settings, save);
  registerSecuritySettings(app, runtime, parts.securitySettings);
  registerApiTokens(app, runtime);
  registerAudit(app, runtime);
  const armedUnder = () => {
    const { auto_place_found } = parts.discovery.settings.current();
    return { ...settings.current(), auto_place_found };
  };
  const security = { settings: parts.securitySettings, armedUnder };
  registerTradingControls(app, runtime, trading.controls, trading.feed, security);
  registerSignOffs(app, runtime, {
    practice_off: ({ call }) => switchingOffSignedOff(runtime, { controls: trading.controls, settings }, call),
    arm: ({ call }) => armingSignedOff(runtime, trading.controls, armedUnder, call),
    limits: ({ call }) => limitsSignedOff(runtime, trading.controls, call),
    batch: batchSignedOff(trading),
    settings: ({ call }) => securitySignedOff(runtime, parts.securitySettings, call),
  });
  registerMarkets(app, parts.venue);
  const mayBeFound = (tx: Db, relationId: string) =>
    mayTradeUntilEnd(tx, relationId, parts.discovery.settings.current());
  registerOpportunities(app, { ...trading, stream, jobs, activeBatchOf, mayBeFound });
  registerHistory(app, runtime);
  registerNotifications(app, runtime);
  registerSending(app, runtime);
  registerPlacing(app, trading);
  registerBatches(app, trading);
  registerBatchActions(app, trading);
  registerSelling(app, { ...trading, venue: parts.venue });
  registerOrders(app, trading);
  registerPortfolio(app, { ...trading, trading: parts.venue.trading, venue: parts.venue });
  registerExits(app, { ...trading, venue: parts.venue, stream }, parts.exitSettings);
  registerExternalOrders(app, runtime);
  registerFeeStops(app, runtime);
  registerDiscovery(app, runtime, parts.discovery);
  registerReport(app, runtime, { settings: parts.reportSettings, countSettlements });
  registerLedger(app, runtime);
  registerLedgerExports(app, runtime);
  registerRecordings(app, parts.recordings);
  registerMoments(app, { runtime, recordings: parts.recordings, quotes: trading.quotes });
  registerRehearsals(app, runtime);
  registerReportSettings(app, runtime, parts.reportSettings);
  return app;
}
