/** The calls that need no trading, served for tests over a fresh database. The venue is the real adapter without a server. */

import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import { registerAlerts } from '../../market/opportunities/alerts/routes.ts';
import { findOpportunities, opportunitiesAt } from '../../market/opportunities/find.ts';
import { registerHistory } from '../../market/opportunities/history/routes.ts';
import { registerMarkets } from '../../market/search/routes.ts';
import { registerSimulator } from '../../market/simulator/routes.ts';
import { registerApiTokens } from '../../people/api-tokens/routes.ts';
import { registerAttention } from '../../people/attention/routes.ts';
import { registerItems } from '../../people/items/routes.ts';
import { items } from '../../people/items/table.ts';
import { registerRecovery } from '../../people/login/recovery-routes.ts';
import { registerLogin } from '../../people/login/routes.ts';
import { openSessions } from '../../people/login/sessions.ts';
import { registerNotifications } from '../../people/notifications/routes.ts';
import { registerSending } from '../../people/notifications/sending-routes.ts';
import { openGuard } from '../../people/second-factor/guard.ts';
import { registerSecondFactor } from '../../people/second-factor/routes.ts';
import { registerSecuritySettings } from '../../people/security-settings/routes.ts';
import {
  needsTwoSuperusers,
  openSecuritySettings,
  securitySignedOff,
} from '../../people/security-settings/settings.ts';
import { registerSignOffs } from '../../people/sign-offs/routes.ts';
import { registerSystemSettings } from '../../people/system-settings/routes.ts';
import { openSystemSettings } from '../../people/system-settings/settings.ts';
import { createPasswords, type Passwords } from '../../people/users/passwords.ts';
import { registerUsers } from '../../people/users/routes.ts';
import { users } from '../../people/users/table.ts';
import { queuedLetters } from '../../queued-letters.ts';
import { openKnownCounts } from '../../status/known-counts.ts';
import { createMetrics } from '../../status/metrics.ts';
import { countUnreadableTrades } from '../../status/product-metrics.ts';
import { registerStatus } from '../../status/routes.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { registerExternalOrders } from '../../trading/external-orders/routes.ts';
import { registerLedger } from '../../trading/ledger/routes.ts';
import { settingsSaver, switchingOffSignedOff } from '../../trading/practice/switching-off.ts';
import { armingSignedOff } from '../../trading/trading-controls/arming.ts';
import { openTradingControls } from '../../trading/trading-controls/controls.ts';
import { limitsSignedOff } from '../../trading/trading-controls/limits.ts';
import { registerTradingControls } from '../../trading/trading-controls/routes.ts';
import { registerAudit } from '../audit/routes.ts';
import type { ReadFeed } from '../engines/engines.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import { type MailQueue, openMailQueue, startMailing } from '../mail/mail-queue.ts';
import { registerMail } from '../mail/routes.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { App, HttpServer } from './app.ts';
import { openApp } from './open-app.ts';
import type { Sessions, UserRow } from './signed-in.ts';

export const TEST_PASSWORD = 'correct horse battery';
/** Where links in mails lead. */
export const TEST_WEB_URL = 'https://desk.example';

export type TestApp = AsyncDisposable & {
  app: App;
  http: HttpServer;
  test: TestRuntime;
  sessions: Sessions;
  addUser: (fields?: Partial<UserRow>) => Promise<UserRow>;
  /** A user like that, and the header of their session. */
  signedIn: (fields?: Partial<UserRow>) => Promise<{ user: UserRow; headers: { authorization: string } }>;
};

// Hashing is made to be slow: here it costs the least that Argon2 takes, and the common password is hashed once.
const passwords = createPasswords({ algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 });
const testPasswordHash = passwords.hash(TEST_PASSWORD);

