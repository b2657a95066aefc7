/** One simulated process of the product: the real trading loops on a runtime whose time, randomness and outlets are handed in. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { BASE_PATH } from '@dutchbook/exchange/adapters/kalshi/calls.ts';
import { STREAM_PATH } from '@dutchbook/exchange/adapters/kalshi/serve.ts';
import { openExitSettings, type WatchedExitSettings } from '@dutchbook/server/books/exits/settings.ts';
import { startExits } from '@dutchbook/server/books/exits/start-exits.ts';
import { startKeepingResults } from '@dutchbook/server/books/report/keep-results.ts';
import { DISCOVERY_DEFAULTS } from '@dutchbook/server/market/discovery/settings.ts';
import { openSystemSettings } from '@dutchbook/server/people/system-settings/settings.ts';
import type { WatchedSettings } from '@dutchbook/server/people/system-settings/watched-settings.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import { UNWATCHED } from '@dutchbook/server/platform/database/database-down.ts';
import { openEngines } from '@dutchbook/server/platform/engines/engines.ts';
import { isLeader } from '@dutchbook/server/platform/engines/leader.ts';
import { openStops } from '@dutchbook/server/platform/http/stops.ts';
import type { KeptStops } from '@dutchbook/server/platform/runtime/kept-stops.ts';
import type { Random, Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { databaseNowBy } from '@dutchbook/server/platform/runtime/test-time.ts';
import { realTimers } from '@dutchbook/server/platform/runtime/timers.ts';
import { startTrading, type Trading } from '@dutchbook/server/start-trading.ts';
import { startMovingCash } from '@dutchbook/server/trading/cash-moves/move-loop.ts';
import { openTradingControls } from '@dutchbook/server/trading/trading-controls/controls.ts';
import type { TradingControls } from '@dutchbook/server/trading/trading-controls/trading-controls.ts';
import { startFoldingReserved } from '@dutchbook/server/trading/under-way/keep-reserved.ts';
import { openVenueDesks, type VenueAccount } from '@dutchbook/server/trading/venue-desk/venue-desk.ts';
import { startFollowingPayouts } from '@dutchbook/server/trading/venue-moves/payout-loop.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { KALSHI_DEFAULTS } from '@dutchbook/venues/kalshi/config.ts';
import { openKalshi } from '@dutchbook/venues/kalshi/kalshi.ts';
import { POLYMARKET_DEFAULTS, type PolymarketConfig } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue, VenueRuntime } from '@dutchbook/venues/venue.ts';
import { openVenues } from '@dutchbook/venues/venues.ts';
import type { Logger } from 'pino';
import { type DatabaseFate, reachDatabase } from './database.ts';
import type { Network } from './network.ts';
import { Owner, ProcessDied, runAs } from './owner.ts';
import type { SharedDatabase } from './shared-database.ts';
import { KALSHI_KEYS } from './venues/second-venue.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A key made up for this; it holds nothing anywhere. */
const KEY = `0x${'42'.repeat(32)}`;

/** The key's own account, and those of a deposit wallet, a Safe and a proxy wallet which the key signs for. */
export const KEY_ACCOUNT = { signatureType: 0, funder: null } as const;
export const WALLET_ACCOUNT = { signatureType: 3, funder: `0x${'d4'.repeat(20)}` } as const;
export const SAFE_ACCOUNT = { ...WALLET_ACCOUNT, signatureType: 2 } as const;
export const PROXY_ACCOUNT = { ...WALLET_ACCOUNT, signatureType: 1 } as const;

/** Nothing is ever written there: configuration wants a name. */
const FOLDER = mkdtempSync(path.join(tmpdir(), 'dutchbook-simulation-'));

export type Product = {
  owner: Owner;
  runtime: Runtime;
  trading: Trading;
  /** The first one. */
  venue: Venue;
  /** Of each venue. */
  controls: readonly TradingControls[];
  settings: WatchedSettings;
  /** Null where shares are not converted into dollars. */
  exitSettings: WatchedExitSettings | null;
  /** Whether this process triggers and carries out an opportunity, and not another. */
  owns: (opportunityId: string) => boolean;
  /** Whether this process does what one does for all. */
  isLeader: () => boolean;
  /** An operator at this process wants trading armed, or disarmed. */
  armingAsked: (isArmed: boolean) => void;
};

export type ProductParts = {
  name: string;
  database: SharedDatabase;
  time: VirtualTime;
  network: Network;
  roll: () => number;
  fate: DatabaseFate;
  /** Called at every step that the product names; it dies where this answers true. */
  diesAt: (point: string) => boolean;
  armingAsked: (isArmed: boolean) => void;
  log: Logger;
  /** How the account signs, where not by its key alone. */
  account: Pick<PolymarketConfig, 'funder' | 'signatureType'>;
  /** Whether nodes of the chain and a relayer are configured. */
  hasChain: boolean;
  venues: readonly VenueName[];
};

/** A process that begins to start; `ready` never resolves when the process dies on the way. */
export type Starting = { owner: Owner; ready: Promise<Product>; close: () => Promise<void> };

export function startProduct(parts: ProductParts): Starting {
  const owner = new Owner(parts.name);
  const closers: (() => Promise<void>)[] = [];
  const ready = runAs(owner, () => openParts(owner, parts, closers));
  ready.catch(() => {});
  return {
    owner,
    ready,
    close: async () => {
      owner.die();
      for (const close of closers.reverse()) await close();
    },
  };
}

