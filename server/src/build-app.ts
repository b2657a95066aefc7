/** Every call of the product on one HTTP server. */

import type { VenueReads } from '@dutchbook/venues/venues.ts';
import { registerExits } from './books/exits/routes.ts';
import type { WatchedExitSettings } from './books/exits/settings.ts';
import { registerPortfolio } from './books/portfolio/routes.ts';
import { registerReport } from './books/report/routes.ts';
import type { WatchedReportSettings } from './books/report/settings.ts';
import { registerReportSettings } from './books/report/settings-routes.ts';
import { measureJournal } from './market/decision-journal/metrics.ts';
import type { Discovery } from './market/discovery/discovery.ts';
import { registerMarketRules } from './market/discovery/market-rules.ts';
import { registerDiscovery } from './market/discovery/routes.ts';
import { registerAlerts } from './market/opportunities/alerts/routes.ts';
import { opportunityAlerts } from './market/opportunities/alerts/table.ts';
import { findOpportunities, opportunitiesAt } from './market/opportunities/find.ts';
import { registerHistory } from './market/opportunities/history/routes.ts';
import { registerOpportunities } from './market/opportunities/routes.ts';
import { mayTradeUntilEnd } from './market/relations/store.ts';
import { relationFollows } from './market/relations/table.ts';
import { registerMarkets } from './market/search/routes.ts';
import { registerSimulator } from './market/simulator/routes.ts';
import { registerFlightRecorder } from './memory/recordings/flight-recorder/routes.ts';
import { measureRecording } from './memory/recordings/metrics.ts';
import type { Recordings } from './memory/recordings/recordings.ts';
import { registerRecordings } from './memory/recordings/routes.ts';
import { registerRehearsals } from './memory/rehearsals/routes.ts';
import { registerApiTokens } from './people/api-tokens/routes.ts';
import { registerAttention } from './people/attention/routes.ts';
import { attentionChoices } from './people/attention/table.ts';
import { registerItems } from './people/items/routes.ts';
import { items } from './people/items/table.ts';
import { registerRecovery } from './people/login/recovery-routes.ts';
import { registerLogin } from './people/login/routes.ts';
import { registerNotifications } from './people/notifications/routes.ts';
import { registerSending } from './people/notifications/sending-routes.ts';
import { openGuard } from './people/second-factor/guard.ts';
import { registerSecondFactor } from './people/second-factor/routes.ts';
import { passkeys, recoveryCodes, secondFactors } from './people/second-factor/table.ts';
import { registerSecuritySettings } from './people/security-settings/routes.ts';
import {
  needsTwoSuperusers,
  securitySignedOff,
  type WatchedSecuritySettings,
} from './people/security-settings/settings.ts';
import { registerSignOffs } from './people/sign-offs/routes.ts';
import { registerSystemSettings } from './people/system-settings/routes.ts';
import type { WatchedSettings } from './people/system-settings/watched-settings.ts';
import type { Passwords } from './people/users/passwords.ts';
import { registerUsers } from './people/users/routes.ts';
import { registerAudit } from './platform/audit/routes.ts';
import type { App } from './platform/http/app.ts';
import { openApp } from './platform/http/open-app.ts';
import type { Sessions } from './platform/http/signed-in.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { MailQueue } from './platform/mail/mail-queue.ts';
import { registerMail } from './platform/mail/routes.ts';
import type { Db, Runtime } from './platform/runtime/runtime.ts';
import type { StreamHub } from './platform/stream/stream-hub.ts';
import type { Trading } from './start-trading.ts';
import type { KnownCounts } from './status/known-counts.ts';
import type { Metrics } from './status/metrics.ts';
import { countUnreadableTrades } from './status/product-metrics.ts';
import { registerStatus } from './status/routes.ts';
import { registerBatchActions } from './trading/batches/action-routes.ts';
import { registerChosenSizes, sizesBy } from './trading/batches/chosen-sizes.ts';
import { registerPlacing } from './trading/batches/placing-routes.ts';
import { registerBatches } from './trading/batches/routes.ts';
import { registerSelling } from './trading/batches/selling-routes.ts';
import { registerSeries } from './trading/batches/series-routes.ts';
import { batchSignedOff } from './trading/batches/signed-off.ts';
import { registerCashMoves } from './trading/cash-moves/routes.ts';
import { countSettlements } from './trading/execution/settlements.ts';
import { registerExternalOrders } from './trading/external-orders/routes.ts';
import { registerFeeStops } from './trading/fee-stops/routes.ts';
import { registerLedgerExports } from './trading/ledger/export-routes.ts';
import { registerLedger } from './trading/ledger/routes.ts';
import { activeBatchOf } from './trading/orders/batch-store.ts';
import { registerOrders } from './trading/orders/routes.ts';
import { sizesOfBatches } from './trading/orders/series.ts';
import { registerPaper } from './trading/paper-account/routes.ts';
import { settingsSaver, switchingOffSignedOff } from './trading/practice/switching-off.ts';
import { armingSignedOff } from './trading/trading-controls/arming.ts';
import { limitsSignedOff } from './trading/trading-controls/limits.ts';
import { registerTradingControls } from './trading/trading-controls/routes.ts';
import { controlsWithCash } from './trading/venue-desk/desks.ts';
import { routedTrading } from './trading/venue-desk/routed-trading.ts';