/** With `mailing` the mails that calls ask for are sent: that costs a second, so the others do without. `venues`: where several are configured. */
export async function openTestApp(
  given: {
    variables?: Record<string, string>;
    webFolder?: string;
    mailing?: boolean;
    venues?: readonly VenueName[];
  } = {},
): Promise<TestApp> {
  const test = await openTestRuntime({ VENUE: 'polymarket', ...given.variables });
  const { runtime } = test;
  const sessions = openSessions(runtime);
  const mailing = given.mailing ? await openMailing(runtime) : null;
  const venue = await openPolymarket(
    { ...POLYMARKET_DEFAULTS, ...runtime.config.polymarket },
    { now: runtime.clock.now, random: runtime.random.fraction, log: runtime.log },
  );
  const parts = {
    runtime,
    venue,
    sessions,
    passwords,
    mailQueue: mailing?.mailQueue ?? notOpened,
    venues: given.venues ?? ONE,
  };
  const app = await openCalls(parts, given.webFolder ?? runtime.config.dataDir);
  const addUser = async (fields: Partial<UserRow> = {}) => {
    const id = runtime.random.uuid();
    const [user] = await runtime.db
      .insert(users)
      .values({
        id,
        email: `${id}@example.com`,
        passwordHash: await testPasswordHash,
        isSuperuser: false,
        isActive: true,
        createdAt: runtime.clock.now(),
        ...fields,
      })
      .returning();
    if (!user) throw new Error('The user was not inserted');
    return user;
  };
  return {
    app,
    http: app.http,
    test,
    sessions,
    addUser,
    signedIn: async (fields) => {
      const user = await addUser(fields);
      return { user, headers: { authorization: `Bearer ${await sessions.issue(user)}` } };
    },
    [Symbol.asyncDispose]: async () => {
      await app.http.close();
      await mailing?.queue.stop();
      await venue.close();
      await test.close();
    },
  };
}

const ONE: readonly VenueName[] = ['polymarket'];

/** Over all, and of each venue. */
const feed: ReadFeed = (venue) => (venue === 'kalshi' ? 'down' : 'live');

type Parts = {
  runtime: Runtime;
  venue: Venue;
  sessions: Sessions;
  passwords: Passwords;
  mailQueue: MailQueue;
  venues: readonly VenueName[];
};

/** Serves them as the product does, and the pages of `webFolder`. */
async function openCalls(parts: Parts, webFolder: string): Promise<App> {
  const { runtime, venue, sessions, passwords, mailQueue, venues } = parts;
  const settings = await openSystemSettings(runtime);
  const controls = await Promise.all(
    venues.map((name) => openTradingControls(runtime, name, venues.length === 1 ? null : VENUE_LABELS[name])),
  );
  const security = await openSecuritySettings(runtime);
  const metrics = createMetrics();
  const app = await openApp(runtime, sessions, {
    webFolder,
    onAnswer: metrics.observeAnswer,
    guard: openGuard(runtime, security),
  });
  registerLogin(app, runtime, passwords);
  registerSecondFactor(app, runtime, passwords);
  registerRecovery(app, runtime, { passwords, mailQueue, webUrl: () => TEST_WEB_URL });
  registerMail(app, runtime);
  registerUsers(app, runtime, passwords, [{ table: items, owner: items.ownerId }], (tx) =>
    needsTwoSuperusers(tx, runtime.config),
  );
  registerItems(app, runtime);
  const needsSignOff = () => security.current().sign_off_for_arming;
  const save = settingsSaver(runtime, { guard: app.guard, controls, needsSignOff });
  registerSystemSettings(app, runtime, settings, save);
  registerSecuritySettings(app, runtime, security);
  registerApiTokens(app, runtime);
  registerAudit(app, runtime);
  registerLedger(app, runtime);
  registerMarkets(app, runtime, { ...venue, isKept: () => false });
  registerSimulator(app, runtime);
  registerExternalOrders(app, runtime);
  registerHistory(app, runtime);
  registerAlerts(app, runtime);
  registerAttention(app, runtime);
  registerNotifications(app, runtime, { found: findOpportunities, at: opportunitiesAt });
  registerSending(app, runtime);
  const armedUnder = () => ({ ...settings.current() });
  registerTradingControls(app, runtime, controls, feed, { settings: security, armedUnder });
  registerSignOffs(app, runtime, {
    practice_off: ({ call }) => switchingOffSignedOff(runtime, { controls, settings }, call),
    arm: ({ call }) => armingSignedOff(runtime, controls, armedUnder, call),
    limits: ({ call }) => limitsSignedOff(runtime, controls, call),
    batch: () => {
      throw new Error('This app was opened without trading');
    },
    settings: ({ call }) => securitySignedOff(runtime, security, call),
  });
  const account = { reading: () => null };
  const all = controls.map((each) => ({ name: each.venue, controls: each, account }));
  registerStatus(app, { runtime, metrics, desks: { all }, feed, known: openKnownCounts(runtime) });
  countUnreadableTrades(metrics.registry, []);
  return app;
}

const notOpened: MailQueue = {
  add: () => Promise.reject(new Error('This app was opened without mailing')),
};

/** The queue of mails, worked on here. */
async function openMailing(runtime: Runtime): Promise<{ queue: Queue; mailQueue: MailQueue }> {
  const queue = await openQueue(runtime);
  const mailQueue = await openMailQueue(queue, runtime);
  await startMailing(
    queue,
    runtime,
    queuedLetters(runtime, () => TEST_WEB_URL),
  );
  return { queue, mailQueue };
}
