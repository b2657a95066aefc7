/** The calls that need no trading, served for tests over a fresh database. The venue is the real adapter with nobody to talk to. */
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import { registerAudit } from '../audit/routes.ts';
import { registerExternalOrders } from '../external-orders/routes.ts';
import { registerHistory } from '../history/routes.ts';
import { registerItems } from '../items/routes.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import { createPasswords, type Passwords } from '../login/passwords.ts';
import { recoveryMailWork } from '../login/recovery-mail.ts';
import { registerRecovery } from '../login/recovery-routes.ts';
import { registerLogin } from '../login/routes.ts';
import { openSessions, type Sessions } from '../login/sessions.ts';
import { type MailQueue, openMailQueue, startMailing } from '../mail/mail-queue.ts';
import { registerMail } from '../mail/routes.ts';
import { registerMarkets } from '../markets/routes.ts';
import { registerNotifications } from '../notifications/routes.ts';
import { registerSending } from '../notifications/sending-routes.ts';
import { createMetrics } from '../status/metrics.ts';
import { registerStatus } from '../status/routes.ts';
import { registerSystemSettings } from '../system-settings/routes.ts';
import { openSystemSettings } from '../system-settings/settings.ts';
import { openTradingControls } from '../trading-controls/controls.ts';
import { registerTradingControls } from '../trading-controls/routes.ts';
import { registerUsers } from '../users/routes.ts';
import type { UserRow } from '../users/store.ts';
import { users } from '../world/schema.ts';
import { openTestWorld, type TestDatabase, type TestWorld } from '../world/test-world.ts';
import type { World } from '../world/world.ts';
import type { App, HttpServer } from './app.ts';
import { openApp } from './open-app.ts';

export const TEST_PASSWORD = 'correct horse battery';
/** Where links in mails lead. */
export const TEST_WEB_URL = 'https://desk.example';

export type TestApp = AsyncDisposable & {
  app: App;
  http: HttpServer;
  test: TestWorld;
  sessions: Sessions;
  addUser: (fields?: Partial<UserRow>) => Promise<UserRow>;
  /** A user like that, and the header of their session. */
  signedIn: (fields?: Partial<UserRow>) => Promise<{ user: UserRow; headers: { authorization: string } }>;
};

// Once for all tests of the process: hashing is made to be slow.
const passwords = createPasswords();
const testPasswordHash = passwords.hash(TEST_PASSWORD);

/** With `mailing` the mails that calls ask for are sent: that costs a second, so the others do without. */
export async function openTestApp(
  kind: TestDatabase,
  given: { variables?: Record<string, string>; webFolder?: string; mailing?: boolean } = {},
): Promise<TestApp> {
  const test = await openTestWorld(kind, { VENUE: 'polymarket', ...given.variables });
  const { world } = test;
  const sessions = openSessions(world);
  const mailing = given.mailing ? await openMailing(world) : null;
  const venue = await openPolymarket(
    { ...POLYMARKET_DEFAULTS, ...world.config.polymarket },
    { now: world.clock.now, random: world.dice.random, log: world.log },
  );
  const parts = { world, venue, sessions, passwords, mailQueue: mailing?.mailQueue ?? notOpened };
  const app = await openCalls(parts, given.webFolder ?? world.config.dataDir);
  const addUser = async (fields: Partial<UserRow> = {}) => {
    const id = world.dice.uuid();
    const [user] = await world.db
      .insert(users)
      .values({
        id,
        email: `${id}@example.com`,
        passwordHash: await testPasswordHash,
        isSuperuser: false,
        isActive: true,
        createdAt: world.clock.now(),
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

type Parts = { world: World; venue: Venue; sessions: Sessions; passwords: Passwords; mailQueue: MailQueue };

/** Serves them as the product does, and the pages of `webFolder`. */
async function openCalls({ world, venue, sessions, passwords, mailQueue }: Parts, webFolder: string): Promise<App> {
  const settings = await openSystemSettings(world);
  const controls = await openTradingControls(world);
  const metrics = createMetrics();
  const app = await openApp(world, sessions, { webFolder, onAnswer: metrics.observeAnswer });
  registerLogin(app, world, passwords);
  registerRecovery(app, world, { passwords, mailQueue, webUrl: () => TEST_WEB_URL });
  registerMail(app, world);
  registerUsers(app, world, passwords);
  registerItems(app, world);
  registerSystemSettings(app, world, settings);
  registerAudit(app, world);
  registerMarkets(app, venue);
  registerExternalOrders(app, world);
  registerHistory(app, world);
  registerNotifications(app, world);
  registerSending(app, world);
  registerTradingControls(app, world, controls, () => 'live');
  registerStatus(app, world, metrics, controls, () => 'live');
  return app;
}

const notOpened: MailQueue = {
  add: () => Promise.reject(new Error('This app was opened without mailing')),
};

/** The queue of mails, worked on here. */
async function openMailing(world: World): Promise<{ queue: Queue; mailQueue: MailQueue }> {
  const queue = await openQueue(world);
  const mailQueue = await openMailQueue(queue, world);
  await startMailing(
    queue,
    world,
    recoveryMailWork(world, () => TEST_WEB_URL),
  );
  return { queue, mailQueue };
}
