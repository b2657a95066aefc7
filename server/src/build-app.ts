/** Every call of the product on one HTTP server. */
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { App } from './http/app.ts';
import { openApp } from './http/open-app.ts';
import type { Passwords } from './login/passwords.ts';
import { registerLogin } from './login/routes.ts';
import type { Sessions } from './login/sessions.ts';
import { registerMarkets } from './markets/routes.ts';
import type { SystemSettings } from './parts.ts';
import type { Metrics } from './status/metrics.ts';
import { registerStatus } from './status/routes.ts';
import type { Feed } from './status/system-status.ts';
import { registerSystemSettings } from './system-settings/routes.ts';
import { registerUsers } from './users/routes.ts';
import type { World } from './world/world.ts';

export type AppParts = {
  world: World;
  venue: Venue;
  settings: SystemSettings;
  sessions: Sessions;
  passwords: Passwords;
  metrics: Metrics;
  feed: () => Feed;
  /** Where the built web pages lie. */
  webFolder: string;
};

export async function buildApp(parts: AppParts): Promise<App> {
  const { world, sessions, metrics, webFolder } = parts;
  const app = await openApp(world, sessions, { webFolder, onAnswer: metrics.observeAnswer });
  registerLogin(app, world, parts.passwords);
  registerUsers(app);
  registerSystemSettings(app, parts.settings);
  registerMarkets(app, parts.venue);
  registerStatus(app, world, metrics, parts.feed);
  return app;
}
