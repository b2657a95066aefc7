import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import { openVenues } from '@dutchbook/venues/venues.ts';
import { keepEquity } from './books/equity/equity.ts';
import { openExitSettings } from './books/exits/settings.ts';
import { startExits } from './books/exits/start-exits.ts';
import { openReportAging } from './books/report/aging.ts';
import { startKeepingResults } from './books/report/keep-results.ts';
import { openReportSettings } from './books/report/settings.ts';
import { buildApp } from './build-app.ts';
import { chatCommands } from './chat-commands/commands.ts';
import { webFolder } from './folders.ts';
import { claimInstallation } from './installation/claim.ts';
import { refuseOtherExchange } from './installation/paper-exchange.ts';
import { refuseTakenPort } from './installation/taken-port.ts';
import { takeUpKeptStops } from './kept-stops.ts';
import { openJournalAging } from './market/decision-journal/aging.ts';
import { startDiscovery } from './market/discovery/discovery.ts';
import { openDiscoverySettings } from './market/discovery/settings.ts';
import { queueAlertMails } from './market/opportunities/alerts/mail-alerts.ts';
import { checkAllWork, updatePricesWork } from './market/opportunities/check-all.ts';
import { makeDaysAtStart } from './market/opportunities/history/days.ts';
import { startHistoryRetention } from './market/opportunities/history/retention-job.ts';
import { openRelationAging } from './market/relations/retention.ts';
import { combineTokens } from './memory/recordings/combined-tokens.ts';
import { openRecordings } from './memory/recordings/recordings.ts';
import { openWriterThread } from './memory/recordings/writer-thread.ts';
import { startRehearsing } from './memory/rehearsals/rehearsal-loop.ts';
import { openKalshiAccount } from './open-kalshi.ts';
import { openRuntime } from './open-runtime.ts';
import { openSessions } from './people/login/sessions.ts';
import { publishNotifications } from './people/notifications/publish.ts';
import { startSending } from './people/notifications/sending/sending-job.ts';
import { openSecuritySettings } from './people/security-settings/settings.ts';
import { expireSignOffs } from './people/sign-offs/decide.ts';
import { triggerWords } from './people/system-settings/in-units.ts';
import { openSystemSettings } from './people/system-settings/settings.ts';
import { ensureFirstSuperuser, signInWords } from './people/users/first-superuser.ts';
import { createPasswords, type Passwords } from './people/users/passwords.ts';
import { openFirstConnections } from './platform/database/database.ts';
import { forgetDeleted } from './platform/deletions/deletions.ts';
import { PARTITIONS } from './platform/engines/division.ts';
import { type Engines, onlyEngine, openEngines } from './platform/engines/engines.ts';
import { missingProxies } from './platform/http/caller-address.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { openQueue } from './platform/jobs/queue.ts';
import { openMailQueue, startMailing } from './platform/mail/mail-queue.ts';
import type { Config } from './platform/runtime/config.ts';
import type { Runtime } from './platform/runtime/runtime.ts';
import { watchForHoldUps } from './platform/runtime/watchdog.ts';
import { type OpenHub, openHub } from './platform/stream/hub.ts';
import { type Relay, relayStream } from './platform/stream/relay.ts';
import { serveStream } from './platform/stream/websocket.ts';
import { queuedLetters } from './queued-letters.ts';
import { startTrading } from './start-trading.ts';
import { openKnownCounts } from './status/known-counts.ts';
import { createMetrics } from './status/metrics.ts';
import { publishSystemStatus } from './status/publish-status.ts';
import { startMovingCash } from './trading/cash-moves/move-loop.ts';
import { followSettlements } from './trading/execution/settlements.ts';
import { startKeepingHoldings } from './trading/holdings/keep-holdings.ts';
import { activeBatchOf } from './trading/orders/batch-store.ts';
import { batchesSince } from './trading/orders/series.ts';
import { startStartingOver } from './trading/paper-account/start-over-loop.ts';
import { openTradingControls } from './trading/trading-controls/controls.ts';
import { startCheckingReserved, startFoldingReserved } from './trading/under-way/keep-reserved.ts';
import { controlsWithCash } from './trading/venue-desk/desks.ts';
import { openVenueDesks, type VenueAccount } from './trading/venue-desk/venue-desk.ts';
import { startFollowingPayouts } from './trading/venue-moves/payout-loop.ts';

/** How often records are removed for good whose deletion can no longer be undone. */
const FORGET_DELETED_MS = 60_000;

/** How often expired sign-offs are marked; they stop counting at their deadline anyway. */
const EXPIRE_SIGN_OFFS_MS = 5_000;

type OpenVenue = { name: VenueName; open: (runtime: Runtime) => Promise<Venue> };

export type OpenVenues = readonly [OpenVenue, ...OpenVenue[]];

const POLYMARKET: OpenVenue = {
  name: 'polymarket',
  open: ({ config, clock, random, log }) =>
    openPolymarket({ ...POLYMARKET_DEFAULTS, ...config.polymarket }, { now: clock.now, random: random.fraction, log }),
};

