/** One simulated process of the product: the real trading loops on a runtime whose time, randomness and outlets are handed in. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openExitSettings, type WatchedExitSettings } from '@dutchbook/server/books/exits/settings.ts';
import { startExits } from '@dutchbook/server/books/exits/start-exits.ts';
import { startKeepingResults } from '@dutchbook/server/books/report/keep-results.ts';
import { DISCOVERY_DEFAULTS } from '@dutchbook/server/market/discovery/settings.ts';
import { openSystemSettings } from '@dutchbook/server/people/system-settings/settings.ts';
import type { WatchedSettings } from '@dutchbook/server/people/system-settings/watched-settings.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import { openEngines } from '@dutchbook/server/platform/engines/engines.ts';
import { isLeader } from '@dutchbook/server/platform/engines/leader.ts';
import { openStops } from '@dutchbook/server/platform/http/stops.ts';
import type { KeptStops } from '@dutchbook/server/platform/runtime/kept-stops.ts';
import type { Random, Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { databaseNowBy } from '@dutchbook/server/platform/runtime/test-time.ts';
import { realTimers } from '@dutchbook/server/platform/runtime/timers.ts';
import { startTrading, type Trading } from '@dutchbook/server/start-trading.ts';
import { openTradingControls } from '@dutchbook/server/trading/trading-controls/controls.ts';
import { startFoldingReserved } from '@dutchbook/server/trading/under-way/keep-reserved.ts';
import { openVenueDesks } from '@dutchbook/server/trading/venue-desk/venue-desk.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { POLYMARKET_DEFAULTS, type PolymarketConfig } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Logger } from 'pino';
import { type DatabaseFate, reachDatabase } from './database.ts';
import type { Network } from './network.ts';
import { Owner, ProcessDied, runAs } from './owner.ts';
import type { SharedDatabase } from './shared-database.ts';
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
  venue: Venue;
  controls: Awaited<ReturnType<typeof openTradingControls>>;
  settings: WatchedSettings;
  /** Null where shares are not converted into dollars. */
  exitSettings: WatchedExitSettings | null;
  /** Whether this process triggers and carries out an opportunity, and not another. */
  owns: (opportunityId: string) => boolean;
  /** Whether this process does what one does for all. */
  isLeader: () => boolean;
  /** Somebody at this process wants trading armed, or disarmed. */
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
  const url = `http://exchange-${opened}`;
  const venue = await openPolymarket(
    {
      ...POLYMARKET_DEFAULTS,
      clobUrl: url,
      gammaUrl: `${url}/gamma`,
      dataUrl: `${url}/data-api`,
      wsUrl: `ws://exchange-${opened}/ws`,
      privateKey: KEY,
      ...parts.account,
      ...(parts.hasChain && { chain: chainBelow(url) }),
    },
    { now: runtime.clock.now, random: runtime.random.fraction, log: runtime.log, network: parts.network.venue },
  );
  closers.push(() => venue.close());
  const settings = await openSystemSettings(runtime);
  const controls = await openTradingControls(runtime, 'polymarket');
  const stream = { publish: () => {}, watched: () => false };
  const engines = await openEngines(runtime);
  const discovery = { current: () => DISCOVERY_DEFAULTS };
  const settlements = { current: () => null };
  const desks = await openVenueDesks(runtime, [{ name: 'polymarket', venue, controls }]);
  closers.push(async () => desks.stop());
  const trading = await startTrading({ runtime, venue, desks, settings, stream, engines, discovery, settlements });
  const exitSettings = venue.chain === null ? null : await openExitSettings(runtime, 'polymarket');
  const { partitions } = engines;
  if (exitSettings !== null)
    startExits({ runtime, venue, quotes: trading.quotes, controls, stream, partitions }, exitSettings);
  startKeepingResults({ runtime, quotes: trading.quotes, partitions });
  startFoldingReserved({ runtime });
  await engines.takePart();
  return {
    owner,
    runtime,
    trading,
    venue,
    controls,
    settings,
    exitSettings,
    owns: engines.partitions.owns,
    isLeader: () => isLeader(engines.partitions),
    armingAsked: parts.armingAsked,
  };
}

function chainBelow(url: string): PolymarketConfig['chain'] {
  return {
    ...POLYMARKET_DEFAULTS.chain,
    rpcUrls: [`${url}/_chain/rpc`, `${url}/_chain/rpc2`],
    relayerUrl: `${url}/relayer`,
    relayerKey: 'key-of-the-simulation',
  };
}

async function openRuntime(owner: Owner, { database, time, roll, fate, diesAt, log }: ProductParts): Promise<Runtime> {
  const config = readConfig({
    DATA_DIR: FOLDER,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RECORDING: 'off',
    ...UNUSED_ADDRESSES,
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