export type AppParts = {
  runtime: Runtime;
  /** Reads of all configured venues. */
  venue: VenueReads;
  settings: WatchedSettings;
  sessions: Sessions;
  passwords: Passwords;
  metrics: Metrics;
  stream: StreamHub;
  trading: Trading;
  recordings: Recordings;
  discovery: Discovery;
  /** Exit settings of each venue. */
  exitSettings: readonly WatchedExitSettings[];
  securitySettings: WatchedSecuritySettings;
  reportSettings: WatchedReportSettings;
  jobs: Jobs;
  mailQueue: MailQueue;
  known: KnownCounts;
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
  const controls = controlsWithCash(trading.desks);
  registerStatus(app, { ...trading, runtime, metrics, known: parts.known });
  countUnreadableTrades(
    metrics.registry,
    trading.desks.all.map((desk) => desk.trading),
  );
  measureRecording(metrics.registry, parts.recordings);
  measureJournal(metrics.registry, trading.journal);
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
      { table: opportunityAlerts, owner: opportunityAlerts.userId },
      { table: attentionChoices, owner: attentionChoices.userId },
      { table: secondFactors, owner: secondFactors.userId },
      { table: recoveryCodes, owner: recoveryCodes.userId },
      { table: passkeys, owner: passkeys.userId },
    ],
    needsTwo,
  );
  registerItems(app, runtime);
  const needsSignOff = () => parts.securitySettings.current().sign_off_for_arming;
  const save = settingsSaver(runtime, { guard: app.guard, controls, needsSignOff });
  registerSystemSettings(app, runtime, settings, save);
  registerSecuritySettings(app, runtime, parts.securitySettings);
  registerApiTokens(app, runtime);
  registerAudit(app, runtime);
  const armedUnder = () => {
    const { auto_place_found } = parts.discovery.settings.current();
    return { ...settings.current(), auto_place_found };
  };
  const security = { settings: parts.securitySettings, armedUnder };
  registerTradingControls(app, runtime, controls, trading.feed, security);
  registerSignOffs(app, runtime, {
    practice_off: ({ call }) => switchingOffSignedOff(runtime, { controls, settings }, call),
    arm: ({ call }) => armingSignedOff(runtime, controls, armedUnder, call),
    limits: ({ call }) => limitsSignedOff(runtime, controls, call),
    batch: batchSignedOff(trading),
    settings: ({ call }) => securitySignedOff(runtime, parts.securitySettings, call),
  });
  registerSimulator(app, runtime);
  registerPaper(app, runtime);
  const isKept = () => runtime.config.discovery && parts.discovery.settings.current().enabled;
  registerMarkets(app, runtime, { names: parts.venue.names, catalogue: parts.venue.catalogue, isKept });
  const mayBeFound = (tx: Db, relationId: string) =>
    mayTradeUntilEnd(tx, relationId, parts.discovery.settings.current());
  const { catalogue } = parts.venue;
  registerOpportunities(app, {
    ...trading,
    stream,
    jobs,
    activeBatchOf,
    mayBeFound,
    catalogue,
    sizesBy: sizesBy(trading),
  });
  registerHistory(app, runtime);
  registerAlerts(app, runtime);
  registerAttention(app, runtime);
  registerNotifications(app, runtime, { found: findOpportunities, at: opportunitiesAt });
  registerSending(app, runtime);
  registerPlacing(app, trading);
  registerChosenSizes(app, trading);
  registerSeries(app, trading);
  registerBatches(app, trading);
  registerBatchActions(app, trading);
  const isReadOnly = trading.desks.all.every((desk) => desk.trading === null);
  const sellingAt = { catalogue, trading: isReadOnly ? null : routedTrading(trading.desks) };
  registerSelling(app, { ...trading, venue: sellingAt });
  registerOrders(app, trading);
  registerPortfolio(app, { ...trading, catalogue });
  registerExits(app, { ...trading, catalogue, stream }, parts.exitSettings);
  registerExternalOrders(app, runtime);
  registerCashMoves(app, trading);
  registerFeeStops(app, runtime);
  registerDiscovery(app, runtime, parts.discovery, sizesOfBatches);
  registerMarketRules(app, runtime, catalogue);
  registerReport(app, runtime, { settings: parts.reportSettings, countSettlements });
  registerLedger(app, runtime);
  registerLedgerExports(app, runtime);
  registerRecordings(app, parts.recordings);
  const { quotes } = trading;
  registerFlightRecorder(app, { runtime, recordings: parts.recordings, quotes, settings });
  registerRehearsals(app, runtime);
  registerReportSettings(app, runtime, parts.reportSettings);
  return app;
}