const KALSHI: OpenVenue = { name: 'kalshi', open: openKalshiAccount };

const OPENERS: Readonly<Record<VenueName, OpenVenue>> = { polymarket: POLYMARKET, kalshi: KALSHI };

/** The configured venues, in their order. */
function configuredVenues({ venues }: Pick<Config, 'venues'>): OpenVenues {
  const [first = POLYMARKET, ...others] = [...venues.keys()].map((name) => OPENERS[name]);
  return [first, ...others];
}

export type Running = { url: string; stop: () => Promise<void> };

/** Called in reverse order at the end. */
type Closers = (() => void | Promise<void>)[];

/**
 * Starts everything `config` asks for, and says where it listens. When a part cannot be started, those before it are
 * stopped again and the error is thrown.
 */
export async function start(
  config: Config,
  say: (line: string) => void,
  venues = configuredVenues(config),
): Promise<Running> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { url: await startParts(config, { say, venues }, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = { say: (line: string) => void; venues: OpenVenues };

async function startParts(config: Config, { say, venues }: Started, closers: Closers): Promise<string> {
  await refuseTakenPort(config);
  await refuseOtherExchange(config);
  const { runtime, close } = await openRuntime(config);
  closers.push(close);
  await claimInstallation(runtime);
  await makeDaysAtStart(runtime);
  closers.push(watchForHoldUps(runtime.log));
  const base = await openBase(runtime, venues, closers);
  const passwords = await openPasswords(runtime, say);
  const sessions = openSessions(runtime);
  const loops = await startLoops(base, closers);

  let url = '';
  const webUrl = () => config.publicUrl ?? url;
  const app = await buildApp({ ...base, ...loops, sessions, passwords, metrics: createMetrics(), webUrl, webFolder });
  closers.push(() => app.http.close());
  await app.http.ready();
  // Generating the document takes tenths of a second, which would hold up every call that came meanwhile.
  if (config.apiDocumentAtStart) app.http.swagger();
  closers.push(serveStream(app.http.server, runtime, sessions, base.hub));
  await openFirstConnections(runtime.dbFor);
  url = await app.http.listen({ host: config.host, port: config.port });
  const warning = missingProxies(config, url);
  if (warning !== null) runtime.log.warn(warning);
  if (config.roles.has('jobs')) await startTimedJobs(runtime, loops, webUrl, closers);
  return url;
}

type Base = Awaited<ReturnType<typeof openBase>>;
type Loops = Awaited<ReturnType<typeof startLoops>>;

/** Opens what the loops and the routes share. */
async function openBase(runtime: Runtime, venues: OpenVenues, closers: Closers) {
  const accounts = await openAccounts(runtime, venues, closers);
  const [first, ...others] = accounts;
  const venue = openVenues(first.venue, ...others.map((account) => account.venue));
  const names = accounts.map(({ name }) => name);
  const settings = await openAllSettings(runtime, names, closers);
  await takeUpKeptStops(
    runtime,
    accounts.map(({ controls }) => controls),
  );
  const hub = openHub(runtime);
  closers.push(hub.stop);
  const engines = await enginesOf(runtime);
  closers.push(engines.stop);
  const { stream, stop: stopRelaying } = streamOf(runtime, hub, engines);
  closers.push(stopRelaying);
  return { runtime, accounts, venue, ...settings, hub, engines, stream };
}

/** Starts what runs by itself: trading, recording, selling, jobs and discovery. */
async function startLoops(base: Base, closers: Closers) {
  const { runtime, venue, settings, discoverySettings, reportSettings, securitySettings, exitSettings } = base;
  const { accounts, hub, engines, stream } = base;
  const { config } = runtime;
  const { partitions } = engines;
  const settlements = await followSettlements(runtime, reportSettings);
  closers.push(settlements.stop);
  const desks = await openVenueDesks(runtime, accounts);
  const controls = controlsWithCash(desks);
  closers.push(desks.stop);
  const trading = await startTrading({
    ...{ runtime, venue, desks, settings, stream, engines, settlements, securitySettings },
    discovery: discoverySettings,
  });
  closers.push(trading.stop);
  const tokens = combineTokens(trading.quotes.tokens);
  const writing = { clock: { now: trading.journal.instants.ofChange }, openWriter: openWriterThread };
  const recordings = openRecordings(runtime, tokens, partitions, writing);
  closers.push(recordings.stop);
  for (const desk of desks.all) {
    const account = { runtime, venue: { ...venue, ...desk }, controls: desk.controls, quotes: trading.quotes };
    const ofDesk = exitSettings.find(({ venue: name }) => name === desk.name);
    if (ofDesk !== undefined) closers.push(startExits({ ...account, stream, partitions }, ofDesk));
    closers.push(startKeepingHoldings({ ...account, stream, partitions }));
    closers.push(startMovingCash({ runtime, desk, partitions }));
    closers.push(startFollowingPayouts({ ...account, desk, stream, partitions }));
  }
  closers.push(startStartingOver({ runtime, desks: desks.all, partitions }));
  if (config.roles.has('engine')) {
    closers.push(startKeepingResults({ runtime, quotes: trading.quotes, partitions }));
    closers.push(startFoldingReserved({ runtime }), startCheckingReserved({ runtime, partitions }));
    await engines.takePart();
  }
  const work = { check_all: checkAllWork(runtime, trading), update_prices: updatePricesWork(runtime, trading) };
  const queue = await openQueue(runtime, { keepsCalendar: config.roles.has('jobs') });
  closers.push(queue.stop);
  const jobs = await startJobs(runtime, queue, stream, config.roles.has('jobs') ? work : null);
  const mailQueue = await openMailQueue(queue, runtime);
  const known = openKnownCounts(runtime);
  const status = publishSystemStatus(runtime, controls, hub, { feed: trading.feed, known });
  closers.push(status, publishNotifications(runtime, hub));
  const { live, journal } = trading;
  const discovery = await startDiscovery({
    ...{ runtime, venue, partitions, stream, live, journal, activeBatchOf },
    hitEnds: { batchesSince, trigger: () => triggerWords(base.settings.current()) },
    settings: discoverySettings,
  });
  closers.push(discovery.stop);
  if (discovery.tokens !== null) tokens.join(discovery.tokens);
  journal.begin();
  return { trading, controls, known, recordings, queue, jobs, mailQueue, discovery };
}

/** Starts what one process alone does at its time: sending, rehearsals, retention, expiry. */
async function startTimedJobs(
  runtime: Runtime,
  { trading, controls, recordings, queue, mailQueue }: Loops,
  webUrl: () => string,
  closers: Closers,
): Promise<void> {
  await startMailing(queue, runtime, queuedLetters(runtime, webUrl));
  closers.push(queueAlertMails(runtime, mailQueue));
  closers.push(keepEquity({ runtime, quotes: trading.quotes }));
  closers.push(startRehearsing(runtime, recordings.folder));
  closers.push(startSending(runtime, webUrl, chatCommands(runtime, { controls, feed: trading.feed })));
  const aging = openJournalAging(runtime.config.recording, openReportAging(openRelationAging()));
  await startHistoryRetention(queue, runtime, aging);
  closers.push(...sweep(runtime));
}

async function openAllSettings(runtime: Runtime, venues: readonly VenueName[], closers: Closers) {
  const opened = {
    settings: await openSystemSettings(runtime),
    discoverySettings: await openDiscoverySettings(runtime),
    reportSettings: await openReportSettings(runtime),
    securitySettings: await openSecuritySettings(runtime),
  };
  closers.push(...Object.values(opened).map(({ stop }) => stop));
  const exitSettings = await Promise.all(venues.map((venue) => openExitSettings(runtime, venue)));
  closers.push(...exitSettings.map(({ stop }) => stop));
  return { ...opened, exitSettings };
}

/** Makes sure that a superuser exists, and says whom to sign in as. */
async function openPasswords(runtime: Runtime, say: (line: string) => void): Promise<Passwords> {
  const passwords = createPasswords();
  const madeUp = await ensureFirstSuperuser(runtime, passwords);
  if (madeUp !== null) say(`First superuser: ${runtime.config.firstSuperuser.email} with password ${madeUp}`);
  else for (const line of await signInWords(runtime)) say(line);
  return passwords;
}

/** Starts the periodic clean-up jobs. */
function sweep(runtime: Runtime): Closers {
  return [
    runtime.timers.every(FORGET_DELETED_MS, () => forgetDeleted(runtime)),
    runtime.timers.every(EXPIRE_SIGN_OFFS_MS, () => expireSignOffs(runtime)),
  ];
}

function streamOf(runtime: Runtime, hub: OpenHub, { partitions }: Engines): Relay {
  const { databaseUrl, roles } = runtime.config;
  if (databaseUrl === null) return { stream: hub, stop: () => {} };
  return relayStream(runtime, hub, () => roles.has('jobs') && partitions.held()?.length === PARTITIONS);
}

/** A database of its own belongs to one process; on one that DATABASE_URL names there may be any number. */
async function enginesOf(runtime: Runtime): Promise<Engines> {
  return runtime.config.databaseUrl === null ? onlyEngine() : await openEngines(runtime);
}

/** Each venue with whether trading is armed there, under which limits. */
async function openAccounts(
  runtime: Runtime,
  [first, ...others]: OpenVenues,
  closers: Closers,
): Promise<[VenueAccount, ...VenueAccount[]]> {
  const opened = async ({ name, open }: OpenVenue): Promise<VenueAccount> => {
    const venue = await open(runtime);
    closers.push(() => venue.close());
    const label = others.length === 0 ? null : VENUE_LABELS[name];
    const controls = await openTradingControls(runtime, name, label, venue.trading !== null);
    closers.push(controls.stop);
    return { name, venue, controls };
  };
  const accounts: [VenueAccount, ...VenueAccount[]] = [await opened(first)];
  for (const each of others) accounts.push(await opened(each));
  return accounts;
}
