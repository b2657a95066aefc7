/** Every call of the product on one HTTP server. */
import type { Venue } from '@dutchbook/venues/venue.ts';
import { registerAudit } from './audit/routes.ts';
import { registerBatchActions } from './batches/action-routes.ts';
import { registerPlacing } from './batches/placing-routes.ts';
import { registerBatches } from './batches/routes.ts';
import { registerSelling } from './batches/selling-routes.ts';
import { registerExternalOrders } from './external-orders/routes.ts';
import { registerHistory } from './history/routes.ts';
import type { App } from './http/app.ts';
import { openApp } from './http/open-app.ts';
import { registerItems } from './items/routes.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Passwords } from './login/passwords.ts';
import { registerRecovery } from './login/recovery-routes.ts';
import { registerLogin } from './login/routes.ts';
import type { Sessions } from './login/sessions.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import { registerMail } from './mail/routes.ts';
import { registerMarkets } from './markets/routes.ts';
import { registerNotifications } from './notifications/routes.ts';
import { registerSending } from './notifications/sending-routes.ts';
import { registerOpportunities } from './opportunities/routes.ts';
import { registerOrders } from './orders/routes.ts';
import type { StreamHub, WatchedSettings } from './parts.ts';
import type { Metrics } from './status/metrics.ts';
import { registerStatus } from './status/routes.ts';
import { registerSystemSettings } from './system-settings/routes.ts';
import type { Trading } from './trading/start-trading.ts';
import { registerTradingControls } from './trading-controls/routes.ts';
import { registerUsers } from './users/routes.ts';
import type { World } from './world/world.ts';

export type AppParts = {
  world: World;
  venue: Venue;
  settings: WatchedSettings;
  sessions: Sessions;
  passwords: Passwords;
  metrics: Metrics;
  stream: StreamHub;
  trading: Trading;
  jobs: Jobs;
  mailQueue: MailQueue;
  /** Where people open the product; known once it listens. */
  webUrl: () => string;
  /** Where the built web pages lie. */
  webFolder: string;
};

export async function buildApp(parts: AppParts): Promise<App> {
  const { world, sessions, settings, stream, trading, jobs, metrics, webFolder } = parts;
  const app = await openApp(world, sessions, { webFolder, onAnswer: metrics.observeAnswer });
  registerStatus(app, world, metrics, trading.controls, trading.feed);
  if (!world.config.roles.has('api')) return app;
  registerLogin(app, world, parts.passwords);
  registerRecovery(app, world, parts);
  registerMail(app, world);
  registerUsers(app, world, parts.passwords);
  registerItems(app, world);
  registerSystemSettings(app, world, settings);
  registerAudit(app, world);
  registerTradingControls(app, world, trading.controls, trading.feed);
  registerMarkets(app, parts.venue);
  registerOpportunities(app, { ...trading, stream, jobs });
  registerHistory(app, world);
  registerNotifications(app, world);
  registerSending(app, world);
  registerPlacing(app, trading);
  registerBatches(app, trading);
  registerBatchActions(app, trading);
  registerSelling(app, { ...trading, venue: parts.venue });
  registerOrders(app, trading);
  registerExternalOrders(app, world);
  return app;
}
