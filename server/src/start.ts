import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { buildApp } from './build-app.ts';
import { SHARES } from './engines/division.ts';
import { type Engines, onlyEngine, openEngines } from './engines/engines.ts';
import { webFolder } from './folders.ts';
import { startHistoryRetention } from './history/retention-job.ts';
import { startJobs } from './jobs/jobs.ts';
import { openQueue } from './jobs/queue.ts';
import { createPasswords } from './login/passwords.ts';
import { recoveryMailWork } from './login/recovery-mail.ts';
import { openSessions } from './login/sessions.ts';
import { openMailQueue, startMailing } from './mail/mail-queue.ts';
import { publishNotifications } from './notifications/publish.ts';
import { startSending } from './notifications/sending/sending-job.ts';
import { checkAllWork, updatePricesWork } from './opportunities/check-all.ts';
import { importSamples } from './opportunities/samples.ts';
import { createMetrics } from './status/metrics.ts';
import { publishSystemStatus } from './status/publish-status.ts';
import { type OpenHub, openHub } from './stream/hub.ts';
import { type Relay, relayStream } from './stream/relay.ts';
import { serveStream } from './stream/websocket.ts';
import { openSystemSettings } from './system-settings/settings.ts';
import type { LivePrices } from './trading/prices/live-prices.ts';
import { startTrading } from './trading/start-trading.ts';
import { openTradingControls } from './trading-controls/controls.ts';
import { ensureFirstSuperuser } from './users/first-superuser.ts';
import type { Config } from './world/config.ts';
import { openWorld } from './world/open-world.ts';
import { watchForHoldUps } from './world/watchdog.ts';
import type { World } from './world/world.ts';

export type Running = { url: string; stop: () => Promise<void> };

/** What was opened is closed in the opposite order. */
type Closers = (() => void | Promise<void>)[];

/**
 * Starts everything `config` asks for, and says where it listens. When a part cannot be started, those before it are
 * stopped again and the error is thrown.
 */
export async function start(config: Config, say: (line: string) => void): Promise<Running> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { url: await startParts(config, say, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(config: Config, say: (line: string) => void, closers: Closers): Promise<string> {
  const { world, close } = await openWorld(config);
  closers.push(close);
  closers.push(watchForHoldUps(world.log));
  const venue = await openVenue(world);
  closers.push(() => venue.close());
  const settings = await openSystemSettings(world);
  closers.push(settings.stop);
  const controls = await openTradingControls(world);
  closers.push(controls.stop);
  const hub = openHub(world);
  closers.push(hub.stop);
  const engines = await enginesOf(world);
  closers.push(engines.stop);
  const { stream, stop: stopRelaying } = streamOf(world, hub, engines);
  closers.push(stopRelaying);

  const passwords = createPasswords();
  const madeUpPassword = await ensureFirstSuperuser(world, passwords);
  if (madeUpPassword !== null) say(`First superuser: ${config.firstSuperuser.email} with password ${madeUpPassword}`);

  const sessions = openSessions(world);
  const metrics = createMetrics();
  const trading = await startTrading(world, venue, settings, controls, stream, engines);
  closers.push(trading.stop);
  if (config.roles.has('engine')) await engines.takePart();
  const work = { check_all: checkAllWork(world.db, trading), update_prices: updatePricesWork(world.db, trading) };
  const queue = await openQueue(world, { keepsCalendar: config.roles.has('jobs') });
  closers.push(queue.stop);
  const jobs = await startJobs(world, queue, stream, config.roles.has('jobs') ? work : null);
  const mailQueue = await openMailQueue(queue, world);
  closers.push(publishSystemStatus(world, controls, hub, trading.feed));
  closers.push(publishNotifications(world, hub));
  if (config.demoData) await importDemoData(world, venue, trading.live);

  let url = '';
  const webUrl = () => config.publicUrl ?? url;
  const parts = { world, venue, settings, sessions, passwords, metrics, stream, trading, jobs, mailQueue, webUrl };
  const app = await buildApp({ ...parts, webFolder });
  closers.push(() => app.http.close());
  closers.push(serveStream(app.http.server, world, sessions, hub));
  url = await app.http.listen({ host: config.host, port: config.port });
  if (config.roles.has('jobs')) {
    await startMailing(queue, world, recoveryMailWork(world, webUrl));
    closers.push(await startSending(queue, world, webUrl));
    await startHistoryRetention(queue, world);
  }
  return url;
}

function streamOf(world: World, hub: OpenHub, { shares }: Engines): Relay {
  const { databaseUrl, roles } = world.config;
  if (databaseUrl === null) return { stream: hub, stop: () => {} };
  return relayStream(world, hub, () => roles.has('jobs') && shares.held()?.length === SHARES);
}

/** An embedded database belongs to one process; on a server there may be any number. */
async function enginesOf(world: World): Promise<Engines> {
  return world.config.databaseUrl === null ? onlyEngine() : await openEngines(world);
}

/** So that the first page a newcomer opens is alive; a venue that is not up yet only leaves it empty. */
async function importDemoData(world: World, venue: Venue, live: Pick<LivePrices, 'notice'>): Promise<void> {
  try {
    if ((await importSamples(world, venue.catalogue)) > 0) await live.notice();
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    world.log.warn({ reason: error.message }, 'no sample opportunities: the exchange did not answer');
  }
}

async function openVenue({ config, clock, dice, log }: World): Promise<Venue> {
  return openPolymarket({ ...POLYMARKET_DEFAULTS, ...config.polymarket }, { now: clock.now, random: dice.random, log });
}