/** The client's limits are set by address, and a process that dies while it starts never takes its own off again. */
let opened = 0;

async function openParts(owner: Owner, parts: ProductParts, closers: (() => Promise<void>)[]): Promise<Product> {
  const runtime = await openRuntime(owner, parts);
  opened += 1;
  const accounts: VenueAccount[] = [];
  for (const name of parts.venues) {
    const opening = { now: runtime.clock.now, random: runtime.random.fraction, log: runtime.log };
    const venue = await OPENERS[name](parts, { ...opening, network: parts.network.venue });
    closers.push(() => venue.close());
    const label = parts.venues.length === 1 ? null : VENUE_LABELS[name];
    accounts.push({ name, venue, controls: await openTradingControls(runtime, name, label) });
  }
  const [first, ...others] = accounts;
  if (first === undefined) throw new Error('a product has an account');
  const venue = openVenues(first.venue, ...others.map((account) => account.venue));
  const settings = await openSystemSettings(runtime);
  const stream = { publish: () => {}, watched: () => false };
  const engines = await openEngines(runtime);
  const discovery = { current: () => DISCOVERY_DEFAULTS };
  const settlements = { current: () => null };
  const desks = await openVenueDesks(runtime, accounts);
  closers.push(async () => desks.stop());
  const trading = await startTrading({ runtime, venue, desks, settings, stream, engines, discovery, settlements });
  const exitSettings = first.venue.chain === null ? null : await openExitSettings(runtime, first.name);
  const { partitions } = engines;
  const { quotes } = trading;
  if (exitSettings !== null) startExits({ runtime, ...first, quotes, stream, partitions }, exitSettings);
  for (const desk of others.map(({ name }) => desks.at(name))) {
    startFollowingPayouts({ runtime, venue, quotes, desk, stream, partitions });
    startMovingCash({ runtime, desk, partitions });
  }
  startKeepingResults({ runtime, quotes: trading.quotes, partitions });
  startFoldingReserved({ runtime });
  await engines.takePart();
  return {
    owner,
    runtime,
    trading,
    venue: first.venue,
    controls: accounts.map(({ controls }) => controls),
    settings,
    exitSettings,
    owns: engines.partitions.owns,
    isLeader: () => isLeader(engines.partitions),
    armingAsked: parts.armingAsked,
  };
}

type Opening = Pick<ProductParts, 'account' | 'hasChain'>;

const OPENERS: Readonly<Record<VenueName, (parts: Opening, runtime: VenueRuntime) => Promise<Venue>>> = {
  polymarket: ({ account, hasChain }, runtime) => {
    const url = `http://exchange-${opened}`;
    const config = {
      ...POLYMARKET_DEFAULTS,
      clobUrl: url,
      gammaUrl: `${url}/gamma`,
      dataUrl: `${url}/data-api`,
      wsUrl: `ws://exchange-${opened}/ws`,
      privateKey: KEY,
      ...account,
      ...(hasChain && { chain: chainBelow(url) }),
    };
    return openPolymarket(config, runtime);
  },
  kalshi: (_parts, runtime) => {
    const [apiUrl, wsUrl] = [`http://exchange-${opened}${BASE_PATH}`, `ws://exchange-${opened}${STREAM_PATH}`];
    return openKalshi({ ...KALSHI_DEFAULTS, apiUrl, wsUrl, ...KALSHI_KEYS }, runtime);
  },
};

function chainBelow(url: string): PolymarketConfig['chain'] {
  return {
    ...POLYMARKET_DEFAULTS.chain,
    rpcUrls: [`${url}/_chain/rpc`, `${url}/_chain/rpc2`],
    relayerUrl: `${url}/relayer`,
    relayerKey: 'key-of-the-simulation',
  };
}

async function openRuntime(owner: Owner, parts: ProductParts): Promise<Runtime> {
  const { database, time, roll, fate, diesAt, log, venues } = parts;
  const config = readConfig({
    DATA_DIR: FOLDER,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RECORDING: 'off',
    ...UNUSED_ADDRESSES,
    // Said to listen nowhere, the second venue is configured all the same.
    ...(venues.length > 1 && { KALSHI_API_URL: 'http://127.0.0.1:9' }),
  });
  const reached = await reachDatabase(owner, database, time, fate);
  const timers = realTimers(log);
  const clock = { now: () => instantFromMs(time.now()) };
  return {
    config,
    clock,
    databaseNow: databaseNowBy(clock),
    timers,
    random: seededRandomOf(roll),
    ...reached,
    databaseWatch: UNWATCHED,
    mail: { send: async () => {} },
    chat: { send: notPart, updates: notPart, acknowledge: notPart },
    log,
    storage: { log: () => ({ dropped: 0, failure: null }), isDiskFull: () => false },
    pass: (point) => {
      if (owner.isDead || !diesAt(point)) return;
      owner.die();
      throw new ProcessDied(`died at ${point}`);
    },
    stops: openStops({ timers, log }, NOTHING_KEPT),
  };
}

const notPart = () => Promise.reject(new Error('messages and files are no part of the simulation'));

const NOTHING_KEPT: KeptStops = { keep: notPart, remove: notPart, read: async () => [] };

const UNUSED_ADDRESSES = {
  POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
  POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
  POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
};

export function seededRandomOf(roll: () => number): Random {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(roll() * 16).toString(16)).join('');
  return {
    fraction: roll,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(roll() * 256)),
  };
}
