/** The whole product in one process, as `start.ts` puts it together, on a database of its own, a scripted venue and test time. */

import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { openExitSettings } from '@dutchbook/server/books/exits/settings.ts';
import { openReportSettings } from '@dutchbook/server/books/report/settings.ts';
import { buildApp } from '@dutchbook/server/build-app.ts';
import { openDiscoverySettings } from '@dutchbook/server/market/discovery/settings.ts';
import {
  type ScriptedMarkets,
  scriptedMarkets,
} from '@dutchbook/server/market/prices/quotes/scripted-markets.fixture.ts';
import { openRecordings } from '@dutchbook/server/memory/recordings/recordings.ts';
import { openSessions } from '@dutchbook/server/people/login/sessions.ts';
import { openSecuritySettings } from '@dutchbook/server/people/security-settings/settings.ts';
import { openSystemSettings } from '@dutchbook/server/people/system-settings/settings.ts';
import { systemSettings } from '@dutchbook/server/people/system-settings/table.ts';
import type { Passwords } from '@dutchbook/server/people/users/passwords.ts';
import { onlyEngine } from '@dutchbook/server/platform/engines/engines.ts';
import type { HttpServer } from '@dutchbook/server/platform/http/app.ts';
import type { Sessions } from '@dutchbook/server/platform/http/signed-in.ts';
import { startJobs } from '@dutchbook/server/platform/jobs/jobs.ts';
import { openQueue } from '@dutchbook/server/platform/jobs/queue.ts';
import { openMailQueue } from '@dutchbook/server/platform/mail/mail-queue.ts';
import type { Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { openHub } from '@dutchbook/server/platform/stream/hub.ts';
import { startTrading, type Trading } from '@dutchbook/server/start-trading.ts';
import { openKnownCounts } from '@dutchbook/server/status/known-counts.ts';
import { createMetrics } from '@dutchbook/server/status/metrics.ts';
import { openTestRuntime, type TestRuntime } from '@dutchbook/server/test-runtime.ts';
import { scriptedChain } from '@dutchbook/server/trading/chain-steps/scripted-chain.fixture.ts';
import {
  type ScriptedTrading,
  scriptedTrading,
} from '@dutchbook/server/trading/execution/runner/scripted-trading.fixture.ts';
import { followSettlements } from '@dutchbook/server/trading/execution/settlements.ts';
import { openTradingControls } from '@dutchbook/server/trading/trading-controls/controls.ts';
import { openVenueDesks } from '@dutchbook/server/trading/venue-desk/venue-desk.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Logger } from 'pino';

export type WholeProduct = AsyncDisposable & {
  http: HttpServer;
  test: TestRuntime;
  runtime: Runtime;
  sessions: Sessions;
  trading: Trading;
  /** What the venue lists and quotes, and what it does with orders. */
  markets: ScriptedMarkets;
  orders: ScriptedTrading;
  /** Makes a call, and lets time pass until it is answered. */
  inject: (request: InjectOptions) => Promise<LightMyRequestResponse>;
  /** Lets time pass until all work that was begun is done. */
  untilIdle: () => Promise<void>;
};

type Given = {
  /** A session seen once is accepted again without a query, which is half of the cost of a call. */
  remembersCallers?: true;
  variables?: Record<string, string>;
  webFolder?: string;
  passwords?: Passwords;
  log?: Logger;
  /** Called before it takes calls, while hooks can still be added. */
  prepare?: (http: HttpServer) => void;
  /** Called before every transaction, which waits for it. */
  beforeTransaction?: () => Promise<void>;
  /** What it runs on instead. */
  withRuntime?: (runtime: Runtime) => Runtime;
};

export async function openWholeProduct(given: Given = {}): Promise<WholeProduct> {
  const variables = { VENUE: 'simulated', RATE_LIMIT: 'off', RECORDING: 'off', ...given.variables };
  const test = await openTestRuntime(variables);
  const runtime = runtimeOf(test, given);
  const markets = scriptedMarkets(runtime.clock);
  const orders = scriptedTrading(runtime);
  const { trading: selling, openUserStream } = orders.venue;
  const venue: Venue = { ...markets.venue, trading: selling, openUserStream, chain: scriptedChain() };
  await placeOnlyByHand(runtime);
  const settings = await openSystemSettings(runtime);
  const controls = await openTradingControls(runtime, 'polymarket');
  const hub = openHub(runtime);
  const discoverySettings = await openDiscoverySettings(runtime);
  const reportSettings = await openReportSettings(runtime);
  const settlements = await followSettlements(runtime, reportSettings);
  const securitySettings = await openSecuritySettings(runtime);
  const desks = await openVenueDesks(runtime, [{ name: 'polymarket', venue, controls }]);
  const trading = await startTrading({
    runtime,
    venue,
    desks,
    settings,
    stream: hub,
    engines: onlyEngine(),
    discovery: discoverySettings,
    settlements,
    securitySettings,
  });
  const exitSettings = await openExitSettings(runtime, 'polymarket');
  const queue = await openQueue(runtime);
  const jobs = await startJobs(runtime, queue, hub, null);
  const mailQueue = await openMailQueue(queue, runtime);
  const sessions = given.remembersCallers ? remembering(openSessions(runtime)) : openSessions(runtime);
  const app = await buildApp({
    runtime,
    venue,
    settings,
    sessions,
    passwords: given.passwords ?? CHEAP_PASSWORDS,
    metrics: createMetrics(),
    stream: hub,
    trading,
    recordings: openRecordings(runtime, trading.quotes.tokens, onlyEngine().partitions),
    discovery: {
      settings: discoverySettings,
      live: trading.live,
      bookOf: () => undefined,
      watches: () => false,
      stop: async () => {},
    },
    exitSettings: [exitSettings],
    securitySettings,
    reportSettings,
    jobs,
    mailQueue,
    known: openKnownCounts(runtime),
    webUrl: () => 'https://desk.example',
    webFolder: given.webFolder ?? `${runtime.config.dataDir}/no-pages`,
  });
  given.prepare?.(app.http);
  await app.http.ready();
  return {
    http: app.http,
    test,
    runtime,
    sessions,
    trading,
    markets,
    orders,
    inject: (request) => answered(test, app.http.inject(request)),
    untilIdle: async () => {
      for (let round = 0; round < IDLE_ROUNDS; round += 1) {
        await test.time.advance(SHORT_STEP_MS);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await app.http.close();
      await queue.stop();
      hub.stop();
      await trading.stop();
      discoverySettings.stop();
      exitSettings.stop();
      securitySettings.stop();
      settlements.stop();
      reportSettings.stop();
      controls.stop();
      settings.stop();
      await venue.close();
      await test.close();
    },
  };
}

function runtimeOf({ runtime }: TestRuntime, { log = runtime.log, beforeTransaction, withRuntime }: Given): Runtime {
  if (withRuntime !== undefined) return withRuntime(runtime);
  if (beforeTransaction === undefined) return { ...runtime, log };
  const transaction: typeof runtime.db.transaction = async (...given) => {
    await beforeTransaction();
    return await runtime.db.transaction(...given);
  };
  const db = new Proxy(runtime.db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
  return { ...runtime, log, db };
}

function remembering(sessions: Sessions): Sessions {
  const known = new Map<string, Awaited<ReturnType<Sessions['require']>>>();
  return {
    ...sessions,
    require: async (authorization = '') => {
      const signedIn = known.get(authorization) ?? (await sessions.require(authorization));
      known.set(authorization, signedIn);
      return signedIn;
    },
  };
}

/** An opportunity that is placed by itself is in the way of the call that is to place it. */
async function placeOnlyByHand({ db, clock }: Runtime): Promise<void> {
  await db.insert(systemSettings).values({ name: 'AUTO_PLACE_ORDER_ENABLED', value: false, updatedAt: clock.now() });
}

/** Calls by the thousand are not to wait for the cost of real hashes, which `passwords.ts` has tests of its own for. */
const CHEAP_PASSWORDS: Passwords = {
  hash: async (password) => cheapHash(password),
  matches: async (passwordHash, password) => passwordHash === cheapHash(password),
};

export function cheapHash(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

const SOON_MS = 100;
const IDLE_ROUNDS = 6;
const SHORT_ROUNDS = 10;
const SHORT_STEP_MS = 50;
const LONG_STEP_MS = 2000;

/**
 * Most calls wait for nothing but the database and a hash. The others wait for time to pass: it does so here for whatever
 * is not answered soon, which is never wrong and only costs something.
 */
async function answered<Reply>(test: TestRuntime, reply: Promise<Reply>): Promise<Reply> {
  let isAnswered = false;
  const noted = reply.finally(() => {
    isAnswered = true;
  });
  await Promise.race([noted, setTimeout(SOON_MS)]);
  for (let round = 0; !isAnswered; round += 1) {
    await test.idle();
    if (!isAnswered) await test.time.advance(round < SHORT_ROUNDS ? SHORT_STEP_MS : LONG_STEP_MS);
  }
  return await noted;
}
